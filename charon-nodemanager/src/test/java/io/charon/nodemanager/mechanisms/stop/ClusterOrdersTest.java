/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.stop;

import static io.charon.nodemanager.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;

import io.charon.core.stop.StopAction;
import io.charon.core.stop.StopOrder;
import io.charon.nodemanager.config.StopSettings;
import io.charon.web.stop.StopFile;
import io.charon.web.stop.StopMessages;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests two ResourceManagers, each with its own file, on a virtual clock. */
class ClusterOrdersTest {
  private static final URI FIRST = URI.create("http://rm1:8088");
  private static final URI SECOND = URI.create("http://rm2:8088");
  private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");

  @TempDir private Path directory;
  private final Map<URI, StopOrder> said = new HashMap<>();
  private final Map<URI, StopFile.State> unusable = new HashMap<>();
  private Instant now = NOON;
  private final Clock clock =
      new Clock() {
        @Override
        public Instant instant() {
          return now;
        }

        @Override
        public ZoneId getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
          return this;
        }
      };
  private ClusterOrders orders;

  @AfterEach
  void end() {
    orders.close();
  }

  @Test
  void oneHostsWordStopsAndOneHostsNewerWordResumes() {
    start();
    said.put(FIRST, StopOrder.never());
    said.put(SECOND, StopOrder.never());
    ask();
    assertThat(orders.order().stops()).isFalse();
    said.put(FIRST, order(StopAction.LEAVE, 0));
    ask();
    assertThat(orders.order().stops()).isTrue();
    assertThat(orders.state().server()).isEqualTo(FIRST.toString());
    said.put(SECOND, order(StopAction.NONE, 60));
    ask();
    assertThat(orders.order().stops()).isFalse();
    said.put(FIRST, order(StopAction.KILL, 120));
    ask();
    assertThat(orders.order().action()).isEqualTo(StopAction.KILL);
  }

  @Test
  void afterAFailoverToOneThatNeverHeardOfItTheStopHolds() {
    start();
    said.put(FIRST, order(StopAction.FREEZE, 0));
    said.put(SECOND, StopOrder.never());
    ask();
    said.remove(FIRST); // never comes back
    now = now.plusSeconds(3600);
    ask();
    assertThat(orders.order().action()).isEqualTo(StopAction.FREEZE);
    assertThat(orders.state().problem()).contains(FIRST + ": no route");
  }

  @Test
  void withoutAnAnswerTheLastOrderHoldsAndItsAgeIsReported() {
    start();
    assertThat(orders.state().ageMillis()).as("nobody ever answered").isEqualTo(-1);
    ask();
    assertThat(orders.order().stops()).isFalse();
    said.put(FIRST, order(StopAction.LEAVE, 0));
    ask();
    said.clear();
    now = now.plusSeconds(90);
    ask();
    assertThat(orders.order().stops()).isTrue();
    assertThat(orders.state().ageMillis()).isEqualTo(90_000);
    assertThat(orders.state().problem()).get().asString().contains(FIRST + ": ", SECOND + ": ");
  }

  @Test
  void aRestartKeepsAllStateWhileNoResourceManagerAnswers() throws IOException {
    start();
    said.put(FIRST, order(StopAction.KILL, 0));
    ask();
    said.clear();
    now = now.plusSeconds(10);
    start();
    assertThat(orders.order()).as("before anybody is asked").isEqualTo(order(StopAction.KILL, 0));
    assertThat(orders.state().server()).isEqualTo(FIRST.toString());
    assertThat(orders.state().ageMillis()).as("nobody has answered since").isEqualTo(-1);

    said.put(FIRST, order(StopAction.NONE, 20));
    ask();
    start();
    assertThat(orders.order().stops()).isFalse();

    Files.writeString(directory.resolve("memory"), "action=perhaps");
    start();
    assertThat(orders.order()).as("what is broken is no word").isEqualTo(StopOrder.never());
  }

  @Test
  @Tag("must-never")
  void aResourceManagerThatCannotReadItsFileResumesNothing() {
    start();
    said.put(FIRST, order(StopAction.KILL, 0));
    said.put(SECOND, StopOrder.never());
    ask();
    StopFile.State unread =
        new StopFile.State(
            StopOrder.never(), 0, Optional.of("its directory is writable for others"), false);
    unusable.put(FIRST, unread);
    ask();
    assertThat(orders.order().action()).isEqualTo(StopAction.KILL);
    assertThat(orders.state().problem()).contains(FIRST + ": its directory is writable for others");
    start();
    ask();
    assertThat(orders.order()).as("after a restart").isEqualTo(order(StopAction.KILL, 0));

    unusable.clear();
    said.put(FIRST, order(StopAction.NONE, 20));
    ask();
    assertThat(orders.order().stops()).isFalse();
    assertThat(orders.state().problem()).isEmpty();
  }

  @Test
  @Tag("must-never")
  @Timeout(60)
  void aDiskThatHangsDelaysNoOrder() throws Exception {
    CountDownLatch disk = new CountDownLatch(1);
    List<StopOrder> written = new CopyOnWriteArrayList<>();
    StopMemory memory = mock(StopMemory.class);
    doAnswer(
            call -> {
              written.add(call.getArgument(0, StopMemory.HeardOrder.class).order());
              disk.await();
              return null;
            })
        .when(memory)
        .write(any());
    orders = new ClusterOrders(settings(), this::answer, clock, Optional.of(memory));

    said.put(FIRST, order(StopAction.LEAVE, 0));
    ask();
    assertThat(orders.order().action()).isEqualTo(StopAction.LEAVE);
    await(() -> written.size() == 1);
    said.put(FIRST, order(StopAction.FREEZE, 10));
    ask();
    said.put(FIRST, order(StopAction.KILL, 20));
    ask();
    assertThat(orders.order().action()).isEqualTo(StopAction.KILL);
    assertThat(orders.state().server()).isEqualTo(FIRST.toString());

    disk.countDown();
    await(() -> written.size() == 2);
    ask();
    orders.close();
    assertThat(written)
        .as("the newest order is saved last, and once")
        .containsExactly(order(StopAction.LEAVE, 0), order(StopAction.KILL, 20));
  }

  @Test
  @Tag("must-never")
  void anErrorInOneAnswerDoesNotEndTheAsking() {
    AtomicBoolean broken = new AtomicBoolean(true);
    orders =
        new ClusterOrders(
            new StopSettings(List.of(FIRST), Duration.ofMillis(20), Optional.empty()),
            server -> {
              if (broken.getAndSet(false)) {
                throw new NoClassDefFoundError("wanted by the test");
              }
              return order(StopAction.KILL, 0);
            },
            clock);

    orders.start();

    await(() -> orders.order().stops());
  }

  @Test
  void aNodeThatStartsAsksAtOnce() {
    orders =
        new ClusterOrders(
            new StopSettings(List.of(FIRST), Duration.ofDays(1), Optional.empty()),
            server -> order(StopAction.KILL, 0),
            clock);

    orders.start();

    await(() -> orders.order().stops());
  }

  @Test
  void questionsMissedWhileOneHadNoAnswerAreNotMadeUpFor() {
    Duration period = Duration.ofMillis(200);
    List<Long> asked = new CopyOnWriteArrayList<>();
    AtomicLong answered = new AtomicLong();
    orders =
        new ClusterOrders(
            new StopSettings(List.of(FIRST), period, Optional.empty()),
            server -> {
              asked.add(System.nanoTime());
              if (asked.size() == 2) {
                Thread.sleep(10 * period.toMillis());
                answered.set(System.nanoTime());
              }
              return StopOrder.never();
            },
            clock);

    orders.start();

    await(() -> asked.size() >= 4);
    assertThat(asked.get(2) - answered.get()).isGreaterThan(period.toNanos() / 2);
    assertThat(asked.get(3) - asked.get(2)).isGreaterThan(period.toNanos() / 2);
  }

  /** Starts the node, or restarts it if it runs. */
  private void start() {
    if (orders != null) {
      orders.close();
    }
    orders = new ClusterOrders(settings(), this::answer, clock);
  }

  private StopSettings settings() {
    return new StopSettings(
        List.of(FIRST, SECOND), Duration.ofSeconds(5), Optional.of(directory.resolve("memory")));
  }

  private StopOrder answer(URI server) throws IOException {
    StopOrder order = said.get(server);
    if (order == null) {
      throw new IOException("no route");
    }
    StopMessages messages = new StopMessages();
    return messages.order(
        messages.write(
            unusable.getOrDefault(server, new StopFile.State(order, 0, Optional.empty(), true))));
  }

  private void ask() {
    orders.ask(FIRST);
    orders.ask(SECOND);
  }

  private static StopOrder order(StopAction action, int seconds) {
    return new StopOrder(action, "alice", NOON.plusSeconds(seconds), "");
  }
}
