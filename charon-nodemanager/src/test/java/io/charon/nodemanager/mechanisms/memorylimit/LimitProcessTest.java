/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.memorylimit;

import static io.charon.nodemanager.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.law.memorylimit.LimitBasis;
import io.charon.killer.client.MemoryLimitBasis;
import io.charon.nodemanager.helper.Helper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Uses a shell script instead of the program, with the program's output. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LimitProcessTest {
  private static final long SECOND = 1_000_000_000L;
  private static final String READY =
      "echo '{\"event\":\"ready\",\"cgroupVersion\":1,\"limitBytes\":-1,\"realTime\":true}'\n";

  @TempDir private Path directory;
  private final BlockingQueue<Boolean> looks = new LinkedBlockingQueue<>();
  private LimitProcess process;
  private String boundary = "/node";
  private long nanos = 1L << 40;

  private void open(String script) throws IOException {
    openCommand("/bin/sh", Files.writeString(directory.resolve("script"), script).toString());
  }

  private void openCommand(String... command) {
    process =
        new LimitProcess(
            new Helper(List.of(command), Duration.ofSeconds(2)),
            () -> List.of(boundary),
            () -> looks.add(true));
  }

  @AfterEach
  void end() {
    process.stop();
  }

  private void tell() {
    tell(true);
  }

  private void tell(boolean enforce) {
    tell(enforce, OptionalLong.empty());
  }

  private void tell(boolean enforce, OptionalLong swapLimit) {
    process.update(
        nanos,
        new MemoryLimitBasis(
            1,
            new LimitBasis(400, 16, 0, 0, 0, 0, 0, true),
            0,
            swapLimit,
            OptionalInt.empty(),
            OptionalInt.empty(),
            enforce));
  }

  private static String report(long refused, String refusal) {
    return "echo '{\"event\":\"limit\",\"wallBytes\":77,\"refusedSteps\":%d,\"refusal\":\"%s\"}'\n"
        .formatted(refused, refusal);
  }

  @Test
  void theRunningProcessMovesTheLimit() throws Exception {
    open(READY + "read line\n" + report(0, "") + "read line\n");
    tell();
    await(() -> process.abilities().isPresent());
    assertThat(process.abilities()).contains("moved every 20 ms");
    await(() -> process.moved(nanos).map(moved -> moved.last().limitBytes()).orElse(0L) == 77);
    assertThat(process.missing()).isEmpty();
    assertThat(looks).isEmpty();
  }

  @Test
  void aProgramOfAnEarlierReleaseIsNotToldWhatItRefuses() throws Exception {
    String ready =
        "echo '{\"event\":\"ready\",\"cgroupVersion\":2,\"limitBytes\":-1,\"growsOnRequest\":%s}'\n";
    String keep = "read line; echo \"$line\" >\"${0%/*}/line\"\n" + report(0, "") + "read line\n";
    open(ready.formatted("true") + keep);
    tell();
    await(() -> process.moved(nanos).isPresent());
    assertThat(directory.resolve("line")).content().contains(" grow-into-excess=1 ");
    assertThat(process.abilities().orElseThrow()).doesNotContain("earlier release");
    process.stop();

    open(ready.formatted("false") + keep);
    tell();
    await(() -> process.moved(nanos).isPresent());
    assertThat(directory.resolve("line")).content().doesNotContain("grow-into-excess");
    assertThat(process.abilities().orElseThrow()).contains("earlier release", "install it again");
  }

  @ParameterizedTest
  @CsvSource({
    "1, '\"countsSwap\":true', ''",
    "2, '\"countsSwap\":true,\"limitsSwapAlone\":true', ''",
    "2, '\"countsSwap\":true', 'of an earlier release, which does not limit best-effort''s swap'",
    "1, '\"countsSwap\":false', 'without a limit of best-effort''s swap'",
    "2, '\"countsSwap\":false,\"limitsSwapAlone\":true', 'without a limit of best-effort''s swap'"
  })
  void thatSwapIsNotLimitedIsSaidWhereItShouldBe(int version, String swap, String said)
      throws Exception {
    open(
        "echo '{\"event\":\"ready\",\"cgroupVersion\":%d,\"realTime\":true,\"growsOnRequest\":true,%s}'\n"
                .formatted(version, swap)
            + "read line\nread line\nread line\n");
    tell(true, OptionalLong.of(MemoryLimitBasis.ANY_SWAP));
    await(() -> process.abilities().isPresent());
    assertThat(process.abilities()).as("any swap is permitted").contains("moved every 20 ms");
    tell(true, OptionalLong.of(0));
    if (said.isEmpty()) {
      assertThat(process.abilities()).contains("moved every 20 ms");
    } else {
      assertThat(process.abilities().orElseThrow()).contains(said);
    }
    assertThat(process.missing()).as("the limit moves all the same").isEmpty();
  }

  @Test
  void whatIsDirtyIsToldAndWhyItStaysSo() throws Exception {
    String dirty =
        "echo '{\"event\":\"limit\",\"dirtyBytes\":41943040,\"writeBackRefusal\":\"%s\"}'\n";
    open(
        READY
            + "read line\n"
            + dirty.formatted("")
            + "read line\n"
            + dirty.formatted("Operation not permitted")
            + "read line\n");
    tell();
    await(() -> process.abilities().orElse("").contains("40 MiB of best-effort's pages are dirty"));
    tell();
    await(() -> process.abilities().orElse("").contains("written early: Operation not permitted"));
    assertThat(process.missing()).as("the limit moves all the same").isEmpty();
  }

  @Test
  void anotherBoundaryGetsAProcessOfItsOwn() throws Exception {
    open("echo \"$@\" >>\"${0%/*}/boundaries\"\n" + READY + "read line\nread line\n");
    tell();
    await(() -> process.abilities().isPresent());
    boundary = "/slice";
    tell();
    await(() -> process.abilities().isPresent());
    assertThat(directory.resolve("boundaries")).hasContent("/node\n/slice");
    assertThat(looks).as("the first one was asked to end").isEmpty();
  }

  @Test
  void aProgramThatIsInstalledAnewMovesTheLimitFromThenOn() throws Exception {
    String script = "#!/bin/sh\n" + READY + "read line\n" + report(0, "") + "read line\n";
    openCommand(install(script).toString());
    tell();
    await(() -> process.moved(nanos).map(moved -> moved.last().limitBytes()).orElse(0L) == 77);

    install(script.replace("77", "78"));
    tell();
    await(() -> process.moved(nanos).map(moved -> moved.last().limitBytes()).orElse(0L) == 78);
    assertThat(looks).as("the first one was asked to end").isEmpty();
  }

  /** A wait may last for minutes, and an operator installs the program that works. */
  @Test
  void aProgramThatIsInstalledInPlaceOfOneThatFailsRunsAtOnce() throws Exception {
    openCommand(install("#!/bin/sh\nexit 1\n").toString());
    for (int failure = 0; failure < 3; failure++) {
      tell();
      assertThat(looks.poll(10, TimeUnit.SECONDS)).as("it has ended").isTrue();
      tell();
      nanos += 5 * SECOND;
    }
    nanos -= 5 * SECOND;
    tell();
    assertThat(process.missing()).as("it waits").isPresent();

    install("#!/bin/sh\n" + READY + "read line\n" + report(0, "") + "read line\n");
    tell();
    await(() -> process.moved(nanos).map(moved -> moved.last().limitBytes()).orElse(0L) == 77);
    assertThat(process.missing()).isEmpty();
  }

  /** Installs by renaming, as install-helper.sh does. */
  private Path install(String script) throws IOException {
    Path copy = Files.writeString(directory.resolve("copy"), script);
    Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rwx------"));
    return Files.move(copy, directory.resolve("ua-killer"), StandardCopyOption.REPLACE_EXISTING);
  }

  /** In mode observe nobody acts on a shortage, which may last for hours. */
  @Test
  void aShortageIsUrgentOnlyWhereTheLimitIsEnforced() throws Exception {
    String shortage = "echo '{\"event\":\"limit\",\"wallBytes\":%d,\"uncoveredMillis\":200}'\n";
    open(
        READY
            + "read line\n"
            + shortage.formatted(1)
            + "read line\n"
            + shortage.formatted(2)
            + "read line\n");
    tell(false);
    await(() -> process.moved(nanos).map(moved -> moved.last().limitBytes()).orElse(0L) == 1);
    assertThat(looks.poll(200, TimeUnit.MILLISECONDS)).isNull();
    tell(true);
    assertThat(looks.poll(10, TimeUnit.SECONDS)).isTrue();
  }

  /**
   * The exit is noticed before the next tick, so that the NodeManager can move the limit itself.
   */
  @Test
  void anEndedProcessIsNoticedAtOnceAndNotReportedAsMoving() throws Exception {
    String oneThatStays = "if [ -e \"${0%/*}/again\" ]; then read line; fi\n";
    String mark = ": >\"${0%/*}/again\"\n";
    open(READY + "read line\n" + oneThatStays + mark + report(0, "") + "echo out of luck\n");
    tell();
    assertThat(looks.poll(10, TimeUnit.SECONDS)).as("somebody is called").isTrue();
    assertThat(process.abilities()).isEmpty();
    assertThat(process.moved(nanos)).isEmpty();
    assertThat(process.missing()).contains("ua-killer memory-limit is not running: out of luck");
    tell();
    assertThat(process.missing()).as("it is not started again at once").isPresent();
    nanos += 2 * SECOND;
    tell();
    assertThat(process.missing()).as("a second later it is").isEmpty();
  }

  @Test
  void aProcessThatWasTerminatedIsNotReportedAsMissing() throws Exception {
    open(READY + "read line\nread line\n");
    tell();
    await(() -> process.abilities().isPresent());
    process.stop();
    assertThat(looks.poll(200, TimeUnit.MILLISECONDS)).isNull();
    assertThat(process.missing()).isEmpty();
  }

  @Test
  void aLimitThatTheKernelRefusesIsSaidAndNotThatItIsMoved() throws Exception {
    open(
        READY
            + "read line\n"
            + report(2, "Permission denied")
            + report(2, "Permission denied")
            + "read line\n"
            + report(3, "Device or resource busy")
            + "read line\n");
    tell();
    await(() -> process.missing().isPresent());
    assertThat(process.missing())
        .contains("ua-killer memory-limit cannot set the limit: Permission denied");
    assertThat(process.abilities()).isEmpty();
    tell();
    await(() -> process.missing().isEmpty());
    assertThat(process.abilities()).as("where nothing can be reclaimed kills help").isPresent();
    assertThat(Optional.ofNullable(looks.poll())).isEmpty();
  }

  @Test
  void aSingleRefusalIsNoReasonToMoveTheLimitWithoutTheProgram() throws Exception {
    String one = report(1, "Invalid argument");
    open(READY + "read line\n" + one + report(0, "") + one.replace("77", "78") + "read line\n");
    tell();
    await(() -> process.moved(nanos).map(moved -> moved.last().limitBytes()).orElse(0L) == 78);
    assertThat(process.missing()).isEmpty();
    assertThat(process.abilities()).isPresent();
  }
}
