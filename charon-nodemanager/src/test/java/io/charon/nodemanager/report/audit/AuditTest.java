/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.audit;

import static io.charon.nodemanager.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;

import com.codahale.metrics.Counter;
import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Action.Basis;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.PatternLayout;
import org.apache.log4j.WriterAppender;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditTest {
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-01-02T03:04:05Z"), ZoneOffset.UTC);

  @TempDir private Path directory;
  private final Counter failures = new Counter();

  private static void write(Audit audit, String target) {
    audit.write(
        "memory",
        RegulatorMode.ENFORCE,
        new Basis("the node", Map.of("available", 7.0), 9, "a rule", "too much"),
        "kill",
        target,
        "applied: killed");
  }

  @Test
  void aSlowDiskBlocksNoCallerAndDroppedLinesAreCounted() throws IOException {
    AuditLog log = new AuditLog(directory, 1 << 20);
    Audit audit = Audit.queued(Optional.of(log), CLOCK, failures, 1);
    synchronized (log) { // blocks the writer
      for (int line = 0; line < 5; line++) {
        write(audit, "c" + line);
      }
      // The writer holds one line, and the queue has room for one more.
      assertThat(failures.getCount()).isEqualTo(3);
    }
    audit.close();
    assertThat(Files.readAllLines(directory.resolve("audit.jsonl")))
        .hasSize(2)
        .first()
        .asString()
        .isEqualTo(
            "{\"time\":\"2026-01-02T03:04:05Z\",\"regulator\":\"memory\",\"mode\":\"enforce\","
                + "\"foreground\":\"the node\",\"inputs\":{\"available\":7.0},\"limit\":9.0,"
                + "\"action\":\"kill\",\"target\":\"c0\",\"result\":\"applied: killed\","
                + "\"reason\":\"too much\"}");
  }

  @Test
  void aFullQueueIsSaidOnceUntilItHasDrained() throws IOException {
    Semaphore disk = new Semaphore(0);
    AtomicInteger begun = new AtomicInteger();
    AuditLog log = mock(AuditLog.class);
    doAnswer(
            line -> {
              begun.incrementAndGet();
              disk.acquire();
              return null;
            })
        .when(log)
        .write(any());
    StringWriter said = new StringWriter();
    WriterAppender appender = new WriterAppender(new PatternLayout("%p %m%n"), said);
    Logger logger = Logger.getLogger(Audit.class);
    logger.addAppender(appender);
    logger.setLevel(Level.WARN);
    logger.setAdditivity(false);
    try (Audit audit = Audit.queued(Optional.of(log), CLOCK, failures, 1)) {
      for (int line = 0; line < 4; line++) {
        write(audit, "c" + line);
      }
      disk.release();
      await(() -> begun.get() == 2);
      write(audit, "the queue has room for one line, but has not drained");
      write(audit, "lost");
      assertThat(failures.getCount()).isEqualTo(3);
      assertThat(said.toString().lines())
          .singleElement()
          .asString()
          .startsWith("WARN the audit's queue is full");

      await(
          () -> {
            disk.drainPermits();
            for (int line = 0; line < 3; line++) {
              write(audit, "again");
            }
            disk.release(100);
            return said.toString().lines().count() == 2;
          });
    } finally {
      logger.removeAppender(appender);
      logger.setLevel(null);
      logger.setAdditivity(true);
    }
  }

  @Test
  void withoutAnAuditThereIsNoCost() {
    Audit audit = Audit.queued(Optional.empty(), CLOCK, failures);
    write(audit, "c1");
    audit.close();
    assertThat(failures.getCount()).isZero();
  }
}
