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
 * Lets nodes hear of a stop of the cluster from the ResourceManager's web server, which loads it
 * where {@code hadoop.http.filter.initializers} names this class.
 */
public final class ClusterStopInitializer extends FilterInitializer {
  @Override
  public void initFilter(FilterContainer container, Configuration configuration) {
    // For all paths: the web server gives the other kind of filter the pages of its users only.
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
