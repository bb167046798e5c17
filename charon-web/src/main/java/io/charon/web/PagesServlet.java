/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
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
 * A page on a daemon's web server, with its files, {@code status} as JSON, and {@code events}, the
 * same JSON as server-sent events. Read-only. A user who may see Hadoop's {@code /jmx} may see it;
 * in a secured cluster, unauthenticated users may not.
 *
 * @param <S> what the page shows
 */
public abstract class PagesServlet<S> extends HttpServlet {
  /**
   * Maximum number of event listeners, each of which is a browser window and costs a socket. Our
   * choice.
   */
  public static final int MAX_LISTENERS = 32;

  /**
   * Maximum number of listeners from one address: several windows, but not all slots. Our choice.
   */
  public static final int MAX_LISTENERS_OF_CLIENT = 8;

  private static final long serialVersionUID = 1;

  /**
   * The handler of a path, called after the request has been permitted.
   *
   * @param <S> what the page shows
   */
  protected interface Route<S> {
    void answer(S subject, HttpServletRequest request, HttpServletResponse response)
        throws IOException;
  }

  private final transient Map<String, Route<S>> routes = new LinkedHashMap<>();
  private transient PageFiles files;
  private transient EventStreams streams;

  /** Creates a page with only its files, {@code status} and {@code events}. */
  protected PagesServlet() {
    routes.put("status", this::status);
    routes.put("events", this::events);
  }

  /**
   * Adds a handler for a path.
   *
   * @param name the path, below the page's own
   */
  protected final void route(String name, Route<S> route) {
    routes.put(name, route);
  }

  /** What the page shows; empty if this daemon does not have it, or not at the moment. */
  protected abstract Optional<S> subject();

  /** Why there may be nothing to show, and the cure. */
  protected abstract String absence();

  /** The state as one line of JSON. */
  protected abstract String json(S subject);

  /** Time between two events. */
  protected abstract Duration period();

  @Override
  public void init() throws ServletException {
    try {
      files = new PageFiles(getClass());
    } catch (IOException e) {
      throw new ServletException(e);
    }
    streams =
        new EventStreams(
            () -> subject().map(this::json),
            period(),
            MAX_LISTENERS,
            MAX_LISTENERS_OF_CLIENT,
            System::nanoTime);
  }

  @Override
  public void destroy() {
    if (streams != null) {
      streams.close();
    }
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Responses.secure(response);
    if (Responses.options(request, response, "GET, HEAD")) {
      return;
    }
    String method = request.getMethod();
    if (!"GET".equals(method) && !"HEAD".equals(method)) {
      response.setHeader("Allow", "GET, HEAD, OPTIONS");
      Responses.refuse(
          request,
          response,
          HttpServletResponse.SC_METHOD_NOT_ALLOWED,
          "the pages of Charon are read-only: use GET");
      return;
    }
    Optional<String> refusal =
        PageAccess.refusal(configuration(), UserGroupInformation.isSecurityEnabled(), request);
    if (refusal.isPresent()) {
      Responses.refuse(request, response, HttpServletResponse.SC_FORBIDDEN, refusal.get());
      return;
    }
    if (HttpServer2.isInstrumentationAccessAllowed(getServletContext(), request, response)) {
      answer(request, response);
    }
  }

  /** The daemon's configuration. */
  protected final Configuration configuration() {
    return (Configuration) getServletContext().getAttribute(HttpServer2.CONF_CONTEXT_ATTRIBUTE);
  }

  private void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
    String path = request.getPathInfo();
    String own = request.getServletPath();
    if (path == null) {
      // The page's files are relative to its own path. So is this redirect, whatever prefix a proxy
      // has added.
      response.setStatus(HttpServletResponse.SC_FOUND);
      response.setHeader("Location", own.substring(own.lastIndexOf('/') + 1) + "/");
      return;
    }
    String name = path.substring(1);
    Optional<PageFiles.PageFile> file = files.find(name);
    Route<S> route = routes.get(name);
    if (file.isPresent()) {
      Responses.body(request, response, file.get().type(), file.get().body());
    } else if (route != null) {
      answer(route, request, response);
    } else {
      Responses.refuse(
          request,
          response,
          HttpServletResponse.SC_NOT_FOUND,
          "Charon has no such page; start at " + own + "/");
    }
  }

  private void answer(Route<S> route, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Optional<S> subject = subject();
    if (subject.isPresent()) {
      route.answer(subject.get(), request, response);
    } else {
      Responses.refuse(request, response, HttpServletResponse.SC_SERVICE_UNAVAILABLE, absence());
    }
  }

  private void status(S subject, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Responses.body(
        request,
        response,
        "application/json; charset=utf-8",
        json(subject).getBytes(StandardCharsets.UTF_8));
  }

  private void events(S subject, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if ("HEAD".equals(request.getMethod())) {
      response.setContentType("text/event-stream; charset=utf-8");
    } else if (!streams.open(request, response)) {
      response.setHeader("Retry-After", "5");
      Responses.refuse(
          request,
          response,
          HttpServletResponse.SC_SERVICE_UNAVAILABLE,
          "%d browsers already listen to this page, or %d from your address; close one, or ask for %s/status"
              .formatted(MAX_LISTENERS, MAX_LISTENERS_OF_CLIENT, request.getServletPath()));
    }
  }
}
