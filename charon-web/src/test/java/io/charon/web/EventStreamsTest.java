/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Streams events to real sockets, on the web server that Hadoop uses. */
class EventStreamsTest {
  private static final int MAX = 4;
  private static final int MAX_OF_CLIENT = 3;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static final String LARGE = "x".repeat(1 << 20);

  /** More bytes than the kernel buffers for a client that does not read. */
  private static final long ENOUGH = 64 << 20;

  private final AtomicInteger made = new AtomicInteger();
  private final AtomicLong nanoTime = new AtomicLong(System.nanoTime());
  private final AtomicReference<Error> fault = new AtomicReference<>();
  private volatile Optional<String> text = Optional.of("{\"n\":1}");
  private final EventStreams streams =
      new EventStreams(
          () -> {
            made.incrementAndGet();
            Error thrown = fault.getAndSet(null);
            if (thrown != null) {
              throw thrown;
            }
            return text;
          },
          Duration.ofMillis(20),
          MAX,
          MAX_OF_CLIENT,
          nanoTime::get);
  private final Server server = new Server(0);
  private final List<Socket> sockets = new ArrayList<>();

  private final class StreamServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      if (!streams.open(request, response)) {
        Responses.refuse(request, response, 503, "full");
      }
    }
  }

  @BeforeEach
  void serve() throws Exception {
    ServletContextHandler context = new ServletContextHandler();
    context.addServlet(new ServletHolder(new StreamServlet()), "/*");
    server.setHandler(context);
    server.start();
  }

  @AfterEach
  void stop() throws Exception {
    streams.close();
    for (Socket socket : sockets) {
      socket.close();
    }
    server.stop();
  }

  @Test
  void everyListenerGetsTheTextThatIsMadeOnce() throws Exception {
    BufferedReader one = reader(connect());
    BufferedReader two = reader(connect());
    awaitEvent(one, "data: {\"n\":1}");
    awaitEvent(two, "data: {\"n\":1}");
    text = Optional.of("{\"n\":2}");
    awaitEvent(one, "data: {\"n\":2}");
    awaitEvent(two, "data: {\"n\":2}");
    assertThat(streams.listeners()).isEqualTo(2);
  }

  @Test
  void nothingIsProducedWithoutAListener() throws Exception {
    Thread.sleep(200);
    assertThat(made).hasValue(0);
    Socket socket = connect();
    awaitEvent(reader(socket), "data: {\"n\":1}");
    socket.close();
    await(() -> streams.listeners() == 0);
    int before = made.get();
    Thread.sleep(200);
    assertThat(made.get()).isLessThanOrEqualTo(before + 1);
  }

  @Test
  void oneMoreThanTheBoundIsRefusedUntilAnotherGoes() throws Exception {
    List<Socket> listening = new ArrayList<>();
    for (int i = 0; i < MAX; i++) {
      listening.add(connect("127.0.1." + i));
      awaitEvent(reader(listening.get(i)), "data: {\"n\":1}");
    }
    assertThat(reader(connect()).readLine()).contains(" 503 ");
    listening.get(0).close();
    await(() -> streams.listeners() < MAX);
    awaitEvent(reader(connect()), "data: {\"n\":1}");
  }

  @Test
  void oneClientCannotTakeAllPlaces() throws Exception {
    List<Socket> listening = new ArrayList<>();
    for (int i = 0; i < MAX_OF_CLIENT; i++) {
      listening.add(connect());
      awaitEvent(reader(listening.get(i)), "data: {\"n\":1}");
    }
    assertThat(reader(connect()).readLine()).contains(" 503 ");
    awaitEvent(reader(connect("127.0.1.1")), "data: {\"n\":1}");
    listening.get(0).close();
    await(() -> streams.listeners() == MAX_OF_CLIENT);
    awaitEvent(reader(connect()), "data: {\"n\":1}");
  }

  @Test
  void aLongLivedListenerMustReconnect() throws Exception {
    BufferedReader one = reader(connect());
    awaitEvent(one, "data: {\"n\":1}");
    nanoTime.addAndGet(EventStreams.LIFE.toNanos());
    text = Optional.of("{\"n\":2}");
    awaitEvent(one, "data: {\"n\":2}");
    nanoTime.addAndGet(Duration.ofSeconds(1).toNanos());
    readToTheEnd(one);
    await(() -> streams.listeners() == 0);
  }

  @Test
  void aSlowReaderIsDroppedAndDelaysNoOther() throws Exception {
    Socket slow = connect();
    awaitEvent(reader(slow), "data: {\"n\":1}");
    Drain quick = new Drain(connect());
    text = Optional.of(LARGE);
    await(() -> quick.read() > ENOUGH);
    text = Optional.of("{\"n\":3}");
    await(() -> quick.newest().contains("data: {\"n\":3}\n\n"));
    assertThat(streams.listeners()).isEqualTo(2);
    nanoTime.addAndGet(EventStreams.TIMEOUT.plusSeconds(1).toNanos());
    await(() -> streams.listeners() == 1);
    text = Optional.of("{\"n\":4}");
    await(() -> quick.newest().contains("data: {\"n\":4}\n\n"));
  }

  /** Reads everything that arrives. */
  private static final class Drain {
    private final AtomicLong read = new AtomicLong();
    private volatile String newest = "";

    Drain(Socket socket) {
      Thread thread = new Thread(() -> drain(socket), "drain");
      thread.setDaemon(true);
      thread.start();
    }

    private void drain(Socket socket) {
      byte[] buffer = new byte[1 << 16];
      try {
        int length = socket.getInputStream().read(buffer);
        while (length >= 0) {
          newest = new String(buffer, 0, length, StandardCharsets.UTF_8);
          read.addAndGet(length);
          length = socket.getInputStream().read(buffer);
        }
      } catch (IOException e) {
        // The test has ended.
      }
    }

    long read() {
      return read.get();
    }

    String newest() {
      return newest;
    }
  }

  @Test
  void streamsEndWithTheNode() throws Exception {
    BufferedReader one = reader(connect());
    awaitEvent(one, "data: {\"n\":1}");
    text = Optional.empty();
    readToTheEnd(one);
    await(() -> streams.listeners() == 0);
  }

  @Test
  void streamsEndWithTheWebServerAndNoneStartsAfterwards() throws Exception {
    BufferedReader one = reader(connect());
    awaitEvent(one, "data: {\"n\":1}");
    streams.close();
    readToTheEnd(one);
    readToTheEnd(reader(connect()));
    assertThat(streams.listeners()).isZero();
  }

  @Test
  void aFailureOfTheSourceCostsOneEvent() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    try (EventStreams failing =
        new EventStreams(
            () -> {
              if (calls.incrementAndGet() < 3) {
                throw new IllegalStateException("wanted by the test");
              }
              return Optional.of("good");
            },
            Duration.ofMillis(20),
            1,
            1,
            nanoTime::get)) {
      Server other = new Server(0);
      ServletContextHandler context = new ServletContextHandler();
      context.addServlet(
          new ServletHolder(
              new HttpServlet() {
                private static final long serialVersionUID = 1;

                @Override
                protected void doGet(HttpServletRequest request, HttpServletResponse response)
                    throws IOException {
                  failing.open(request, response);
                }
              }),
          "/*");
      other.setHandler(context);
      other.start();
      try {
        awaitEvent(reader(connect(other)), "data: good");
      } finally {
        other.stop();
      }
    }
  }

  @Test
  void anErrorOfTheSourceCostsOneEventToo() throws Exception {
    BufferedReader one = reader(connect());
    awaitEvent(one, "data: {\"n\":1}");
    fault.set(new NoClassDefFoundError("wanted by the test"));
    await(() -> fault.get() == null);
    text = Optional.of("{\"n\":2}");
    awaitEvent(one, "data: {\"n\":2}");
  }

  @Test
  void anErrorOfTheVirtualMachineReachesTheHandlerThatEndsTheDaemon() throws Exception {
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    List<Throwable> ended = new CopyOnWriteArrayList<>();
    Error error = new OutOfMemoryError("wanted by the test");
    try {
      Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> ended.add(thrown));
      fault.set(error);
      awaitEvent(reader(connect()), "data: {\"n\":1}");
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
    assertThat(ended).containsExactly(error);
  }

  private Socket connect() throws IOException {
    return connect(server);
  }

  /** Connects from another address of this machine. */
  private Socket connect(String from) throws IOException {
    return connect(server, InetAddress.getByName(from));
  }

  private Socket connect(Server to) throws IOException {
    return connect(to, InetAddress.getLoopbackAddress());
  }

  private Socket connect(Server to, InetAddress from) throws IOException {
    Socket socket =
        new Socket(
            InetAddress.getLoopbackAddress(),
            ((ServerConnector) to.getConnectors()[0]).getLocalPort(),
            from,
            0);
    sockets.add(socket);
    socket.setSoTimeout((int) LIMIT.toMillis());
    socket
        .getOutputStream()
        .write(
            "GET / HTTP/1.1\r\nHost: node\r\nConnection: close\r\n\r\n"
                .getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private static BufferedReader reader(Socket socket) throws IOException {
    return new BufferedReader(
        new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
  }

  private static void awaitEvent(BufferedReader reader, String event) throws IOException {
    String line = reader.readLine();
    while (line != null && !line.equals(event)) {
      line = reader.readLine();
    }
    assertThat(line).as("an event before the end of the stream").isNotNull();
  }

  /** The last chunk of a response has length 0. */
  private static void readToTheEnd(BufferedReader reader) throws IOException {
    String line = reader.readLine();
    while (line != null && !line.equals("0")) {
      line = reader.readLine();
    }
  }

  private static void await(Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!condition.call()) {
      assertThat(System.nanoTime()).as("time").isLessThan(end);
      Thread.sleep(10);
    }
  }
}
