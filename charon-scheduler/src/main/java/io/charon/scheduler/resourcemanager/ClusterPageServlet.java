/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import io.charon.scheduler.cluster.ClusterJson;
import io.charon.web.PagesServlet;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.yarn.server.resourcemanager.IsResourceManagerActiveServlet;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;

/**
 * Serves the page of the cluster below {@code /charon/cluster/} on the ResourceManager's web
 * server.
 */
public final class ClusterPageServlet extends PagesServlet<ClusterView> {
  static final String PATHS = "/charon/cluster/*";
  static final String PERIOD_KEY = "yarn.resourcemanager.charon.page.period-ms";

  private static final long serialVersionUID = 1;
  static final long MIN_PERIOD_MILLIS = 1000;
  static final long MAX_PERIOD_MILLIS = 10_000;

  /**
   * Returns the time between two events.
   *
   * @param settings settings, which collect the problems of the key
   */
  static Duration period(Settings settings) {
    return Duration.ofMillis(settings.number(PERIOD_KEY, MIN_PERIOD_MILLIS, MAX_PERIOD_MILLIS));
  }

  @Override
  protected Optional<ClusterView> subject() {
    if (getServletContext().getAttribute(IsResourceManagerActiveServlet.RM_ATTRIBUTE)
        instanceof ResourceManager resourceManager) {
      RMContext context = resourceManager.getRMContext();
      if (context.getHAServiceState() == HAServiceState.ACTIVE) {
        return Optional.of(new ClusterView(context));
      }
    }
    return Optional.empty();
  }

  @Override
  protected String absence() {
    return "this web server does not belong to an active ResourceManager; open the page of "
        + "the active one";
  }

  @Override
  protected String json(ClusterView view) {
    return ClusterJson.of(view.status());
  }

  @Override
  protected Duration period() {
    return period(new Settings(configuration()));
  }
}
