/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.nodemanager.report.metrics.NodeMetrics;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class KillDelaysTest {
  private final NodeMetrics metrics = new NodeMetrics();
  private long nanos;
  private final KillDelays delays = new KillDelays(metrics, () -> nanos);

  @Test
  void bothDelaysRunFromTheFirstDecision() {
    delays.decided("c1", "user_space");
    at(100);
    delays.decided("c1", "regulator");
    delays.signalled("c1");
    at(350);
    delays.signalled("c1");
    at(400);
    delays.stopped("c1");
    delays.stopped("c1");

    assertThat(metrics.killSignal("user_space").getSnapshot().getValues())
        .containsExactly(millis(350));
    assertThat(metrics.killFreed("user_space").getSnapshot().getValues())
        .containsExactly(millis(400));
    assertThat(metrics.killFreed("regulator").getCount()).isZero();
  }

  @Test
  void anOrdinaryExitOrANeverStartedContainerIsNoKill() {
    delays.signalled("c1");
    delays.stopped("c1");
    delays.decided("c2", "freeze");
    delays.forget("c2");
    delays.stopped("c2");
    delays.decided("c3", "freeze");
    delays.stopped("c3");

    assertThat(metrics.killSignal("freeze").getCount()).isZero();
    assertThat(metrics.killFreed("freeze").getCount()).isEqualTo(1);
  }

  @Test
  void aContainerThatEndsBeforeTheSignalReturnsWasSignalledWhenItStopped() {
    delays.decided("c1", "freeze");
    delays.signalling("c1");
    at(200);
    delays.stopped("c1");
    at(300);
    delays.signalled("c1");
    delays.decided("c2", "stop");
    delays.signalling("c2");
    at(400);
    delays.signalled("c2");
    delays.signalling("c2");
    at(500);
    delays.stopped("c2");

    assertThat(metrics.killSignal("freeze").getSnapshot().getValues()).containsExactly(millis(200));
    assertThat(metrics.killFreed("freeze").getSnapshot().getValues()).containsExactly(millis(200));
    assertThat(metrics.killSignal("stop").getSnapshot().getValues()).containsExactly(millis(100));
  }

  private void at(long millis) {
    nanos = millis(millis);
  }

  private static long millis(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }
}
