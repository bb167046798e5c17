/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.killer.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A connection to the helper's socket: sends requests as lines and reads the answers. A helper that
 * hangs or is slow costs a bounded time: all requests together wait no longer than the timeout,
 * until it is renewed. The time of a prompt answer does not count, so that many requests at once,
 * as when many containers start and end, do not pass for a helper that hangs. After a timeout or
 * any other failure, the connection cannot be used again.
 */
final class HelperConnection implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(HelperConnection.class.getName());
  private static final int LONGEST_ANSWER_BYTES = 16 << 20;
  private static final int BUFFER_BYTES = 64 << 10;
  private static final int PERMISSION = 4; // exit code of ua-killer

  /**
   * The part of each wait that does not count. On busy processors, 22 answers took 9 ms each:
   * client and helper both wait for a processor.
   */
  private static final long PROMPT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Path socket;
  private final Duration timeout;
  private final SocketChannel channel;
  private final Selector selector;
  private final ObjectMapper mapper = new ObjectMapper();
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
  private long nanosLeft;
  private int requests; // since the timeout was renewed
  private boolean interrupted; // while the lock is held

  private HelperConnection(Path socket, Duration timeout, SocketChannel channel)
      throws IOException {
    this.socket = socket;
    this.timeout = timeout;
    this.nanosLeft = timeout.toNanos();
    this.channel = channel;
    this.selector = channel.provider().openSelector();
    channel.register(selector, 0);
  }

  private static SocketChannel connect(Path socket) throws IOException {
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      channel.configureBlocking(false);
      if (!channel.connect(UnixDomainSocketAddress.of(socket))) {
        throw new IOException("too many connections are waiting for the helper");
      }
      return channel;
    } catch (IOException | IllegalArgumentException e) {
      channel.close();
      throw e;
    }
  }

  /**
   * Connects, without waiting.
   *
   * @param socket the socket of {@code ua-killer reap --socket}
   * @param timeout how long all requests together may wait, beyond 20 ms for each
   * @throws KernelKillerException if no process serves the socket, or this user may not connect
   */
  static HelperConnection open(Path socket, Duration timeout) throws KernelKillerException {
    try {
      SocketChannel channel = connect(socket);
      try {
        return new HelperConnection(socket, timeout, channel);
      } catch (IOException e) {
        channel.close();
        throw e;
      }
    } catch (IOException | IllegalArgumentException e) {
      if (Files.exists(socket) && !Files.isWritable(socket)) {
        throw KernelKillerException.refused(
            socket
                + ": permission denied; only the group given to `ua-killer load --group` may connect");
      }
      throw new KernelKillerException(
          "no process serves %s (%s): the kernel killer is not loaded, or its helper is not running"
              .formatted(socket, e.getMessage()),
          e);
    }
  }

  /** Renews the timeout, so that requests may wait for the whole timeout again. */
  synchronized void renewTimeout() {
    nanosLeft = timeout.toNanos();
    requests = 0;
  }

  /**
   * Sends one request and waits for its answer. An interrupt takes effect afterwards: the wait is
   * short, and the answer that comes later would break the connection of all other threads.
   *
   * @throws KernelKillerException with the helper's message if it refuses the request; for any
   *     other failure, and then the connection is closed
   */
  synchronized JsonNode ask(String request) throws KernelKillerException {
    long began = System.nanoTime();
    JsonNode answer;
    requests++;
    try {
      answer = exchange(request + "\n", began + PROMPT_NANOS + nanosLeft);
    } catch (IOException e) {
      close();
      throw new KernelKillerException(
          "the helper at %s: %s".formatted(socket, said(e, System.nanoTime() - began)), e);
    } finally {
      nanosLeft -= Math.max(0, System.nanoTime() - began - PROMPT_NANOS);
      if (interrupted) {
        interrupted = false;
        Thread.currentThread().interrupt();
      }
    }
    if (!answer.has("error")) {
      return answer;
    }
    String reason = answer.path("error").asText();
    throw answer.path("exitCode").asInt() == PERMISSION
        ? KernelKillerException.refused(reason)
        : new KernelKillerException(reason);
  }

  private String said(IOException e, long waitedNanos) {
    if (e instanceof SocketTimeoutException) {
      return "no answer within %d ms (requests since the last check: %d, the last one waited %d ms)"
          .formatted(timeout.toMillis(), requests, TimeUnit.NANOSECONDS.toMillis(waitedNanos));
    }
    if (e instanceof ClosedChannelException) {
      return "the connection was closed after an earlier failure";
    }
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  private JsonNode exchange(String request, long deadline) throws IOException {
    try {
      send(ByteBuffer.wrap(request.getBytes(StandardCharsets.UTF_8)), deadline);
    } catch (SocketTimeoutException e) {
      throw e;
    } catch (IOException e) { // the helper may have sent a reason before it hung up
      try {
        return receive(deadline);
      } catch (IOException nothingSaid) {
        throw e;
      }
    }
    return receive(deadline);
  }

  private void send(ByteBuffer bytes, long deadline) throws IOException {
    while (bytes.hasRemaining()) {
      if (channel.write(bytes) == 0) {
        await(SelectionKey.OP_WRITE, deadline);
      }
    }
  }

  private JsonNode receive(long deadline) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    while (true) {
      buffer.clear();
      int got = channel.read(buffer);
      if (got < 0) {
        throw new EOFException("the helper has exited or closed the connection");
      }
      if (got == 0) {
        await(SelectionKey.OP_READ, deadline);
        continue;
      }
      line.write(buffer.array(), 0, got);
      if (buffer.get(got - 1) == '\n') {
        return mapper.readTree(line.toByteArray());
      }
      if (line.size() > LONGEST_ANSWER_BYTES) {
        throw new IOException(
            "the helper's answer is longer than " + LONGEST_ANSWER_BYTES + " bytes");
      }
    }
  }

  private void await(int operation, long deadline) throws IOException {
    long nanos = deadline - System.nanoTime();
    if (nanos <= 0) {
      throw new SocketTimeoutException();
    }
    channel.keyFor(selector).interestOps(operation);
    selector.select(key -> {}, Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos)));
    interrupted |= Thread.interrupted(); // or the selector would not wait again
  }

  @Override
  public void close() {
    try {
      selector.close();
      channel.close();
    } catch (IOException e) {
      LOG.log(
          System.Logger.Level.DEBUG,
          "cannot close the connection to " + socket,
          e); // the connection is not used again
    }
  }
}
