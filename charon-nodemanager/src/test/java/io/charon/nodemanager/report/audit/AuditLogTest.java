/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.core.law.Cause;
import io.charon.core.law.Decision;
import io.charon.core.law.NormalRange;
import io.charon.core.law.Observation;
import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Change;
import io.charon.nodemanager.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {
  @TempDir private Path directory;

  private static AuditRecord violation(double used) {
    NormalRange before = new NormalRange(10, 1, 2);
    Decision decision =
        new Decision(
            Change.TIGHTEN,
            100 - used - 2,
            Cause.VIOLATION,
            new Observation(0, OptionalDouble.of(used), 100),
            Optional.of(before),
            Optional.of(new NormalRange(used, 1, 2)));
    return new AuditRecord(
        "2026-01-02T03:04:05Z",
        "memory",
        AuditRecord.lower(RegulatorMode.OBSERVE),
        new AuditRecord.Basis(
            "the node minus best-effort",
            decision.basis("", OptionalDouble.of(7)).inputs(),
            decision.limit()),
        decision.change().label(),
        "best-effort",
        "not applied: observe",
        decision.reason());
  }

  @Test
  void onlyTheOwnerMayRead() throws IOException {
    Path audit = directory.resolve("new/audit");
    new AuditLog(audit, 1 << 20).write(violation(20));
    assertThat(mode(audit)).isEqualTo("rwx------");
    assertThat(mode(audit.resolve("audit.jsonl"))).isEqualTo("rw-------");
  }

  @Test
  void onlyTheDirectoryKeepsItsPermissionsWhenANewFileIsBegun() throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-x---"));
    AuditLog log = new AuditLog(directory, 2800); // each file has room for one line
    log.write(violation(20));
    Path newest = directory.resolve("audit.jsonl");
    Files.setPosixFilePermissions(newest, PosixFilePermissions.fromString("rw-r-----"));
    log.write(violation(30));

    assertThat(mode(directory)).isEqualTo("rwxr-x---");
    assertThat(mode(directory.resolve("audit.jsonl.1"))).isEqualTo("rw-r-----");
    assertThat(mode(newest)).isEqualTo("rw-------");
  }

  @Test
  void nothingIsWrittenBehindALink() throws IOException {
    Path other = Files.writeString(directory.resolve("other"), "somebody's");
    Path audit = Files.createDirectory(directory.resolve("audit"));
    Files.createSymbolicLink(audit.resolve("audit.jsonl"), other);
    AuditLog log = new AuditLog(audit, 1 << 20);
    assertThatThrownBy(() -> log.write(violation(20)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("audit.jsonl is not a regular file");
    assertThat(other).hasContent("somebody's");

    Path empty = Files.createDirectory(directory.resolve("empty"));
    Path link = Files.createSymbolicLink(directory.resolve("link"), empty);
    assertThatThrownBy(() -> new AuditLog(link, 1 << 20).write(violation(20)))
        .hasMessageContaining("link is not a directory");
    assertThat(empty).isEmptyDirectory();
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void aLineHasEveryFieldOfTheContract() throws IOException {
    new AuditLog(directory.resolve("new/audit"), 1 << 20).write(violation(20));
    List<String> lines = Files.readAllLines(directory.resolve("new/audit/audit.jsonl"));
    assertThat(lines).hasSize(1);
    JsonNode line = new ObjectMapper().readTree(lines.get(0));
    assertThat(line)
        .isEqualTo(
            new ObjectMapper()
                .readTree(
                    """
                    {"time":"2026-01-02T03:04:05Z","regulator":"memory","mode":"observe",
                     "foreground":"the node minus best-effort",
                     "inputs":{"foreground":20.0,"capacity":100.0,"bestEffort":7.0,"mean":10.0,
                               "standardDeviation":1.0,"stdFactor":2.0},
                     "limit":78.0,"action":"tighten","target":"best-effort","result":"not applied: observe",
                     "reason":"the foreground uses more than its reserve: the reserve is raised to its use; \
                    measured 20.0000, range 8.00000 to 12.0000 (mean 10.0000, sigma 1.00000, c 2.00)"}
                    """));
  }

  @Test
  void theNewestLinesStayAndAllFilesTogetherKeepTheLimit() throws IOException {
    int mostBytes = 8192;
    AuditLog log = new AuditLog(directory, mostBytes);
    for (int used = 13; used < 90; used++) {
      log.write(violation(used));
      assertThat(bytes()).isLessThanOrEqualTo(mostBytes);
    }
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).hasSize(AuditLog.FILES);
    }
    assertThat(Files.readString(directory.resolve("audit.jsonl"))).contains("measured 89.0000");
    assertThat(Files.readString(directory.resolve("audit.jsonl.1")))
        .doesNotContain("measured 89.0000");
    assertThat(bytes()).isGreaterThan(mostBytes / 2);
  }

  @Test
  void theOldestFilesGoFirstWhereTheLimitWasLowered() throws IOException {
    AuditLog wide = new AuditLog(directory, 40_000);
    for (int line = 0; line < 100; line++) {
      wide.write(violation(20));
    }
    assertThat(bytes()).isGreaterThan(25_000);

    new AuditLog(directory, 20_000).write(violation(70));

    assertThat(bytes()).as("no more goes than has to").isBetween(5000L, 20_000L);
    assertThat(directory.resolve("audit.jsonl.3")).doesNotExist();

    new AuditLog(directory, 4000).write(violation(80));

    assertThat(bytes()).isLessThanOrEqualTo(4000);
    assertThat(Files.readString(directory.resolve("audit.jsonl"))).contains("measured 80.0000");
  }

  @Test
  void aRestartGoesOnWhereTheLastOneEnded() throws IOException {
    new AuditLog(directory, 1 << 20).write(violation(20));
    new AuditLog(directory, 1 << 20).write(violation(30));
    assertThat(Files.readAllLines(directory.resolve("audit.jsonl"))).hasSize(2);
  }

  @Test
  void aRemovedFileIsWrittenAgain() throws IOException {
    AuditLog log = new AuditLog(directory, 1 << 20);
    log.write(violation(20));
    Files.delete(directory.resolve("audit.jsonl"));
    log.write(violation(30));
    assertThat(Files.readAllLines(directory.resolve("audit.jsonl"))).hasSize(1);
  }

  @Test
  void whatCannotBeWrittenIsSaid() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "");
    assertThatThrownBy(() -> new AuditLog(file, 1 << 20).write(violation(20)))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> new AuditLog(directory, 400).write(violation(20)))
        .hasMessageContaining("exceeds the maximum size of a file (100 bytes)");
  }

  private long bytes() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      long sum = 0;
      for (Path file : files.toList()) {
        sum += Files.size(file);
      }
      return sum;
    }
  }

  @Test
  void aFullDiskIsSaidAndTearsNoLine() throws Exception {
    AuditLog log = new AuditLog(directory, 1 << 20);
    try (SmallDisk disk = SmallDisk.mountOn(directory)) {
      log.write(violation(20));
      disk.fill();
      assertThatThrownBy(
              () -> {
                for (int line = 0; line < 100; line++) {
                  log.write(violation(30));
                }
              })
          .isInstanceOf(IOException.class)
          .hasMessageContaining("No space left");
      disk.empty();
      log.write(violation(40));

      List<String> lines = Files.readAllLines(directory.resolve(AuditLog.NAME));
      assertThat(lines).hasSizeGreaterThanOrEqualTo(2);
      for (String line : lines) {
        assertThat(new ObjectMapper().readTree(line).path("regulator").asText())
            .isEqualTo("memory");
      }
    }
  }
}
