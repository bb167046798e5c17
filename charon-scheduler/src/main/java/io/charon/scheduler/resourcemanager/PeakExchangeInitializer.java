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
 * Adds the filter through which nodes exchange measured peaks to the ResourceManager's web server,
 * which loads this class if {@code hadoop.http.filter.initializers} names it.
 */
public final class PeakExchangeInitializer extends FilterInitializer {
  @Override
  public void initFilter(FilterContainer container, Configuration configuration) {
    WebStep.run("exchange of peaks", () -> addFilter(container, configuration));
  }

  private static void addFilter(FilterContainer container, Configuration configuration) {
    Settings settings = new Settings(configuration);
    // A global filter, because the web server applies other filters only to the pages for users.
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
