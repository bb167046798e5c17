/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.killer.client.CgroupId;
import io.charon.nodemanager.helper.Helper;
import io.charon.nodemanager.network.EgressDevice;
import io.charon.nodemanager.network.NetworkDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the shaper with a scripted helper that records its arguments. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TrafficShaperTest {
  private static final Path CGROUP = Path.of("/sys/fs/cgroup/charon/best-effort");
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  @TempDir private Path directory;
  private Path helper;
  private TrafficShaper shaper;

  @BeforeEach
  void setUp() throws IOException {
    Path device = Files.createDirectories(directory.resolve("class/net/eth0"));
    Files.writeString(device.resolve("ifindex"), "7\n");
    Files.createDirectories(directory.resolve("class/net/charon-be7"));
    helper = directory.resolve("ua killer");
    behave("exit 0");
    shaper = shaper(false);
  }

  private TrafficShaper shaper(boolean givesWay) {
    return new TrafficShaper(
        new Helper(List.of(helper.toString()), TIMEOUT),
        new NetworkDevice(directory, "eth0"),
        Optional.of(CGROUP),
        givesWay);
  }

  private void behave(String lastLine) throws IOException {
    Path calls = directory.resolve("calls");
    Files.writeString(
        helper,
        "#!/bin/sh\nprintf '[%s]' \"$@\" >>'"
            + calls
            + "'\necho >>'"
            + calls
            + "'\n"
            + lastLine
            + "\n");
    Files.setPosixFilePermissions(helper, PosixFilePermissions.fromString("rwx------"));
  }

  private List<String> calls() throws IOException {
    return Files.readAllLines(directory.resolve("calls"));
  }

  private static String limit(long rate) {
    return "[network][limit][--device][eth0][--cgroup][" + CGROUP + "][--rate][" + rate + "]";
  }

  @Test
  void aLimitIsTheHelpersToSet() throws IOException {
    assertThat(shaper.limit(2_000_000.9)).isEqualTo("eth0: best-effort may send 2000000 bytes/s");
    shaper.limit(3_000_000);
    assertThat(calls()).containsExactly(limit(2_000_000), limit(3_000_000));
  }

  @Test
  void whatGivesWayIsDroppedWhileOthersFillTheSameRate() throws IOException {
    assertThat(shaper(true).limit(2_000_000))
        .isEqualTo("eth0: best-effort may send 2000000 bytes/s less the traffic of all others");
    assertThat(calls()).containsExactly(limit(2_000_000) + "[--give-way-on][2000000]");
  }

  @Test
  void nothingMeansTheLeastRateAndMuchTheMostOfTheHelper() throws IOException {
    shaper.limit(0);
    shaper.limit(124_999);
    shaper.limit(1e18);
    assertThat(calls()).containsExactly(limit(125_000), limit(125_000), limit(1_000_000_000_000L));
  }

  @Test
  void aFailureIsTheHelpersOwnWordsAndTheNextTickTriesAgain() throws IOException {
    behave("echo eth0 has filters of others >&2; exit 3");
    assertThatThrownBy(() -> shaper.limit(2e6))
        .isInstanceOf(IOException.class)
        .hasMessage("eth0 has filters of others");
    behave("exit 0");
    shaper.limit(2e6);
    assertThat(calls()).containsExactly(limit(2_000_000), limit(2_000_000));
  }

  @Test
  void itIsAvailableIfTheSelfTestPasses() throws IOException {
    assertThat(shaper.unavailable()).isEmpty();
    assertThat(calls()).containsExactly("[network][self-test][--device][eth0]");
  }

  @Test
  void itSaysWhyItIsNotAvailable() throws IOException {
    behave("echo no ifb in this kernel; exit 1");
    assertThat(shaper.unavailable()).contains("no ifb in this kernel");
    behave("echo this needs CAP_NET_ADMIN; exit 4");
    assertThat(shaper.unavailable())
        .contains(
            ("this needs CAP_NET_ADMIN; as root, with a GROUP that only the NodeManager's user belongs to:"
                    + " chgrp GROUP %s && chmod 0750 %1$s"
                    + " && setcap cap_net_admin,cap_bpf,cap_perfmon=p %1$s")
                .formatted(helper));
    Files.delete(helper);
    assertThat(shaper.unavailable().orElseThrow()).contains("install ua-killer");
    TrafficShaper relative =
        new TrafficShaper(
            new Helper(List.of("ls"), TIMEOUT),
            new NetworkDevice(directory, "eth0"),
            Optional.of(CGROUP),
            false);
    assertThat(relative.unavailable().orElseThrow()).contains("set its absolute path");
    TrafficShaper without =
        new TrafficShaper(
            new Helper(List.of(helper.toString()), TIMEOUT),
            new NetworkDevice(directory, "eth0"),
            Optional.empty(),
            false);
    assertThat(without.unavailable().orElseThrow()).contains("cgroup v2");
  }

  @Test
  void undoingClearsAndMayBeRepeated() throws IOException {
    shaper.limit(2e6);
    shaper.undo();
    shaper.undo();
    shaper.limit(2e6);
    String clear = "[network][clear][--device][eth0]";
    assertThat(calls()).containsExactly(limit(2_000_000), clear, clear, limit(2_000_000));
  }

  @Test
  void undoingThatFailsSaysHowToDoItByHand() throws IOException {
    behave("echo busy; exit 1");
    assertThatThrownBy(() -> shaper.undo())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("busy")
        .hasMessageContaining("ua-killer network clear --device eth0");
  }

  private void device(String name, int index) throws IOException {
    Path device = Files.createDirectories(directory.resolve("class/net").resolve(name));
    Files.writeString(device.resolve("ifindex"), index + "\n");
  }

  private void undo(Optional<NetworkDevice> known) throws IOException {
    Path bestEffort = Files.createDirectories(directory.resolve("best-effort"));
    behave(
        "case \"$2 $4\" in 'show eth0'|'show eth1') echo '{\"device\":\"x\",\"cgroup\":%s,\"x\":1}';; show*) echo '{\"cgroup\":1,\"x\":1}';; esac"
            .formatted(CgroupId.of(bestEffort)));
    EgressLimit.actuator(
            new EgressDevice(() -> known),
            directory,
            each ->
                new TrafficShaper(
                    new Helper(List.of(helper.toString()), TIMEOUT),
                    each,
                    Optional.of(bestEffort),
                    false))
        .undo();
  }

  /** The earlier NodeManager was killed, and this one sends through another device, or none yet. */
  @Test
  void undoingClearsAlsoTheOtherDevicesOfThisNodeButNoneOfAnotherNodeManager() throws IOException {
    device("eth1", 8);
    device("eth2", 9);
    device("eth3", 10);
    for (String shaper : List.of("charon-be8", "charon-be9", "charon-be11")) {
      Files.createDirectories(directory.resolve("class/net").resolve(shaper));
    }
    undo(Optional.of(new NetworkDevice(directory, "eth3")));
    assertThat(calls())
        .filteredOn(call -> call.contains("[clear]"))
        .containsExactly(
            "[network][clear][--device][eth3]",
            "[network][clear][--device][eth0]",
            "[network][clear][--device][eth1]");
    Files.delete(directory.resolve("calls"));
    undo(Optional.empty());
    assertThat(calls())
        .filteredOn(call -> call.contains("[clear]"))
        .containsExactly("[network][clear][--device][eth0]", "[network][clear][--device][eth1]");
  }

  @Test
  void withoutHelperUndoingFailsOnlyIfSomethingIsLeft() throws IOException {
    Files.delete(helper);
    assertThatThrownBy(() -> shaper.undo())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("ua-killer network clear --device eth0");
    Files.delete(directory.resolve("class/net/charon-be7"));
    shaper.undo();
  }
}
