/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.helper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests short calls of a scripted program. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HelperTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  @TempDir private Path directory;

  private Helper program(Duration timeout, String lines) throws IOException {
    Path program = directory.resolve("ua killer");
    Files.writeString(program, "#!/bin/sh\n" + lines + "\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    return new Helper(List.of(program.toString(), "first"), timeout);
  }

  @Test
  void itsWordsAndItsExitCodeAreTheAnswer() throws IOException {
    Helper helper = program(TIMEOUT, "printf '[%s]' \"$@\"; echo no >&2; exit 3");
    assertThat(helper.call(List.of("a b", "$HOME", "")))
        .isEqualTo(new Helper.Answer(3, "[first][a b][$HOME][]no"));
    assertThat(program(TIMEOUT, "exit 0").call(List.of()))
        .isEqualTo(new Helper.Answer(0, "exit code 0"));
  }

  @Test
  void aProgramThatHangsIsEnded() throws IOException {
    // The program writes its pid to a file, so that the test can check whether it still runs.
    Helper helper =
        program(
            Duration.ofMillis(1500),
            "echo $$ >'" + directory.resolve("pid") + "'; exec /bin/sleep 3600");
    assertThatThrownBy(() -> helper.call(List.of("network", "limit", "--rate")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("network limit did not exit within 1500 ms");
    long pid = Long.parseLong(Files.readString(directory.resolve("pid")).strip());
    ProcessHandle.of(pid).ifPresent(process -> process.onExit().join());
    assertThat(ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false)).isFalse();
  }

  @Test
  void whatAProgramLeavesRunningIsNotWaitedFor() throws IOException {
    Helper helper = program(TIMEOUT, "/bin/sleep 5 & echo done; exit 1");
    assertThat(helper.call(List.of())).isEqualTo(new Helper.Answer(1, "done"));
  }

  @Test
  void itSeesNothingOfThisProcessesEnvironment() throws IOException {
    program(TIMEOUT, "/usr/bin/env >'" + directory.resolve("environment") + "'").call(List.of());
    assertThat(Files.readAllLines(directory.resolve("environment")))
        .noneMatch(line -> line.startsWith("HOME=") || line.startsWith("JAVA"));
  }

  @Test
  void onlyALackingCapabilityHasACure() throws IOException {
    Helper helper = new Helper(List.of("/usr/bin/nsenter", "/opt/ua-killer"), TIMEOUT);
    assertThat(helper.withCapabilityHint("busy")).isEqualTo("busy");
    assertThat(helper.withCapabilityHint("this needs CAP_PERFMON"))
        .isEqualTo(
            "this needs CAP_PERFMON; as root, with a GROUP that only the NodeManager's user belongs to:"
                + " chgrp GROUP /opt/ua-killer && chmod 0750 /opt/ua-killer"
                + " && setcap cap_net_admin,cap_bpf,cap_perfmon=p /opt/ua-killer");
  }
}
