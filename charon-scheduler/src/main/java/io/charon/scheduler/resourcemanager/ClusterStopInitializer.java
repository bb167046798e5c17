/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import io.charon.web.stop.ClusterStopFile;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.FilterContainer;
import org.apache.hadoop.http.FilterInitializer;

/**
 * Adds the filter from which nodes learn of a stop of the cluster to the ResourceManager's web
 * server, which loads this class if {@code hadoop.http.filter.initializers} names it.
 */
public final class ClusterStopInitializer extends FilterInitializer {
  @Override
  public void initFilter(FilterContainer container, Configuration configuration) {
    WebStep.run("filter for stops of the cluster", () -> addFilter(container, configuration));
  }

  private static void addFilter(FilterContainer container, Configuration configuration) {
    // A global filter, because the web server applies other filters only to the pages for users.
    container.addGlobalFilter(
        "charon-stop",
        ClusterStopFilter.class.getName(),
        Map.of(
            ClusterStopFile.KEY,
            new Settings(configuration)
                .file(ClusterStopFile.KEY)
                .map(Object::toString)
                .orElse("")));
  }
}
