/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Counter;
import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Action;
import io.charon.nodemanager.report.audit.Audit;
import io.charon.nodemanager.report.audit.AuditLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ActionExecutorTest {
  private static final Action.Reclaim WANTED =
      new Action.Reclaim("c1", 7 << 20, new Action.Basis("the node", Map.of(), 0, "FROZEN", "why"));

  @TempDir private Path directory;

  /** Reclaims for a while, whoever interrupts. */
  private static final class SlowReclaim implements ContainerControl {
    private final CountDownLatch begun = new CountDownLatch(1);

    @Override
    public Killer killer() {
      throw new AssertionError("only memory is reclaimed");
    }

    @Override
    public Optional<String> cannotFreeze() {
      return Optional.empty();
    }

    @Override
    public boolean isFrozen(String containerId) {
      return true;
    }

    @Override
    public void freeze(String containerId) {}

    @Override
    public void thaw(String containerId) {}

    @Override
    public long reclaim(String containerId, long bytes, BooleanSupplier goesOn) {
      begun.countDown();
      LanesTest.holdOut(Duration.ofMillis(200));
      return bytes;
    }
  }

  @Test
  void theEndWaitsForReclaimUntilItIsReported() throws Exception {
    SlowReclaim reclaim = new SlowReclaim();
    Counter failures = new Counter();
    ActionExecutor executor =
        new ActionExecutor(
            new DyingContainers(System::nanoTime, () -> {}),
            (mechanism, id, reason) -> {},
            reclaim,
            Audit.direct(
                Optional.of(new AuditLog(directory, 1 << 20)), Clock.systemUTC(), failures),
            failures,
            System::nanoTime);
    List<Long> reclaimed = new CopyOnWriteArrayList<>();
    executor.reclaim("freeze", RegulatorMode.ENFORCE, WANTED, () -> true, reclaimed::add);
    assertThat(reclaim.begun.await(20, TimeUnit.SECONDS)).isTrue();
    executor.close();

    // The directory may be removed now.
    assertThat(reclaimed).containsExactly(7L << 20);
    assertThat(Files.readString(directory.resolve("audit.jsonl")))
        .contains("\"result\":\"applied: 7 MiB moved to swap\"");
  }
}
