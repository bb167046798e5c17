/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Writes complete responses, each with the headers that restrict what a browser may do with it. */
public final class Responses {
  private static final String TEXT = "text/plain; charset=utf-8";

  /** Everything comes from this web server, and no page may put it into a frame. */
  private static final String POLICY =
      "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none';"
          + " frame-ancestors 'none'";

  private Responses() {}

  /** Sets the headers of every response, including event streams and refusals. */
  public static void secure(HttpServletResponse response) {
    response.setHeader("Content-Security-Policy", POLICY);
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("X-Frame-Options", "DENY");
    response.setHeader("Referrer-Policy", "no-referrer");
    response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
    response.setHeader("Cache-Control", "no-store");
  }

  /**
   * Responds with a body or, to HEAD, with its headers only.
   *
   * @param type content type, with its character set
   */
  public static void body(
      HttpServletRequest request, HttpServletResponse response, String type, byte[] body)
      throws IOException {
    answer(request, response, HttpServletResponse.SC_OK, type, body);
  }

  /**
   * Responds to an OPTIONS request, with which clients of Hadoop authenticate before their real
   * request.
   *
   * @param request any request
   * @param allowed allowed methods besides OPTIONS
   * @return whether it was an OPTIONS request
   */
  public static boolean options(
      HttpServletRequest request, HttpServletResponse response, String allowed) {
    if (!"OPTIONS".equals(request.getMethod())) {
      return false;
    }
    response.setHeader("Allow", allowed + ", OPTIONS");
    response.setStatus(HttpServletResponse.SC_OK);
    response.setContentLength(0);
    return true;
  }

  /**
   * Refuses a request and states the reason.
   *
   * @param status HTTP status, 4xx or 5xx
   * @param reason the reason and the cure
   */
  public static void refuse(
      HttpServletRequest request, HttpServletResponse response, int status, String reason)
      throws IOException {
    answer(request, response, status, TEXT, (reason + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private static void answer(
      HttpServletRequest request,
      HttpServletResponse response,
      int status,
      String type,
      byte[] body)
      throws IOException {
    response.setStatus(status);
    response.setContentType(type);
    response.setContentLength(body.length);
    if (!"HEAD".equals(request.getMethod())) {
      response.getOutputStream().write(body);
    }
  }
}
