/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;

class GuardedPartsTest {
  private final Logger log = mock(Logger.class);
  private final AtomicInteger failures = new AtomicInteger();
  private final GuardedParts parts = new GuardedParts(log, failures::incrementAndGet);

  @ParameterizedTest
  @ValueSource(
      classes = {
        IllegalStateException.class,
        NoClassDefFoundError.class,
        AssertionError.class,
        ExceptionInInitializerError.class
      })
  void aPartThatFailsStopsNoOther(Class<? extends Throwable> fault) throws Exception {
    Throwable thrown = fault.getDeclaredConstructor().newInstance();
    List<String> ran = new ArrayList<>();

    assertThat(parts.run("first", () -> GuardedPartsTest.<RuntimeException>sneak(thrown)))
        .isFalse();
    assertThat(parts.run("second", () -> ran.add("second"))).isTrue();

    assertThat(ran).containsExactly("second");
    assertThat(failures).hasValue(1);
  }

  @Test
  void theSameFaultIsSaidOnceAndEveryOneIsCounted() {
    for (int round = 0; round < 100; round++) {
      parts.run("a part", GuardedPartsTest::fail);
    }

    assertThat(failures).hasValue(100);
    verify(log, times(1)).warn(anyString(), eq("a part"), any(Throwable.class));
  }

  @Test
  void twoFaultsThatTakeTurnsAreSaidOnceEach() {
    for (int round = 0; round < 100; round++) {
      String message = "fault " + round % 2;
      parts.failed("a part", new IllegalStateException(message));
    }

    verify(log, times(2)).warn(anyString(), eq("a part"), any(Throwable.class));
  }

  @Test
  void faultsThatAreAllDifferentDoNotFloodTheLog() {
    for (int round = 0; round < 1000; round++) {
      parts.failed("a part", new IllegalStateException("container " + round));
    }

    verify(log, times(16)).warn(anyString(), eq("a part"), any(Throwable.class));
  }

  @Test
  void aFaultThatComesBackAfterThePartHadWorkedIsSaidAgain() {
    parts.run("a part", GuardedPartsTest::fail);
    parts.run("a part", () -> {});
    verify(log).info(anyString(), eq("a part"), eq(1L));
    parts.run("a part", GuardedPartsTest::fail);

    verify(log, times(2)).warn(anyString(), eq("a part"), any(Throwable.class));
  }

  @Test
  void anErrorOfTheVirtualMachineReachesTheHandlerThatEndsTheDaemon() throws Exception {
    List<Throwable> ended = new ArrayList<>();
    OutOfMemoryError error = new OutOfMemoryError("injected");
    Thread thread =
        new Thread(
            () ->
                parts.run(
                    "a part",
                    () -> {
                      throw error;
                    }));
    thread.setUncaughtExceptionHandler((who, what) -> ended.add(what));
    thread.start();
    thread.join();

    assertThat(ended).containsExactly(error);
    assertThat(failures).hasValue(1);
    verify(log, never()).warn(anyString(), any(), any(Throwable.class));
  }

  private static void fail() {
    throw new IllegalStateException("always the same");
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneak(Throwable thrown) throws T {
    throw (T) thrown;
  }
}
