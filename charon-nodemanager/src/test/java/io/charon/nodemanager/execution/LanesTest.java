/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LanesTest {
  private final Lanes lanes = new Lanes();
  private final List<String> done = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    lanes.close();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void ofThoseThatWaitForATargetTheNewestCountsAndNoOtherTargetWaits() {
    CountDownLatch blocked = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch other = new CountDownLatch(1);
    CountDownLatch last = new CountDownLatch(1);
    lanes.run(
        "slow",
        () -> {
          begun.countDown();
          await(blocked);
          done.add("first");
        });
    await(begun);
    lanes.run("slow", () -> done.add("second"));
    lanes.run(
        "slow",
        () -> {
          done.add("third");
          last.countDown();
        });
    lanes.run("other", other::countDown);
    await(other);
    assertThat(done).isEmpty();
    blocked.countDown();
    await(last);
    assertThat(done).containsExactly("first", "third");
  }

  @ParameterizedTest
  @ValueSource(classes = {IllegalStateException.class, NoClassDefFoundError.class})
  void aFailureBlocksNoOtherContainer(Class<? extends Throwable> fault) throws Exception {
    Throwable thrown = fault.getDeclaredConstructor().newInstance();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    CountDownLatch next = new CountDownLatch(1);
    lanes.run(
        "target",
        () -> {
          begun.countDown();
          await(goesOn);
          LanesTest.<RuntimeException>sneak(thrown);
        });
    await(begun);
    lanes.run("target", next::countDown);
    goesOn.countDown();
    await(next);
  }

  @Test
  void aVirtualMachineErrorReachesTheHandlerThatEndsTheDaemon() throws Exception {
    BlockingQueue<Throwable> handled = new LinkedBlockingQueue<>();
    InternalError error = new InternalError();
    lanes.run(
        "target",
        () -> {
          Thread.currentThread().setUncaughtExceptionHandler((thread, e) -> handled.add(e));
          throw error;
        });
    assertThat(handled.poll(20, TimeUnit.SECONDS)).isSameAs(error);
  }

  @Test
  void afterTheEndNothingThatWaitsBegins() {
    CountDownLatch begun = new CountDownLatch(1);
    lanes.run(
        "target",
        () -> {
          begun.countDown();
          holdOut(Duration.ofMillis(200));
          done.add("first");
        });
    await(begun);
    lanes.run("target", () -> done.add("second"));
    lanes.close();
    assertThat(done).containsExactly("first");
  }

  /** Takes this time, as the kernel does, whoever interrupts. */
  static void holdOut(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(end - System.nanoTime());
      Thread.interrupted();
    }
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneak(Throwable thrown) throws T {
    throw (T) thrown;
  }
}
