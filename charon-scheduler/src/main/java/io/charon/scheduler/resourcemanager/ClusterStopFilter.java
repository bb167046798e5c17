/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import io.charon.core.stop.StopOrder;
import io.charon.web.Responses;
import io.charon.web.stop.ClusterStopFile;
import io.charon.web.stop.ReloadMessages;
import io.charon.web.stop.ReloadOrder;
import io.charon.web.stop.ReloadOutcome;
import io.charon.web.stop.StopMessages;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.yarn.server.resourcemanager.IsResourceManagerActiveServlet;
import org.apache.hadoop.yarn.server.resourcemanager.RMAuditLogger;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers {@code GET /charon/stop} on the web server of a ResourceManager, active or not, with the
 * order in the file of its host, and {@code GET /charon/reload} with the outcome of an order to
 * read the keys again. All other requests pass. In a secured cluster it answers only callers that
 * Hadoop's authentication filter, which must run before this one, has identified. It also writes
 * each order to the ResourceManager's audit log.
 */
public final class ClusterStopFilter implements Filter {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterStopFilter.class);

  private static final Set<String> PATHS = Set.of(StopMessages.PATH, ReloadOrder.PATH);

  private final StopMessages messages = new StopMessages();
  private final ReloadMessages reloads = new ReloadMessages();
  private Optional<Path> file = Optional.empty();
  private Optional<ClusterStop> stop = Optional.empty();

  @Override
  public void init(FilterConfig config) {
    file =
        Optional.of(config.getInitParameter(ClusterStopFile.KEY))
            .filter(path -> !path.isEmpty())
            .map(Path::of);
  }

  /**
   * Creates the stop on first use: the web servers of other daemons, which read no orders, load
   * this filter as well.
   */
  private synchronized ClusterStop stop() {
    if (stop.isEmpty()) {
      stop = Optional.of(ClusterStop.of(file, ClusterStopFilter::audit));
    }
    return stop.get();
  }

  private static void audit(StopOrder order) {
    LOG.warn(
        "best-effort is {} in the cluster{}",
        order.stops() ? "stopped (" + order.action().label() + ")" : "resumed",
        order.origin());
    RMAuditLogger.logSuccess(
        order.by().isEmpty() ? "unknown" : order.by(),
        order.stops() ? "Charon stop " + order.action().label() : "Charon resume",
        "best-effort");
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (request instanceof HttpServletRequest asked
        && response instanceof HttpServletResponse answer
        && PATHS.contains(asked.getRequestURI())) {
      serve(asked, answer);
    } else {
      chain.doFilter(request, response);
    }
  }

  private void serve(HttpServletRequest request, HttpServletResponse response) throws IOException {
    Responses.secure(response);
    Optional<String> refusal = Callers.refusal(request);
    if (refusal.isPresent()) {
      refuse(request, response, HttpServletResponse.SC_FORBIDDEN, refusal.get());
    } else if (Responses.options(request, response, "GET")) {
      // The request has been answered.
    } else if (!(request
            .getServletContext()
            .getAttribute(IsResourceManagerActiveServlet.RM_ATTRIBUTE)
        instanceof ResourceManager resourceManager)) {
      refuse(
          request,
          response,
          HttpServletResponse.SC_FORBIDDEN,
          "this web server does not belong to a ResourceManager");
    } else if (!"GET".equals(request.getMethod())) {
      refuse(
          request, response, HttpServletResponse.SC_METHOD_NOT_ALLOWED, "orders are read with GET");
    } else if (Callers.isDaemon(request)
        || HttpServer2.isInstrumentationAccessAllowed(
            request.getServletContext(), request, response)) {
      byte[] told =
          StopMessages.PATH.equals(request.getRequestURI())
              ? messages.write(stop().state())
              : reloads.write(reloaded(resourceManager.getRMContext()));
      Responses.body(request, response, "application/json", told);
    }
  }

  /** Returns the outcome; empty for a standby, which reads the keys when it becomes active. */
  static Optional<ReloadOutcome> reloaded(RMContext context) {
    if (context.getHAServiceState() != HAServiceState.ACTIVE) {
      return Optional.empty();
    }
    return Optional.of(
        ActiveParts.find(context)
            .map(parts -> parts.reload().outcome())
            .orElseGet(ClusterStopFilter::withoutProcessor));
  }

  private static ReloadOutcome withoutProcessor() {
    return ReloadOutcome.refused(
            ReloadOrder.never(),
            List.of(
                "this ResourceManager is active and runs without BestEffortProcessor. Cure: name it"
                    + " in yarn.resourcemanager.application-master-service.processors and restart"
                    + " the ResourceManager; if it is named, the ResourceManager's log says why it"
                    + " did not start"))
        // An answer to every order, whenever it was given.
        .readAt(Long.MAX_VALUE);
  }

  private static void refuse(
      HttpServletRequest request, HttpServletResponse response, int status, String reason)
      throws IOException {
    // The body of the request, if any, is not read.
    response.setHeader("Connection", "close");
    Responses.refuse(request, response, status, reason);
  }

  @Override
  public void destroy() {
    LOG.debug("orders are no longer published");
  }
}
