/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.FilterContainer;
import org.apache.hadoop.http.FilterInitializer;
import org.apache.hadoop.http.HttpServer2;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds the page of the cluster to the ResourceManager's web server, which loads this class if
 * {@code hadoop.http.filter.initializers} names it. It adds a servlet and no filter, so all filters
 * of Hadoop run before the page, in whatever order the key names them.
 */
public final class ClusterPageInitializer extends FilterInitializer {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterPageInitializer.class);

  @Override
  public void initFilter(FilterContainer container, Configuration configuration) {
    WebStep.run("page of Charon", () -> addPage(container, configuration));
  }

  private static void addPage(FilterContainer container, Configuration configuration) {
    if (container instanceof HttpServer2 server) {
      Settings settings = new Settings(configuration);
      ClusterPageServlet.period(settings);
      settings.complaints().forEach(LOG::warn);
      server.addServlet("charon-cluster", ClusterPageServlet.PATHS, ClusterPageServlet.class);
    } else {
      LOG.warn("no page of Charon: {} does not accept servlets", container.getClass().getName());
    }
  }
}
