/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.FilterContainer;
import org.apache.hadoop.http.FilterInitializer;

/**
 * Lets nodes tell each other measured peaks through the ResourceManager's web server, which loads
 * it where {@code hadoop.http.filter.initializers} names this class.
 */
public final class PeakExchangeInitializer extends FilterInitializer {
  @Override
  public void initFilter(FilterContainer container, Configuration configuration) {
    WebStep.run("exchange of peaks", () -> addFilter(container, configuration));
  }

  private static void addFilter(FilterContainer container, Configuration configuration) {
    Settings settings = new Settings(configuration);
    // For all paths: the web server gives the other kind of filter the pages of its users only.
    container.addGlobalFilter(
        "charon-peaks",
        PeakExchangeFilter.class.getName(),
        Map.of(
            PeakExchangeFilter.JOBS_KEY,
            Long.toString(
                settings.number(PeakExchangeFilter.JOBS_KEY, 1, PeakExchangeFilter.MAX_JOBS)),
            PeakExchangeFilter.SAMPLES_KEY,
            Long.toString(
                settings.number(
                    PeakExchangeFilter.SAMPLES_KEY, 1, PeakExchangeFilter.MAX_SAMPLES))));
  }
}
