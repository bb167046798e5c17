/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import io.charon.nodemanager.metrics.PrometheusText;
import io.charon.nodemanager.web.Answers;
import io.charon.nodemanager.web.EventStreams;
import io.charon.nodemanager.web.PageFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * The pages of a node below {@code /charon/} on its NodeManager's web server. Read-only. Whoever
 * may see Hadoop's {@code /jmx} may see them, but nobody unauthenticated where the cluster is
 * secured.
 */
public final class NodePagesServlet extends HttpServlet {
  static final String PATHS = "/charon/*";

  /** Listeners of events at a time (ours): one is a browser's window, and each costs a socket. */
  static final int MOST_LISTENERS = 32;

  private static final long serialVersionUID = 1;
  private static final Duration DEFAULT_PERIOD = Duration.ofSeconds(1);

  /** What answers at a path, once it is known that the request may be answered. */
  private interface Route {
    void answer(CharonNodes.Joined parts, HttpServletRequest request, HttpServletResponse response)
        throws IOException;
  }

  private final transient Map<String, Route> routes =
      Map.of("status", this::status, "events", this::events, "metrics", this::metrics);
  private transient PageFiles files;
  private transient EventStreams streams;

  @Override
  public void init() throws ServletException {
    try {
      files = new PageFiles();
    } catch (IOException e) {
      throw new ServletException(e);
    }
    streams =
        new EventStreams(
            () -> CharonNodes.current().map(parts -> parts.node().statusJson()),
            CharonNodes.current()
                .map(parts -> parts.node().settings().tick())
                .orElse(DEFAULT_PERIOD),
            MOST_LISTENERS,
            System::nanoTime);
  }

  @Override
  public void destroy() {
    streams.close();
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Answers.secure(response);
    String method = request.getMethod();
    if (!"GET".equals(method) && !"HEAD".equals(method)) {
      response.setHeader("Allow", "GET, HEAD");
      Answers.refuse(
          request,
          response,
          HttpServletResponse.SC_METHOD_NOT_ALLOWED,
          "the pages of Charon are read-only: use GET");
      return;
    }
    Optional<String> refusal =
        PageAccess.refusal(configuration(), UserGroupInformation.isSecurityEnabled(), request);
    if (refusal.isPresent()) {
      Answers.refuse(request, response, HttpServletResponse.SC_FORBIDDEN, refusal.get());
      return;
    }
    if (HttpServer2.isInstrumentationAccessAllowed(getServletContext(), request, response)) {
      route(request, response);
    }
  }

  private Configuration configuration() {
    return (Configuration) getServletContext().getAttribute(HttpServer2.CONF_CONTEXT_ATTRIBUTE);
  }

  private void route(HttpServletRequest request, HttpServletResponse response) throws IOException {
    String path = request.getPathInfo();
    if (path == null) {
      // The page's files are relative to /charon/; so is this, whatever stands before it.
      response.setStatus(HttpServletResponse.SC_FOUND);
      response.setHeader("Location", "charon/");
      return;
    }
    String name = path.substring(1);
    Optional<PageFiles.PageFile> file = files.find(name);
    Route route = routes.get(name);
    if (file.isPresent()) {
      Answers.body(request, response, file.get().type(), file.get().body());
    } else if (route != null) {
      answerOfNode(route, request, response);
    } else {
      Answers.refuse(
          request,
          response,
          HttpServletResponse.SC_NOT_FOUND,
          "Charon has no such page; /charon/ is the first");
    }
  }

  private static void answerOfNode(
      Route route, HttpServletRequest request, HttpServletResponse response) throws IOException {
    Optional<CharonNodes.Joined> parts = CharonNodes.current();
    if (parts.isPresent()) {
      route.answer(parts.get(), request, response);
    } else {
      Answers.refuse(
          request,
          response,
          HttpServletResponse.SC_SERVICE_UNAVAILABLE,
          "this process runs no node of Charon: it is no NodeManager, or its log says which of"
              + " Charon's properties is wrong");
    }
  }

  private void status(
      CharonNodes.Joined parts, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Answers.body(
        request,
        response,
        "application/json; charset=utf-8",
        parts.node().statusJson().getBytes(StandardCharsets.UTF_8));
  }

  private void metrics(
      CharonNodes.Joined parts, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    PrometheusText text = parts.node().metricsText();
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    text.write(body);
    Answers.body(request, response, text.contentType(), body.toByteArray());
  }

  private void events(
      CharonNodes.Joined parts, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if ("HEAD".equals(request.getMethod())) {
      response.setContentType("text/event-stream; charset=utf-8");
    } else if (!streams.open(request, response)) {
      response.setHeader("Retry-After", "5");
      Answers.refuse(
          request,
          response,
          HttpServletResponse.SC_SERVICE_UNAVAILABLE,
          MOST_LISTENERS
              + " browsers listen to this node already; close one, or ask for /charon/status");
    }
  }
}
