/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.doctor.ContainerExecutorSetup.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("hadoop")
class ContainerExecutorSetupTest {
  private static final String PREFIX = "yarn.nodemanager.linux-container-executor.";
  private static final String GROUP = PREFIX + "group=hadoop\n";
  private static final FileRights ROOTS = new FileRights(0, "root", 0755);

  @TempDir private Path directory;
  private Path limits;
  private Path program;
  private final Map<Path, FileRights> rights = new HashMap<>();
  private final Map<String, Long> users = new HashMap<>(Map.of("nobody", 65_534L, "app", 400L));
  private final Configuration site = new Configuration(false);

  @BeforeEach
  void install() throws IOException {
    Path home = directory.toRealPath();
    limits = Files.createDirectories(home.resolve("etc/hadoop")).resolve("container-executor.cfg");
    program = Files.createDirectory(home.resolve("bin")).resolve("container-executor");
    Files.createFile(program);
    rights.put(limits, new FileRights(0, "hadoop", 0640));
    rights.put(program, new FileRights(0, "hadoop", 06050));
  }

  @Test
  void aSetupThatTheProgramAcceptsHasNoFindings() throws IOException {
    assertThat(findings(GROUP + "min.user.id=500\nbanned.users=yarn\n")).isEmpty();
    assertThat(findings("# min.user.id=70000\n" + GROUP)).as("defaults").isEmpty();
    assertThat(findings(GROUP + "[docker]\nbanned.users=nobody\n")).as("a section").isEmpty();
    site.set(PREFIX + "group", "hadoop");
    site.set(PREFIX + "path", program.toString());
    assertThat(findings(GROUP)).isEmpty();
    rights.clear();
    assertThat(findings(GROUP)).as("rights that doctor may not read").isEmpty();
  }

  @Test
  void theGroupIsTheOneOfTheNodeManager() throws IOException {
    assertThat(only("min.user.id=1000\n"))
        .extracting(Finding::status, Finding::problem)
        .containsExactly(CheckStatus.MISSING, limits + " does not set " + PREFIX + "group");
    site.set(PREFIX + "group", "yarn");
    assertThat(only(GROUP).problem())
        .isEqualTo("%sgroup is hadoop in %s and yarn in yarn-site.xml", PREFIX, limits);
  }

  @Test
  void theProgramBecomesRootForItsGroupOnly() throws IOException {
    for (FileRights wrong :
        List.of(
            new FileRights(1000, "hadoop", 06050),
            new FileRights(0, "users", 06050),
            new FileRights(0, "hadoop", 0750),
            new FileRights(0, "hadoop", 06051))) {
      rights.put(program, wrong);
      Finding finding = only(GROUP);
      assertThat(finding.status()).isEqualTo(CheckStatus.MISSING);
      assertThat(finding.problem()).contains(program + " has " + wrong, "group hadoop", "6050");
      assertThat(finding.cure()).isEqualTo("chown root:hadoop %s; chmod 6050 %s", program, program);
    }
    Path elsewhere = directory.resolve("nowhere");
    site.set(PREFIX + "path", elsewhere.toString());
    assertThat(only(GROUP).problem())
        .isEqualTo("%spath names %s, which does not exist", PREFIX, elsewhere);
  }

  @Test
  void onlyRootChangesTheFileAndTheDirectoriesAboveIt() throws IOException {
    rights.put(limits, new FileRights(1000, "hadoop", 0640));
    rights.put(limits.getParent(), new FileRights(0, "root", 0775));
    rights.put(limits.getParent().getParent(), ROOTS);
    rights.put(Path.of("/"), new FileRights(0, "root", 0757));
    assertThat(findings(GROUP))
        .extracting(Finding::problem)
        .containsExactly(
            "others than root may change %s (owner 1000, group hadoop, mode 0640)"
                .formatted(limits),
            "others than root may change %s (owner 0, group root, mode 0775)"
                .formatted(limits.getParent()),
            "others than root may change / (owner 0, group root, mode 0757)");
    assertThat(findings(GROUP).get(1).cure())
        .isEqualTo("chown root %s; chmod go-w %s", limits.getParent(), limits.getParent());
    rights.put(limits.getParent(), new FileRights(0, "root", 01777));
    assertThat(findings(GROUP).get(1).cure())
        .isEqualTo("move Hadoop's configuration out of %s", limits.getParent());
  }

  @Test
  void theUserOfContainersIsPermitted() throws IOException {
    String local = PREFIX + "nonsecure-mode.local-user";
    assertThat(only(GROUP + "banned.users=yarn,nobody\n").problem())
        .contains(limits + " bans user nobody", "banned.users is yarn,nobody");
    assertThat(only(GROUP + "min.user.id=many\n").problem())
        .isEqualTo("min.user.id in %s is not a number: many", limits);

    site.set(local, "app");
    Finding tooLow = only(GROUP);
    assertThat(tooLow.status()).isEqualTo(CheckStatus.DEGRADED);
    assertThat(tooLow.problem())
        .contains("user app", "id 400", "min.user.id = 1000 in " + limits, "allowed.system.users");
    assertThat(tooLow.cure()).contains("allowed.system.users", local);
    assertThat(findings(GROUP + "allowed.system.users=foo,app\n")).isEmpty();
    assertThat(findings(GROUP + "allowed.system.users=foo, app\n"))
        .as("the program takes the space as part of the name")
        .hasSize(1);
    assertThat(findings(GROUP + "min.user.id=400\n")).isEmpty();

    for (String refused : List.of("root", "stranger", "yarn")) {
      users.put("yarn", 2000L);
      site.set(local, refused);
      assertThat(only(GROUP).problem()).contains(refused);
    }
    site.set(PREFIX + "nonsecure-mode.limit-users", "false");
    assertThat(findings(GROUP)).as("containers run as their submitters").isEmpty();
  }

  @Test
  void rightsAndUsersAreThoseOfTheMachine() throws IOException {
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-x---"));
    FileRights read = FileRights.of(program).orElseThrow();
    assertThat(read.mode()).isEqualTo(0750);
    assertThat(read.owner()).isEqualTo(Files.getAttribute(program, "unix:uid"));
    assertThat(FileRights.of(directory.resolve("nowhere"))).isEmpty();
    assertThat(UserId.of("root")).hasValue(0);
    assertThat(UserId.of("no-such-user-of-charon")).isEmpty();
  }

  private Finding only(String configuration) throws IOException {
    List<Finding> findings = findings(configuration);
    assertThat(findings).hasSize(1);
    return findings.get(0);
  }

  private List<Finding> findings(String configuration) throws IOException {
    Files.writeString(limits, configuration);
    return new ContainerExecutorSetup(
            path -> Optional.ofNullable(rights.get(path)),
            user ->
                users.containsKey(user) ? OptionalLong.of(users.get(user)) : OptionalLong.empty())
        .findings(limits, site);
  }
}
