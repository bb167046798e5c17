/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.killer.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the client against helpers that misbehave. */
class HelperConnectionTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final String LOADED =
      "{\"protocol\":2,\"loadedNanos\":%d,\"tier\":1,\"reason\":\"fine\",\"domains\":[]}\n";

  @TempDir Path directory;
  private Path socket;
  private ServerSocketChannel server;

  @BeforeEach
  void listen() throws IOException {
    socket = directory.resolve("socket");
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket));
  }

  @AfterEach
  void close() throws IOException {
    server.close();
  }

  @Test
  void saysThatNothingIsLoaded() throws Exception {
    assertThatThrownBy(() -> KernelKiller.open(directory.resolve("none"), TIMEOUT))
        .isInstanceOf(KernelKillerException.class)
        .hasMessageContaining("no process serves " + directory + "/none")
        .hasMessageContaining("not loaded, or its helper is not running");
    server.close();
    assertThat(Files.exists(socket)).as("a killed helper leaves its socket").isTrue();
    assertThatThrownBy(() -> KernelKiller.open(socket, TIMEOUT))
        .hasMessageContaining("Connection refused");
    assertThatThrownBy(() -> KernelKiller.open(directory.resolve("x".repeat(200)), TIMEOUT))
        .isInstanceOf(KernelKillerException.class);
  }

  @Test
  void noticesThatAnotherKillerWasLoaded() throws Exception {
    answer(LOADED.formatted(1), LOADED.formatted(1), LOADED.formatted(2));
    try (KernelKiller killer = KernelKiller.open(socket, TIMEOUT)) {
      assertThat(killer.isCurrent()).isTrue();
      assertThat(killer.isCurrent()).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ar-EG-u-nu-arab", "hi-IN-u-nu-deva"})
  void theHelperUnderstandsEveryLanguage(String language) throws Exception {
    String start = LOADED.formatted(1);
    List<String> requests = new CopyOnWriteArrayList<>();
    serve(
        client -> {
          requests.add(read(client));
          write(client, start);
          for (String answer : List.of("{}\n", "{\"moved\":1}\n")) {
            requests.add(read(client));
            write(client, answer);
          }
        },
        true);
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag(language));
    try (KernelKiller killer = KernelKiller.open(socket, TIMEOUT)) {
      killer.update(7, Map.of(12L, new ContainerRegistration(34, 1000, 0)), List.of(78L));
      killer.move(7, 12);
    } finally {
      Locale.setDefault(before);
    }
    assertThat(requests)
        .containsExactly("domains", "update 7 -78 +12:34:1000:0", "move 12 --domain 7");
  }

  @Test
  void refusesAHelperOfAnotherVersionWithTheCure() {
    for (String other :
        List.of("{\"protocol\":1}\n", "{\"error\":\"domains: give register\",\"exitCode\":2}\n")) {
      answer(other);
      assertThatThrownBy(() -> KernelKiller.open(socket, TIMEOUT))
          .hasMessageContaining("install the ua-killer that came with this release");
    }
  }

  @Test
  void aRefusedCallerLearnsWhyAlthoughTheHelperHangsUp() {
    for (int i = 0; i < 50; i++) {
      serve(
          client -> write(client, "{\"error\":\"process 7 is refused\",\"exitCode\":4}\n"), false);
      assertThatThrownBy(() -> KernelKiller.open(socket, TIMEOUT))
          .hasMessage("process 7 is refused")
          .matches(e -> ((KernelKillerException) e).refused());
    }
  }

  @Test
  void anInterruptedThreadKeepsTheConnectionThatOthersUse() throws Exception {
    String answer = LOADED.formatted(1);
    serve(
        client -> {
          for (int i = 0; i < 3; i++) {
            read(client);
            Thread.sleep(50);
            write(client, answer);
          }
        },
        true);
    try (KernelKiller killer = KernelKiller.open(socket, TIMEOUT)) {
      Thread.currentThread().interrupt();
      assertThat(killer.isCurrent()).isTrue();
      assertThat(Thread.interrupted()).as("the interrupt takes effect after the answer").isTrue();
      assertThat(killer.isCurrent()).isTrue();
      assertThat(Thread.interrupted()).isFalse();
    }
  }

  @Test
  void anAnswerInPiecesIsOneAnswer() throws Exception {
    String answer = LOADED.formatted(1);
    serve(
        client -> {
          read(client);
          write(client, answer.substring(0, 20));
          Thread.sleep(20);
          write(client, answer.substring(20));
        },
        true);
    KernelKiller.open(socket, TIMEOUT).close();
  }

  @Test
  void nothingButWholeAnswersIsBelieved() {
    for (String broken : List.of("", "{\"protocol\":2", "}\n", "\n")) {
      serve(
          client -> {
            read(client);
            write(client, broken);
          },
          false);
      assertThatThrownBy(() -> KernelKiller.open(socket, TIMEOUT))
          .isInstanceOf(KernelKillerException.class);
    }
  }

  @Test
  void anEndlessAnswerIsNotRead() {
    serve(
        client -> {
          read(client);
          while (true) {
            write(client, " ".repeat(1 << 16));
          }
        },
        true);
    assertThatThrownBy(() -> KernelKiller.open(socket, TIMEOUT))
        .hasMessageContaining("longer than");
  }

  @Test
  void slowAnswersShareOnePatienceUntilTheNextLook() throws Exception {
    serve(
        client -> {
          for (int i = 0; i < 3; i++) {
            read(client);
            write(client, LOADED.formatted(1));
          }
          while (true) {
            read(client);
            Thread.sleep(40);
            write(client, "{\"samples\":[]}\n");
          }
        },
        true);
    try (KernelKiller killer = KernelKiller.open(socket, Duration.ofMillis(500))) {
      assertThat(killer.isCurrent()).isTrue();
      assertThat(killer.isCurrent()).isTrue();
      long began = System.nanoTime();
      assertThatThrownBy(
              () -> {
                while (true) {
                  killer.samples(1);
                }
              })
          .hasMessageContaining("no answer within 500 ms");
      assertThat(Duration.ofNanos(System.nanoTime() - began))
          .isBetween(Duration.ofMillis(400), Duration.ofMillis(2000));
    }
  }

  @Test
  void manyPromptAnswersAreNotAHelperThatHangs() throws Exception {
    serve(
        client -> {
          read(client);
          write(client, LOADED.formatted(1));
          while (true) {
            read(client);
            Thread.sleep(5);
            write(client, "{\"samples\":[]}\n");
          }
        },
        true);
    try (KernelKiller killer = KernelKiller.open(socket, Duration.ofMillis(500))) {
      for (int i = 0; i < 120; i++) { // more than the timeout in sum
        assertThat(killer.samples(1)).isEmpty();
      }
    }
  }

  @Test
  void aHelperThatAcceptsNoConnectionBlocksNoCaller() throws Exception {
    for (int i = 0; i < 200; i++) { // more than fit into any queue
      assertThatThrownBy(() -> KernelKiller.open(socket, Duration.ofMillis(1)))
          .isInstanceOf(KernelKillerException.class);
    }
  }

  private void answer(String... answers) {
    serve(
        client -> {
          for (String answer : answers) {
            read(client);
            write(client, answer);
          }
        },
        true);
  }

  @FunctionalInterface
  private interface Manner {
    void with(SocketChannel client) throws IOException, InterruptedException;
  }

  /** Serves the next client, and then stays connected until the client leaves, or disconnects. */
  private void serve(Manner manner, boolean stay) {
    Thread thread =
        new Thread(
            () -> {
              try (SocketChannel client = server.accept()) {
                manner.with(client);
                if (stay) {
                  read(client);
                }
              } catch (IOException | InterruptedException e) {
                return; // the client left, which the test notices
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  private static String read(SocketChannel client) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    ByteBuffer one = ByteBuffer.allocate(1);
    while (client.read(one) > 0 && one.get(0) != '\n') {
      line.write(one.get(0));
      one.clear();
    }
    return line.toString(StandardCharsets.UTF_8);
  }

  private static void write(SocketChannel client, String text) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      client.write(bytes);
    }
  }
}
