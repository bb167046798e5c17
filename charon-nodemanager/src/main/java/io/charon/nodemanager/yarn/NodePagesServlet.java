/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import io.charon.nodemanager.report.metrics.PrometheusText;
import io.charon.web.PagesServlet;
import io.charon.web.Responses;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** The pages of a node below {@code /charon/} on its NodeManager's web server. */
public final class NodePagesServlet extends PagesServlet<CharonNodes.Joined> {
  static final String PATHS = "/charon/*";

  private static final long serialVersionUID = 1;
  private static final Duration DEFAULT_PERIOD = Duration.ofSeconds(1);

  /** With a longer period the page would take its silence for a lost connection (our choice). */
  private static final Duration MAX_PERIOD = Duration.ofSeconds(5);

  /** Creates the pages and the metrics next to them. */
  public NodePagesServlet() {
    route("metrics", NodePagesServlet::metrics);
  }

  @Override
  protected Optional<CharonNodes.Joined> subject() {
    return CharonNodes.current();
  }

  @Override
  protected String absence() {
    return "this process runs no Charon node: it is not a NodeManager, or one of Charon's properties"
        + " is wrong, which its log names";
  }

  @Override
  protected String json(CharonNodes.Joined parts) {
    return parts.node().statusJson();
  }

  @Override
  protected Duration period() {
    return CharonNodes.current()
        .map(parts -> parts.node().settings().sensors().tick())
        .map(tick -> tick.compareTo(MAX_PERIOD) < 0 ? tick : MAX_PERIOD)
        .orElse(DEFAULT_PERIOD);
  }

  private static void metrics(
      CharonNodes.Joined parts, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    PrometheusText text = parts.node().metricsText();
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    text.write(body);
    Responses.body(request, response, text.contentType(), body.toByteArray());
  }
}
