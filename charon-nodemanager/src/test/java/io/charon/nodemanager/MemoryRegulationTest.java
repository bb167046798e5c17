/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.nodemanager.audit.AuditLog;
import io.charon.nodemanager.metrics.NodeMetrics;
import io.charon.nodemanager.regulator.Cause;
import io.charon.nodemanager.regulator.Decision;
import io.charon.nodemanager.regulator.RangeSettings;
import io.charon.scheduler.local.NodeMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node of 1000 bytes, five ticks to a window, c = 2. */
class MemoryRegulationTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-01-02T03:04:05Z"), ZoneOffset.UTC);

  @TempDir private Path directory;

  private final NodeMetrics metrics = new NodeMetrics();
  private long nanos;

  @AfterEach
  void close() {
    metrics.close();
  }

  private MemoryRegulation regulation(Path audit) {
    return new MemoryRegulation(
        new RangeSettings(Duration.ofSeconds(5), 2),
        Optional.of(new AuditLog(audit, 1 << 20)),
        metrics,
        CLOCK);
  }

  private Decision tick(MemoryRegulation regulation, long available, Long... bestEffort) {
    nanos += SECOND;
    regulation.observed(nanos, Optional.of(new NodeMemory(1000, available)), List.of(bestEffort));
    return regulation.last().orElseThrow();
  }

  private List<String> reasons() throws IOException {
    List<String> reasons = new ArrayList<>();
    for (String line : Files.readAllLines(directory.resolve("audit.jsonl"))) {
      JsonNode entry = new ObjectMapper().readTree(line);
      reasons.add(entry.path("action").asText() + " " + entry.path("limit").asLong());
    }
    return reasons;
  }

  @Test
  void bestEffortIsNoForegroundHoweverItGrows() {
    MemoryRegulation regulation = regulation(directory);
    assertThat(regulation.last()).isEmpty();
    Decision last = tick(regulation, 700);
    for (long used = 0; used < 5; used++) {
      // Best-effort takes 60 bytes more at each tick; the foreground keeps its 300.
      last = tick(regulation, 700 - 60 * used, 20 * used, 40 * used);
    }
    assertThat(last.cause()).isEqualTo(Cause.LEARNED);
    assertThat(last.range().orElseThrow().mean()).isEqualTo(300);
    assertThat(last.limit()).isEqualTo(700);
    assertThat(tick(regulation, 100, 600L).cause()).isEqualTo(Cause.INSIDE);
    assertThat(tick(regulation, 100, 500L).cause()).isEqualTo(Cause.VIOLATION);
    // More than all that is used: the readings are of different instants.
    assertThat(tick(regulation, 100, 2000L).observation().value()).hasValue(0);
  }

  @Test
  void onlyChangesAreWrittenDown() throws IOException {
    MemoryRegulation regulation = regulation(directory);
    for (int second = 0; second < 20; second++) {
      tick(regulation, 700);
    }
    tick(regulation, 600);
    tick(regulation, 600);
    nanos += SECOND;
    regulation.observed(nanos, Optional.empty(), List.of());
    // Learning begins, is over, nothing happens, a violation, nothing again, no reading.
    assertThat(reasons())
        .containsExactly("keep 0", "widen 700", "keep 700", "tighten 600", "keep 600", "keep 600");
    assertThat(regulation.last().orElseThrow().limit()).isEqualTo(600);
  }

  @Test
  void anAuditThatCannotBeWrittenIsCountedAndTheRegulatorGoesOn() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "");
    MemoryRegulation regulation = regulation(file);
    for (int second = 0; second <= 5; second++) {
      tick(regulation, 700);
    }
    assertThat(metrics.toleratedFailures().getCount()).isEqualTo(2);
    assertThat(regulation.last().orElseThrow().limit()).isEqualTo(700);
  }
}
