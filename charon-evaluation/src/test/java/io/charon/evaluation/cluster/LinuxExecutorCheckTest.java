/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinuxExecutorCheckTest {
  @TempDir private Path directory;
  private Path program;
  private Optional<String> cgroupRoot = Optional.of("/charon-test");

  @BeforeEach
  void aMachineOnWhichAllIsWell() throws IOException {
    process("0", "0022");
    program = program("exit 0");
  }

  @Test
  void whereTheProgramServesBothUsersNothingIsSaid() throws Exception {
    require("root", "root");
  }

  @Test
  void othersThanRootAreToldToBeRoot() throws IOException {
    process("1000", "0022");

    assertThatThrownBy(() -> require("root", "root"))
        .hasMessageContaining("run the command with sudo");
  }

  @Test
  void filesThatNoOtherUserCouldReadAreSaidBefore() throws IOException {
    process("0", "0077");

    assertThatThrownBy(() -> require("root", "root"))
        .hasMessageContaining("the umask is 0077")
        .hasMessageContaining("umask 022");
  }

  @Test
  void whereNodesHaveNoCgroupsTheCommandThatShowsWhyIsNamed() {
    cgroupRoot = Optional.empty();

    assertThatThrownBy(() -> require("root", "root"))
        .hasMessageContaining("needs memory cgroups")
        .hasMessageContaining("charon doctor");
  }

  @Test
  void aProgramThatIsMissingIsNamed() throws IOException {
    Files.delete(program);

    assertThatThrownBy(() -> require("root", "root"))
        .hasMessageStartingWith(program + " is not an executable program")
        .hasMessageContaining("--container-executor");
  }

  @Test
  void aProgramThatRefusesItsSetupSaysHowItMustBe() throws IOException {
    program =
        program(
            "echo 'The container-executor binary should be set setuid.';"
                + " echo 'Nonzero exit code=-1'; exit 22");

    assertThatThrownBy(() -> require("root", "root"))
        .hasMessageContaining("6050")
        .hasMessageEndingWith("should be set setuid.")
        .hasMessageNotContaining("\n");
  }

  @Test
  void aUserThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> require("root", "no-such-user"))
        .hasMessage(
            "there is no user no-such-user on this machine: name existing users with --run-as");
  }

  @Test
  void aUserThatTheProgramRefusesIsNamedWithTheKeysThatAllowIt() throws IOException {
    program =
        program(
            "[ \"$1\" = --checksetup ] && exit 0;"
                + " echo 'main : run as user is root'; echo 'Requested user root is banned'; exit 255");

    assertThatThrownBy(() -> require("root", "root"))
        .hasMessageContaining("does not run containers as root")
        .hasMessageContaining("allowed.system.users")
        .hasMessageEndingWith("Requested user root is banned");
  }

  @Test
  void whatAUserCannotReadIsNamed() throws IOException {
    program =
        program(
            "[ \"$1\" = --checksetup ] || [ \"$4\" = / ] || { echo \"no $4\"; exit 255; }; exit 0");

    assertThatThrownBy(() -> require("root", "root"))
        .hasMessageStartingWith("user root cannot read " + directory)
        .hasMessageEndingWith("no " + directory);
  }

  @Test
  void filesAreGivenWithoutFollowingLinks() throws IOException {
    Path outside = Files.writeString(directory.resolve("outside"), "kept");
    Path tree = Files.createDirectory(directory.resolve("tree"));
    Files.createSymbolicLink(tree.resolve("link"), outside);
    Files.writeString(tree.resolve("file"), "given");
    Object before = Files.getAttribute(outside, "unix:ctime");

    FileOwner.of(Files.getOwner(tree).getName()).chownTree(tree);

    assertThat(Files.getAttribute(outside, "unix:ctime")).isEqualTo(before);
    assertThat(tree.resolve("file")).hasContent("given");
  }

  private void require(String production, String bestEffort)
      throws IOException, InterruptedException {
    new LinuxExecutorCheck(directory.resolve("proc"))
        .require(
            new LinuxExecutor(program, production, bestEffort),
            cgroupRoot,
            new Installation(directory, directory, directory, "3.4.2"),
            directory);
  }

  private void process(String userId, String umask) throws IOException {
    Path self = Files.createDirectories(directory.resolve("proc/self"));
    Files.writeString(
        self.resolve("status"),
        "Name:\tjava\nUmask:\t%s\nUid:\t%s\t%2$s\t%2$s\t%2$s\n".formatted(umask, userId));
  }

  private Path program(String script) throws IOException {
    Path file = Files.createTempFile(directory, "program", "");
    Files.writeString(file, "#!/bin/sh\n" + script + "\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }
}
