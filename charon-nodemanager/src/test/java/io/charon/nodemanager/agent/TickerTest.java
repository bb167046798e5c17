/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Timer;
import io.charon.nodemanager.agent.Ticker.Step;
import io.charon.nodemanager.fault.GuardedParts;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Tests with steps that record that they ran; time advances only when the test says so. */
class TickerTest {
  private final BlockingQueue<String> done = new LinkedBlockingQueue<>();
  private final AtomicInteger failures = new AtomicInteger();
  private final Timer time = new Timer();
  private long nanos;
  private final TickWatchdog watchdog =
      new TickWatchdog(Duration.ofHours(1), () -> nanos, () -> {});
  private final Ticker ticker =
      new Ticker(
          Duration.ofHours(1),
          time,
          new GuardedParts(LoggerFactory.getLogger(TickerTest.class), failures::incrementAndGet),
          watchdog,
          List.of(
              Step.of("settings", () -> done.add("settings")),
              Step.alsoAtOnce("failing", this::fail),
              Step.alsoAtOnce("node", () -> done.add("node")),
              Step.of("yarn", () -> done.add("yarn"))));

  private void fail() {
    done.add("failing");
    throw new IllegalStateException("injected");
  }

  @AfterEach
  void close() {
    ticker.close();
  }

  @Test
  void stepsAreDoneInTheirOrderThoughOneFailsAndTheWatchdogHearsOfTheEnd() {
    nanos = Duration.ofDays(1).toNanos();
    assertThat(watchdog.late()).isPresent();

    ticker.tick();

    assertThat(done).containsExactly("settings", "failing", "node", "yarn");
    assertThat(failures).hasValue(1);
    assertThat(time.getCount()).isEqualTo(1);
    assertThat(watchdog.late()).isEmpty();
  }

  @Test
  void betweenTwoTicksOnlyWhatCannotWaitIsDone() throws Exception {
    ticker.start();
    assertThat(next()).isEqualTo("settings");
    assertThat(next()).isEqualTo("failing");
    assertThat(next()).isEqualTo("node");
    assertThat(next()).isEqualTo("yarn");

    CompletableFuture<Void> look = ticker.requestSample();

    look.get(20, TimeUnit.SECONDS);
    assertThat(done).containsExactly("failing", "node");
    done.clear();
    ticker.close();
    assertThat(done).isEmpty();
  }

  @Test
  void nothingIsDoneAfterTheEnd() {
    ticker.close();
    assertThat(ticker.requestSample()).as("nobody waits for it").isCompleted();
    assertThat(done).isEmpty();
  }

  private String next() throws InterruptedException {
    return done.poll(20, TimeUnit.SECONDS);
  }
}
