/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web.http;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends a request and waits for its response, bounded in size and time. Authenticates itself if the
 * server demands it.
 */
public final class BoundedClient {
  private final WebAccess access;
  private final Duration connecting;
  private final Duration answering;
  private final int mostBytes;
  private final HttpClient plain;
  private HttpClient secure;

  BoundedClient(WebAccess access, Duration connecting, Duration answering, int mostBytes) {
    this.access = access;
    this.connecting = connecting;
    this.answering = answering;
    this.mostBytes = mostBytes;
    this.plain = builder().build();
  }

  private HttpClient.Builder builder() {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .connectTimeout(connecting)
        .followRedirects(HttpClient.Redirect.NEVER);
  }

  /**
   * Sends a request.
   *
   * @param request the request; its timeout is set here
   * @return the body of a response with status 200
   * @throws AccessException if this process and the server do not trust each other
   * @throws IOException if there is no response; the message says why, and the cause is the failure
   *     of the connection
   */
  public byte[] send(HttpRequest.Builder request) throws IOException, InterruptedException {
    URI asked = request.timeout(answering).build().uri();
    HttpResponse<byte[]> response = answer(withSession(request, access.session(asked)));
    if (demandsAuthentication(response)) {
      String session = access.newSession(asked, connecting.plus(answering));
      response = answer(withSession(request, Optional.of(session)));
    }
    if (response.statusCode() != HttpURLConnection.HTTP_OK) {
      throw Failures.status(response.statusCode(), response.body());
    }
    return response.body();
  }

  private static HttpRequest withSession(HttpRequest.Builder request, Optional<String> session) {
    session.ifPresent(value -> request.setHeader("Cookie", "hadoop.auth=" + value));
    return request.build();
  }

  private static boolean demandsAuthentication(HttpResponse<byte[]> response) {
    return response.statusCode() == HttpURLConnection.HTTP_UNAUTHORIZED
        && response.headers().allValues("WWW-Authenticate").stream()
            .anyMatch(way -> way.regionMatches(true, 0, "Negotiate", 0, "Negotiate".length()));
  }

  /**
   * The request's own timeout ends with the first line of the response; this one bounds the
   * complete response.
   */
  private HttpResponse<byte[]> answer(HttpRequest request)
      throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<byte[]>> answer =
        client(request.uri())
            .sendAsync(
                request,
                head -> new BoundedBody(mostBytes, head.statusCode() != HttpURLConnection.HTTP_OK));
    try {
      return answer.get(connecting.plus(answering).toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw Failures.unanswered(request.uri(), e.getCause());
    } catch (TimeoutException e) {
      throw Failures.unanswered(request.uri(), e);
    } finally {
      answer.cancel(true);
    }
  }

  private synchronized HttpClient client(URI server) throws IOException {
    if (!"https".equals(server.getScheme())) {
      return plain;
    }
    if (secure == null) {
      secure = builder().sslContext(access.trust()).build();
    }
    return secure;
  }
}
