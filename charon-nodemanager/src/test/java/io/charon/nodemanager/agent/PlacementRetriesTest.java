/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Counter;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerInfos;
import io.charon.nodemanager.container.PlacementPart;
import io.charon.nodemanager.report.audit.Audit;
import io.charon.nodemanager.report.audit.AuditLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests with two parts, of which each fails for as long as the test says. */
class PlacementRetriesTest {
  private static final ContainerInfo PROMOTED = ContainerInfos.production("c1", 100);

  @TempDir Path directory;
  private final Counter failures = new Counter();
  private final Map<String, RuntimeException> faults = new HashMap<>();
  private final Map<String, String> reasons = new HashMap<>();
  private final List<String> applied = new ArrayList<>();
  private final Set<String> ended = new HashSet<>();
  private final List<PlacementPart> parts = List.of(part("cgroup"), part("score"));
  private long nanos;
  private long nanosPerPart;
  private PlacementRetries retries;

  @BeforeEach
  void open() {
    retries =
        new PlacementRetries(
            id -> !ended.contains(id),
            Audit.direct(
                Optional.of(new AuditLog(directory, 1 << 20)), Clock.systemUTC(), new Counter()),
            failures,
            () -> nanos);
  }

  private PlacementPart part(String name) {
    return container -> {
      applied.add(container.containerId() + " " + name);
      nanos += nanosPerPart;
      if (faults.containsKey(name)) {
        throw faults.get(name);
      }
      return Optional.ofNullable(reasons.get(name));
    };
  }

  @Test
  void aChangeThatSucceedsIsNeitherRepeatedNorAudited() throws IOException {
    retries.change(PROMOTED, parts);
    retries.tick();

    assertThat(applied).containsExactly("c1 cgroup", "c1 score");
    assertThat(audit()).isEmpty();
    assertThat(failures.getCount()).isZero();
  }

  @Test
  void onlyThePartThatFailsIsRepeatedUntilItSucceeds() throws IOException {
    reasons.put("cgroup", "busy");
    retries.change(PROMOTED, parts);
    retries.tick();
    reasons.clear();
    retries.tick();
    retries.tick();

    assertThat(applied).containsExactly("c1 cgroup", "c1 score", "c1 cgroup", "c1 cgroup");
    assertThat(failures.getCount()).isEqualTo(1);
    assertThat(audit())
        .satisfiesExactly(
            first ->
                assertThat(first)
                    .contains("\"action\":\"promote\"", "\"target\":\"c1\"", "failed: busy"),
            last -> assertThat(last).contains("applied at attempt 3"));
  }

  @Test
  void aPartThatThrowsPreventsNoOtherAndIsRepeated() throws IOException {
    faults.put("cgroup", new IllegalStateException("unexpected"));
    retries.change(PROMOTED, parts);
    faults.clear();
    retries.tick();

    assertThat(applied).containsExactly("c1 cgroup", "c1 score", "c1 cgroup");
    assertThat(audit().get(0)).contains("unexpected");
  }

  @Test
  void theEndOfTheContainerEndsTheRepetition() throws IOException {
    reasons.put("score", "no answer");
    retries.change(PROMOTED, parts);
    retries.change(ContainerInfos.production("c2", 100), parts);
    applied.clear();

    retries.stopped("c1");
    ended.add("c2"); // noticed here first
    retries.tick();

    assertThat(applied).isEmpty();
    assertThat(audit()).filteredOn(line -> line.contains("the container has ended")).hasSize(2);
  }

  @Test
  void aLaterChangeReplacesTheOneThatFailed() {
    reasons.put("cgroup", "busy");
    retries.change(PROMOTED, parts);
    reasons.clear();
    retries.change(ContainerInfos.bestEffort("c1", 100), parts);
    applied.clear();

    retries.tick();

    assertThat(applied).isEmpty();
  }

  @Test
  void attemptsThatTakeLongLeaveTheTickMostOfItsTimeAndTakeTurns() {
    reasons.put("score", "no answer");
    for (int i = 1; i <= 3; i++) {
      retries.change(ContainerInfos.production("c" + i, 100), List.of(part("score")));
    }
    applied.clear();
    nanosPerPart = Duration.ofSeconds(1).toNanos();

    retries.tick();
    retries.tick();
    assertThat(applied).containsExactly("c1 score");
    nanos += Duration.ofSeconds(9).toNanos();
    retries.tick();
    assertThat(applied).containsExactly("c1 score", "c2 score");
  }

  @Test
  void whatAnEarlierNodeManagerLeftIsDoneAtTheNextTick() throws IOException {
    retries.changeLater(PROMOTED, parts, "it was left");
    assertThat(applied).isEmpty();

    retries.tick();

    assertThat(applied).containsExactly("c1 cgroup", "c1 score");
    assertThat(audit()).hasSize(2);
  }

  private List<String> audit() throws IOException {
    Path file = directory.resolve("audit.jsonl");
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }
}
