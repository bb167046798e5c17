/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web;

import java.io.IOException;
import java.time.Duration;
import javax.servlet.AsyncContext;
import javax.servlet.AsyncEvent;
import javax.servlet.AsyncListener;
import javax.servlet.ServletOutputStream;
import javax.servlet.WriteListener;

/**
 * One listener. It never blocks the sender: an event that it cannot accept yet is replaced by the
 * next one. The web server may reuse the connection for another request once this one is complete,
 * so nothing is written after that.
 */
final class EventStream implements WriteListener, AsyncListener {
  private final AsyncContext context;
  private final ServletOutputStream output;
  private final long openedNanos;
  private final Runnable onEnd;
  private byte[] waiting;
  private long waitingSinceNanos;
  private boolean unflushed;
  private boolean started;
  private boolean ended;

  /**
   * Creates a stream; {@link #onWritePossible} starts it.
   *
   * @param openedNanos when it was requested, by the clock of {@link #offer}
   * @param onEnd called once when it has ended, for any reason
   */
  EventStream(AsyncContext context, ServletOutputStream output, long openedNanos, Runnable onEnd) {
    this.context = context;
    this.output = output;
    this.openedNanos = openedNanos;
    this.onEnd = onEnd;
  }

  /** Whether it was requested longer ago than this. */
  boolean isOlderThan(Duration life, long nowNanos) {
    return nowNanos - openedNanos > life.toNanos();
  }

  /**
   * Sends an event as soon as the listener accepts it.
   *
   * @param event the bytes to send
   * @param nowNanos time of a monotonic clock
   * @param timeout how long a listener may take for one event; a slower one is dropped
   */
  void offer(byte[] event, long nowNanos, Duration timeout) {
    boolean drop;
    synchronized (this) {
      if (ended) {
        return;
      }
      drop = waiting != null && nowNanos - waitingSinceNanos > timeout.toNanos();
      if (!drop) {
        if (waiting == null) {
          waitingSinceNanos = nowNanos;
        }
        waiting = event;
        drop = started && !proceed();
      }
    }
    if (drop) {
      end();
    }
  }

  /** Ends the stream; the browser reconnects after a while. */
  void end() {
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
    }
    try {
      context.complete();
    } catch (IllegalStateException e) {
      // The web server has already ended it.
    }
    onEnd.run();
  }

  @Override
  public void onWritePossible() {
    boolean failed;
    synchronized (this) {
      started = true;
      failed = !ended && !proceed();
    }
    if (failed) {
      end();
    }
  }

  /**
   * Writes as much as possible without blocking.
   *
   * @return whether the listener is still connected
   */
  private boolean proceed() {
    try {
      while ((waiting != null || unflushed) && output.isReady()) {
        if (waiting != null) {
          byte[] event = waiting;
          waiting = null;
          unflushed = true;
          output.write(event);
        } else {
          unflushed = false;
          output.flush();
        }
      }
      return true;
    } catch (IOException | IllegalStateException e) {
      return false;
    }
  }

  @Override
  public void onError(Throwable problem) {
    end();
  }

  @Override
  public void onError(AsyncEvent event) {
    end();
  }

  @Override
  public void onComplete(AsyncEvent event) {
    end();
  }

  @Override
  public void onTimeout(AsyncEvent event) {
    end();
  }

  @Override
  public void onStartAsync(AsyncEvent event) {}
}
