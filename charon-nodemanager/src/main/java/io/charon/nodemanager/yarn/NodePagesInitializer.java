/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.FilterContainer;
import org.apache.hadoop.http.FilterInitializer;
import org.apache.hadoop.http.HttpServer2;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds Charon's pages to the NodeManager's web server, which loads this class if {@code
 * hadoop.http.filter.initializers} names it. It adds a servlet and no filter. Hadoop's filters are
 * mapped to every path, so all of them precede the pages, in whatever order the key names them.
 */
public final class NodePagesInitializer extends FilterInitializer {
  private static final Logger LOG = LoggerFactory.getLogger(NodePagesInitializer.class);

  @Override
  public void initFilter(FilterContainer container, Configuration configuration) {
    if (container instanceof HttpServer2 server) {
      server.addServlet("charon", NodePagesServlet.PATHS, NodePagesServlet.class);
    } else {
      LOG.warn(
          "the pages of Charon are not available: {} does not accept servlets",
          container.getClass().getName());
    }
  }
}
