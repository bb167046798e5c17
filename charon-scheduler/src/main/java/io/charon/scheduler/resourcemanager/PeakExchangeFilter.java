/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import io.charon.web.Responses;
import io.charon.web.sharing.PeakMessages;
import io.charon.web.sharing.PeakReport;
import io.charon.web.sharing.SharedPeaks;
import io.charon.web.threads.DaemonThreads;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.yarn.server.resourcemanager.IsResourceManagerActiveServlet;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers {@code POST /charon/peaks} on the ResourceManager's web server: it accepts the peaks of a
 * node and returns those of other nodes. All other requests pass. It accepts only NodeManagers of
 * the active ResourceManager; in a secured cluster these authenticate with their keytab to Hadoop's
 * authentication filter, which must run before this one.
 */
public final class PeakExchangeFilter implements Filter {
  static final String JOBS_KEY = "yarn.resourcemanager.charon.peaks.jobs";
  static final String SAMPLES_KEY = "yarn.resourcemanager.charon.peaks.samples-per-job";
  static final int MAX_JOBS = 100_000;
  static final int MAX_SAMPLES = 1000;

  private static final String JSON = "application/json";

  private static final Logger LOG = LoggerFactory.getLogger(PeakExchangeFilter.class);

  private final PeakMessages messages = new PeakMessages();
  private SharedPeaks peaks;
  private ThreadPoolExecutor background;
  private RegisteredNodes nodes;

  /** A refusal with its HTTP status and reason. */
  private static final class RefusedException extends IOException {
    private static final long serialVersionUID = 1;
    private final int status;

    RefusedException(int status, String reason) {
      super(reason);
      this.status = status;
    }
  }

  @Override
  public void init(FilterConfig config) {
    peaks =
        new SharedPeaks(
            UUID.randomUUID().toString(),
            Integer.parseInt(config.getInitParameter(JOBS_KEY)),
            Integer.parseInt(config.getInitParameter(SAMPLES_KEY)));
    background =
        new ThreadPoolExecutor(
            1,
            1,
            1,
            TimeUnit.MINUTES,
            new ArrayBlockingQueue<>(1),
            DaemonThreads.named("charon-peaks-resolver"));
    background.allowCoreThreadTimeOut(true);
    nodes = new RegisteredNodes(InetAddress::getAllByName, background, System::nanoTime);
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (request instanceof HttpServletRequest asked
        && response instanceof HttpServletResponse answer
        && PeakMessages.PATH.equals(asked.getRequestURI())) {
      serve(asked, answer);
    } else {
      chain.doFilter(request, response);
    }
  }

  private void serve(HttpServletRequest request, HttpServletResponse response) throws IOException {
    try {
      Optional<String> refusal = Callers.refusal(request);
      if (refusal.isPresent()) {
        throw new RefusedException(HttpServletResponse.SC_FORBIDDEN, refusal.get());
      }
      if (Responses.options(request, response, "POST")) {
        return;
      }
      refuseStrangers(request);
      PeakReport report = messages.report(body(request));
      byte[] news = messages.write(peaks.exchange(report, System.currentTimeMillis()));
      answer(response, HttpServletResponse.SC_OK, JSON, news);
    } catch (RefusedException e) {
      refuse(request, response, e.status, e.getMessage());
    } catch (PeakMessages.MalformedException e) {
      refuse(request, response, HttpServletResponse.SC_BAD_REQUEST, e.getMessage());
    }
  }

  private void refuseStrangers(HttpServletRequest request) throws IOException {
    if (!Callers.isDaemon(request)) {
      throw new RefusedException(
          HttpServletResponse.SC_FORBIDDEN,
          request.getRemoteUser()
              + " is not a user of YARN's daemons: only NodeManagers may report measured peaks");
    }
    if (!(request.getServletContext().getAttribute(IsResourceManagerActiveServlet.RM_ATTRIBUTE)
        instanceof ResourceManager resourceManager)) {
      throw new RefusedException(
          HttpServletResponse.SC_FORBIDDEN, "this web server does not belong to a ResourceManager");
    }
    if (resourceManager.getRMContext().getHAServiceState() != HAServiceState.ACTIVE) {
      throw new RefusedException(
          HttpServletResponse.SC_SERVICE_UNAVAILABLE, "this ResourceManager is not the active one");
    }
    switch (nodes.include(
        request.getRemoteAddr(), resourceManager.getRMContext().getRMNodes().values())) {
      case YES -> {}
      case NOT_YET ->
          throw new RefusedException(
              HttpServletResponse.SC_SERVICE_UNAVAILABLE,
              "names of registered NodeManagers are still being resolved: ask again later");
      case NO ->
          throw new RefusedException(
              HttpServletResponse.SC_FORBIDDEN,
              "the request came from an address that belongs to no registered NodeManager");
    }
    if (!"POST".equals(request.getMethod())) {
      throw new RefusedException(
          HttpServletResponse.SC_METHOD_NOT_ALLOWED, "peaks are exchanged with POST");
    }
    // With this type, a page of another server cannot make a browser send the request without a
    // preflight.
    String type = String.valueOf(request.getContentType()).split(";", 2)[0].strip();
    if (!JSON.equalsIgnoreCase(type)) {
      throw new RefusedException(
          HttpServletResponse.SC_UNSUPPORTED_MEDIA_TYPE,
          "the content type of a message must be " + JSON);
    }
  }

  private static byte[] body(HttpServletRequest request) throws IOException {
    byte[] body = request.getInputStream().readNBytes(PeakMessages.MAX_BYTES + 1);
    if (body.length > PeakMessages.MAX_BYTES) {
      throw new RefusedException(
          HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE,
          "a message has at most " + PeakMessages.MAX_BYTES + " bytes");
    }
    return body;
  }

  private static void refuse(
      HttpServletRequest request, HttpServletResponse response, int status, String reason)
      throws IOException {
    LOG.debug("refused {} of {}: {}", PeakMessages.PATH, request.getRemoteAddr(), reason);
    // The rest of the body is not read.
    response.setHeader("Connection", "close");
    answer(response, status, "text/plain", reason.getBytes(StandardCharsets.UTF_8));
  }

  private static void answer(HttpServletResponse response, int status, String type, byte[] body)
      throws IOException {
    response.setStatus(status);
    response.setContentType(type);
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }

  @Override
  public void destroy() {
    background.shutdownNow();
  }
}
