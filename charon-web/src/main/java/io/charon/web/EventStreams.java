/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.servlet.AsyncContext;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the same text to everybody who listens, once per period, as server-sent events. It is made
 * once for all of them, and not at all while nobody listens. Listeners are bounded in number, and
 * one that does not keep up is dropped.
 */
public final class EventStreams implements AutoCloseable {
  /** How long a listener may take for one event (ours): a phone that changes its network. */
  static final Duration TIMEOUT = Duration.ofSeconds(10);

  /**
   * After which a listener must ask again (ours), as a browser does by itself: whether it may
   * listen is looked at only when it asks.
   */
  static final Duration LIFE = Duration.ofHours(1);

  private static final Logger LOG = LoggerFactory.getLogger(EventStreams.class);

  private final Supplier<Optional<String>> source;
  private final Duration period;
  private final LongSupplier nanoTime;
  private final Places places;
  private final Set<EventStream> streams = ConcurrentHashMap.newKeySet();
  private final ScheduledThreadPoolExecutor timer;
  private Future<?> ticking;
  private boolean closed;
  private volatile byte[] latest;

  /**
   * Creates streams without a listener.
   *
   * @param source the text to send, one line; nothing if there will be no more
   * @param period between two events
   * @param most listeners at a time
   * @param mostOfClient of them from one address
   * @param nanoTime a clock that never goes back
   */
  public EventStreams(
      Supplier<Optional<String>> source,
      Duration period,
      int most,
      int mostOfClient,
      LongSupplier nanoTime) {
    this.source = source;
    this.period = period;
    this.nanoTime = nanoTime;
    this.places = new Places(most, mostOfClient);
    this.timer =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "charon-page-events");
              thread.setDaemon(true);
              return thread;
            });
    timer.setRemoveOnCancelPolicy(true);
    timer.setKeepAliveTime(1, TimeUnit.MINUTES);
    timer.allowCoreThreadTimeOut(true);
  }

  /**
   * Lets a client listen, until either side ends it.
   *
   * @param request of a servlet that supports asynchronous answers
   * @return whether there was a place
   */
  public boolean open(HttpServletRequest request, HttpServletResponse response) throws IOException {
    String client = request.getRemoteAddr();
    if (!places.take(client)) {
      return false;
    }
    boolean opened = false;
    try {
      response.setContentType("text/event-stream; charset=utf-8");
      AsyncContext context = request.startAsync(request, response);
      context.setTimeout(0);
      EventStream[] self = new EventStream[1];
      EventStream stream =
          new EventStream(
              context,
              response.getOutputStream(),
              nanoTime.getAsLong(),
              () -> remove(self[0], client));
      self[0] = stream;
      context.addListener(stream);
      streams.add(stream);
      opened = true;
      byte[] first = latest;
      if (first != null) {
        stream.offer(first, nanoTime.getAsLong(), TIMEOUT);
      }
      response.getOutputStream().setWriteListener(stream);
      if (!keepTime()) {
        stream.end();
      }
      return true;
    } finally {
      if (!opened) {
        places.giveBack(client);
      }
    }
  }

  private void remove(EventStream stream, String client) {
    if (streams.remove(stream)) {
      places.giveBack(client);
      keepTime();
    }
  }

  /** Listeners at this moment. */
  public int listeners() {
    return streams.size();
  }

  /**
   * Ticks while somebody listens.
   *
   * @return whether there will be events
   */
  private synchronized boolean keepTime() {
    if (closed) {
      return false;
    }
    if (streams.isEmpty()) {
      if (ticking != null) {
        ticking.cancel(false);
        ticking = null;
      }
      latest = null;
    } else if (ticking == null) {
      ticking =
          timer.scheduleWithFixedDelay(this::tick, 0, period.toMillis(), TimeUnit.MILLISECONDS);
    }
    return true;
  }

  private void tick() {
    try {
      Optional<String> text = source.get();
      if (text.isEmpty()) {
        streams.forEach(EventStream::end);
        return;
      }
      byte[] event = event(text.get());
      latest = event;
      long now = nanoTime.getAsLong();
      for (EventStream stream : streams) {
        if (stream.isOlderThan(LIFE, now)) {
          stream.end();
        } else {
          stream.offer(event, now, TIMEOUT);
        }
      }
    } catch (RuntimeException e) {
      // An exception would end the ticks for all listeners to come.
      LOG.warn("an event of the web page failed", e);
    }
  }

  private static byte[] event(String text) {
    ByteArrayOutputStream event = new ByteArrayOutputStream(text.length() + 16);
    event.writeBytes("data: ".getBytes(StandardCharsets.US_ASCII));
    event.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    event.writeBytes("\n\n".getBytes(StandardCharsets.US_ASCII));
    return event.toByteArray();
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    timer.shutdownNow();
    streams.forEach(EventStream::end);
  }
}
