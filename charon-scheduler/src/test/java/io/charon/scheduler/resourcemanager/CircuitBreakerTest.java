/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

@Tag("hadoop")
class CircuitBreakerTest {
  private final CircuitBreaker breaker = new CircuitBreaker();
  private final AtomicInteger runs = new AtomicInteger();

  @Test
  void aStepThatFailsIsTriedAgainAndSaidOnce() {
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(CircuitBreaker.class));
    try {
      for (int i = 0; i < 1000; i++) {
        assertThat(breaker.run("one", this::fail)).isFalse();
        assertThat(breaker.run("two", this::fail)).isFalse();
      }
    } finally {
      log.stopCapturing();
    }
    assertThat(runs).hasValue(2000);
    assertThat(breaker.isOpen()).isFalse();
    assertThat(log.getOutput()).containsOnlyOnce("Failed one").containsOnlyOnce("Failed two");
  }

  @Test
  void whatDoesNotLinkOpensItForGood() throws Exception {
    assertThat(breaker.run("linking", this::doesNotLink)).isFalse();

    assertThat(breaker.isOpen()).isTrue();
    assertThat(breaker.run("later", runs::incrementAndGet)).isFalse();
    assertThat(breaker.call("later", () -> Optional.of(runs.incrementAndGet()))).isEmpty();
    assertThat(runs).hasValue(0);
  }

  @Test
  void anErrorOfTheJvmIsNotHidden() {
    assertThatThrownBy(() -> breaker.run("memory", this::outOfMemory))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(breaker.isOpen()).isFalse();
  }

  @Test
  void aRefusalReachesTheApplication() {
    YarnException refusal = new YarnException("too much");
    assertThatThrownBy(
            () ->
                breaker.call(
                    "refusing",
                    () -> {
                      throw refusal;
                    }))
        .isSameAs(refusal);
  }

  @Test
  void whatThisHadoopLacksIsNamed() {
    String context = "interface org.apache.hadoop.yarn.server.resourcemanager.RMContext ";
    String there = context + "getRMApps ()Ljava/util/concurrent/ConcurrentMap;";
    List<String> missing =
        List.of(
            context + "getApplications ()Ljava/util/concurrent/ConcurrentMap;",
            context + "getRMApps ()Ljava/util/Map;",
            there.replace("interface", "class"),
            "class org.apache.hadoop.yarn.NoSuchClass name ()V");

    assertThat(UsedSignatures.missing(List.of(there))).isEmpty();
    assertThat(UsedSignatures.missing(missing)).isEqualTo(missing);
  }

  private void fail() {
    runs.incrementAndGet();
    throw new IllegalStateException("expected by this test");
  }

  private void doesNotLink() {
    throw new NoClassDefFoundError("expected by this test");
  }

  private void outOfMemory() {
    throw new OutOfMemoryError("expected by this test");
  }
}
