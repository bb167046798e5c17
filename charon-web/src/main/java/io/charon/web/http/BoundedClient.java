/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web.http;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Sends one request, and waits for one answer of bounded length for a bounded time. */
public final class BoundedClient {
  private static final int LONGEST_REASON = 200;

  private final Duration patience;
  private final int mostBytes;
  private final HttpClient client;

  /**
   * A client. Redirects are not followed: a ResourceManager that is not the active one sends them.
   *
   * @param patience for connecting, and again for the whole answer
   * @param mostBytes of an answer
   */
  public BoundedClient(Duration patience, int mostBytes) {
    this.patience = patience;
    this.mostBytes = mostBytes;
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(patience)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
  }

  /**
   * Sends a request.
   *
   * @param request what is asked; its timeout is set here
   * @return the body of an answer with status 200
   * @throws IOException saying why there is no answer; of the kind that the connection failed with
   */
  public byte[] send(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpResponse<byte[]> response = answer(request.timeout(patience).build());
    if (response.statusCode() != HttpURLConnection.HTTP_OK) {
      throw new IOException("status " + response.statusCode() + reason(response.body()));
    }
    return response.body();
  }

  /** The request's own timeout ends with the answer's first line; this bounds all of it. */
  private HttpResponse<byte[]> answer(HttpRequest request)
      throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<byte[]>> answer = client.sendAsync(request, bounded());
    try {
      return answer.get(2 * patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().toString(), e.getCause());
    } catch (TimeoutException e) {
      throw new IOException("no answer within " + patience.multipliedBy(2), e);
    } finally {
      answer.cancel(true);
    }
  }

  /** An answer of unknown or too large a size is not read. */
  private BodyHandler<byte[]> bounded() {
    return info ->
        info.headers().firstValueAsLong("Content-Length").orElse(Long.MAX_VALUE) <= mostBytes
            ? BodySubscribers.ofByteArray()
            : BodySubscribers.replacing(new byte[0]);
  }

  private static String reason(byte[] body) {
    String text = new String(body, StandardCharsets.UTF_8).replaceAll("[^ -~]+", " ").strip();
    return text.isEmpty() ? "" : ": " + text.substring(0, Math.min(text.length(), LONGEST_REASON));
  }
}
