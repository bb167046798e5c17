/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** Reads a response, with or without a declared length, up to a maximum size. */
final class BoundedBody implements BodySubscriber<byte[]> {
  private final int mostBytes;
  private final boolean cut;
  private final CompletableFuture<byte[]> body = new CompletableFuture<>();
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private Flow.Subscription subscription;

  /**
   * Creates a subscriber that has read nothing yet.
   *
   * @param mostBytes maximum size of the response
   * @param cut whether a longer response is cut off; otherwise it is an error
   */
  BoundedBody(int mostBytes, boolean cut) {
    this.mostBytes = mostBytes;
    this.cut = cut;
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return body;
  }

  @Override
  public void onSubscribe(Flow.Subscription subscribed) {
    subscription = subscribed;
    subscribed.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    for (ByteBuffer buffer : buffers) {
      byte[] part = new byte[Math.min(buffer.remaining(), mostBytes - bytes.size())];
      boolean tooLong = buffer.remaining() > part.length;
      buffer.get(part);
      bytes.writeBytes(part);
      if (tooLong) {
        subscription.cancel();
        end();
        return;
      }
    }
  }

  private void end() {
    if (cut) {
      body.complete(bytes.toByteArray());
    } else {
      body.completeExceptionally(
          new IOException("the answer has more than " + mostBytes + " bytes"));
    }
  }

  @Override
  public void onError(Throwable failure) {
    body.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    body.complete(bytes.toByteArray());
  }
}
