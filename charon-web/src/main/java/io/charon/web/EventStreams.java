/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web;

import io.charon.web.threads.DaemonThreads;
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
 * Sends the same text to all listeners once per period, as server-sent events. The text is created
 * once for all of them, and never while there is no listener. The number of listeners is bounded,
 * and a listener that is too slow is dropped.
 */
public final class EventStreams implements AutoCloseable {
  /**
   * How long a listener may take for one event, for example a phone that changes its network. Our
   * choice.
   */
  static final Duration TIMEOUT = Duration.ofSeconds(10);

  /**
   * Time after which a listener must reconnect, as browsers do automatically, because its
   * permission is checked only on connection. Our choice.
   */
  static final Duration LIFE = Duration.ofHours(1);

  private static final Logger LOG = LoggerFactory.getLogger(EventStreams.class);

  private final Supplier<Optional<String>> source;
  private final Duration period;
  private final LongSupplier nanoTime;
  private final ListenerSlots places;
  private final Set<EventStream> streams = ConcurrentHashMap.newKeySet();
  private final ScheduledThreadPoolExecutor timer;
  private Future<?> ticking;
  private boolean closed;
  private volatile byte[] latest;

  /**
   * Creates streams without a listener.
   *
   * @param source the text to send, one line; empty if there will be no more
   * @param period time between two events
   * @param most maximum number of listeners
   * @param mostOfClient maximum number of listeners from one address
   * @param nanoTime a monotonic clock
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
    this.places = new ListenerSlots(most, mostOfClient);
    this.timer = new ScheduledThreadPoolExecutor(1, DaemonThreads.named("charon-page-events"));
    timer.setRemoveOnCancelPolicy(true);
    timer.setKeepAliveTime(1, TimeUnit.MINUTES);
    timer.allowCoreThreadTimeOut(true);
  }

  /**
   * Adds a client as a listener until either side ends the stream.
   *
   * @param request request to a servlet that supports asynchronous responses
   * @return whether there was a free slot
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
      if (!updateTimer()) {
        stream.end();
      }
      return true;
    } finally {
      if (!opened) {
        places.release(client);
      }
    }
  }

  private void remove(EventStream stream, String client) {
    if (streams.remove(stream)) {
      places.release(client);
      updateTimer();
    }
  }

  /** The current number of listeners. */
  public int listeners() {
    return streams.size();
  }

  /**
   * Starts the timer if there is a listener, and stops it otherwise.
   *
   * @return whether there will be events
   */
  private synchronized boolean updateTimer() {
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
    } catch (VirtualMachineError e) {
      // The state of this process is no longer reliable; the daemon's handler ends it.
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
    } catch (RuntimeException | Error e) {
      // Either would end the ticks for all later listeners.
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
