/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests installation and upgrades by a release's scripts. */
class InstallScriptsTest extends ReleaseScripts {
  @Test
  void aResourceManagerGetsNothingOfANode() throws Exception {
    install("--role", "resourcemanager");

    assertThat(listing().keySet())
        .filteredOn(path -> path.startsWith("share/hadoop/yarn/lib/"))
        .containsExactlyInAnyOrder(
            "share/hadoop/yarn/lib/jackson.jar",
            "share/hadoop/yarn/lib/charon-core.jar",
            "share/hadoop/yarn/lib/charon-web.jar",
            "share/hadoop/yarn/lib/charon-scheduler.jar",
            "share/hadoop/yarn/lib/charon-install.manifest");
  }

  @Test
  void aSecondRunChangesNothingAndAnUpgradeKeepsRolesAndChangedFragments() throws Exception {
    install("--role", "nodemanager");
    Map<String, String> installed = listing();
    assertThat(install()).contains("unchanged    " + lib.resolve("charon-nodemanager.jar"));
    assertThat(listing()).isEqualTo(installed);
    Files.writeString(
        conf.resolve("charon-nodemanager.xml"), "<configuration>mine</configuration>");

    release("2.0");
    assertThat(install())
        .contains(
            "upgrading Charon 1.0 in",
            " to 2.0",
            "kept, yours  " + conf.resolve("charon-nodemanager.xml"));

    assertThat(listing())
        .containsEntry("share/hadoop/yarn/lib/charon-nodemanager.jar", "charon-nodemanager 2.0")
        .containsEntry("etc/hadoop/charon-nodemanager.xml", "<configuration>mine</configuration>");
    assertThat(install("--check")).contains("Charon 2.0 is installed", "all as installed");
    assertThat(uninstall()).contains("kept as charon-nodemanager.xml.charon-save");
  }

  @Test
  void anUpgradeTakesAwayWhatTheNewReleaseDoesNotNeed() throws Exception {
    install("--role", "nodemanager");
    Path superseded = lib.resolve("charon-old.jar");
    Files.writeString(superseded, "charon-old 1.0");
    Path manifest = lib.resolve("charon-install.manifest");
    Files.writeString(
        manifest,
        Files.readString(manifest)
            + Checksums.sha256("charon-old 1.0".getBytes(StandardCharsets.UTF_8))
            + "  "
            + superseded
            + "\n");

    release("2.0");
    assertThat(install("--dry-run")).contains("would run: rm -f -- " + superseded);
    assertThat(superseded).exists();
    assertThat(install()).contains("removed      " + superseded);

    assertThat(superseded).doesNotExist();
    assertThat(install("--check")).contains("Charon 2.0 is installed");
  }

  @Test
  void aDaemonThatRunsKeepsTheFileThatItHasOpen() throws Exception {
    install("--role", "nodemanager");
    Path jar = lib.resolve("charon-nodemanager.jar");
    try (var running = Files.newInputStream(jar)) {
      release("2.0");
      install();

      assertThat(running.readAllBytes()).asString().isEqualTo("charon-nodemanager 1.0");
    }
    assertThat(jar).hasContent("charon-nodemanager 2.0");
  }

  @Test
  @Tag("must-never")
  void filesOfOthersAreNeverOverwritten() throws Exception {
    Files.writeString(lib.resolve("charon-core.jar"), "built by hand");
    Map<String, String> before = listing();

    assertThat(refused("install.sh", "--role", "nodemanager"))
        .contains("charon-core.jar already exists and was not installed by install.sh");

    assertThat(listing()).isEqualTo(before);
  }

  @Test
  @Tag("must-never")
  void aFileThatCannotBeReadIsNeverOverwritten() throws Exception {
    assumeRoot();
    Path fragment = conf.resolve("charon-nodemanager.xml");
    giveTo(SOMEBODY);
    asSomebody();
    for (int round = 0; round < 2; round++) {
      Files.writeString(fragment, "root's");
      Files.setPosixFilePermissions(fragment, PosixFilePermissions.fromString("rw-------"));
      Map<String, String> before = listing();

      assertThat(refused("install.sh", "--role", "nodemanager"))
          .contains("cannot read " + fragment);

      assertThat(listing()).isEqualTo(before);
      Files.delete(fragment);
      // From now on the manifest lists the fragment.
      install("--role", "nodemanager");
      Files.delete(fragment);
      release("2.0");
    }
  }

  @Test
  void aSecondCopyOnTheClassPathIsNamed() throws Exception {
    Path old = hadoop.resolve("share/hadoop/common/charon-scheduler-0.9.jar");
    Files.writeString(old, "old");

    assertThat(refused("install.sh", "--role", "nodemanager"))
        .contains(old + " is a second copy of Charon");
    Files.delete(old);
    install("--role", "nodemanager");
    Files.writeString(old, "old");
    assertThat(refused("install.sh", "--check")).contains(old + " is a second copy of Charon");
  }

  @Test
  void aHalfUpgradedNodeIsNamedWithTheCure() throws Exception {
    install("--role", "nodemanager");
    Files.writeString(lib.resolve("charon-core.jar"), "charon-core 0.5");

    assertThat(refused("install.sh", "--check"))
        .contains(
            "charon-core.jar is not the file that Charon 1.0 installed; the node is partly upgraded");
    release("2.0");
    assertThat(refused("install.sh"))
        .contains("charon-core.jar was changed after Charon 1.0 was installed");
    Files.delete(lib.resolve("charon-core.jar"));
    install();
    assertThat(install("--check")).contains("Charon 2.0 is installed");
  }

  @Test
  void anInterruptedInstallationIsCompletedByRunningItAgain() throws Exception {
    install("--role", "nodemanager");
    release("2.0");
    // The state after the machine stopped when the first file had been written.
    Files.writeString(lib.resolve("charon-nodemanager.jar"), "charon-nodemanager 2.0");

    install();

    assertThat(install("--check")).contains("Charon 2.0 is installed");
  }

  @Test
  void aFirstInstallationThatIsInterruptedIsTakenAwayOrNamed() throws Exception {
    Map<String, String> before = listing();
    interruptedAt("charon-web.jar", "--role", "nodemanager");
    assertThat(lib.resolve("charon-core.jar")).exists();
    assertThat(lib.resolve("charon-web.jar")).doesNotExist();

    assertThat(uninstall()).contains("nothing of Charon is left");
    assertThat(listing()).isEqualTo(before);

    Files.writeString(lib.resolve("charon-core.jar"), "of an installation without a manifest");
    assertThat(refused("uninstall.sh"))
        .contains(
            "left: " + lib.resolve("charon-core.jar"), "charon-install.manifest does not list");
  }

  @Test
  void anUpgradeThatIsInterruptedCanBeTakenBackCompletedAndRemoved() throws Exception {
    Map<String, String> before = listing();
    for (String wanted : List.of("1.0", "2.0", "none")) {
      release("1.0");
      install("--role", "resourcemanager");
      release("2.0");
      interruptedAt("charon-resourcemanager.xml", "--role", "nodemanager");
      assertThat(conf.resolve("charon-nodemanager.xml")).hasContent("charon-nodemanager.xml 2.0");
      assertThat(refused("install.sh", "--check")).contains("was interrupted");

      if (!wanted.equals("none")) {
        release(wanted);
        assertThat(install()).doesNotContain("kept, yours");
        assertThat(install("--check")).contains("Charon " + wanted + " is installed");
        assertThat(conf.resolve("charon-nodemanager.xml"))
            .hasContent("charon-nodemanager.xml " + wanted);
      }
      assertThat(uninstall()).contains("nothing of Charon is left").doesNotContain("kept");
      assertThat(listing()).isEqualTo(before);
    }
  }

  @Test
  void afterAnInterruptedUpgradeAFragmentThatYouChangeIsStillYours() throws Exception {
    install("--role", "nodemanager");
    release("2.0");
    interruptedAt("charon-resourcemanager.xml");
    Path fragment = Files.writeString(conf.resolve("charon-nodemanager.xml"), "mine");

    assertThat(install()).contains("kept, yours  " + fragment);

    assertThat(fragment).hasContent("mine");
    assertThat(install("--check")).contains("Charon 2.0 is installed");
  }

  @Test
  void anotherHadoopLineIsRefused() throws Exception {
    Path common = hadoop.resolve("share/hadoop/common");
    Files.move(
        common.resolve("hadoop-common-3.4.2.jar"), common.resolve("hadoop-common-3.5.0.jar"));

    assertThat(refused("install.sh", "--role", "nodemanager"))
        .contains("is Hadoop 3.5.0, this release is for 3.4: take charon-1.0-hadoop-3.5.tar.gz");
  }

  @Test
  void anUpgradeWithAnotherConfigurationIsRefusedWithTheCure() throws Exception {
    current = Files.createDirectory(directory.resolve("conf.a"));
    install("--role", "nodemanager");
    Path first = current;
    current = Files.createDirectory(directory.resolve("conf.b"));

    assertThat(refused("install.sh"))
        .contains(
            "installed with --conf " + first + ": give that again to keep it",
            "run uninstall.sh first to use " + current);

    assertThat(refused("install.sh", "--check", "--conf", current.toString()))
        .contains("is installed with --conf " + first);
    assertThat(current).isEmptyDirectory();
    install("--conf", first.toString());
    install("--check", "--conf", first.toString());
    current = null;
    install();
  }

  @Test
  void fragmentsThatWereSavedAreNamedEachTimeAndNeverReplaced() throws Exception {
    Path fragment = conf.resolve("charon-nodemanager.xml");
    for (int round = 1; round <= 2; round++) {
      install("--role", "nodemanager");
      Files.writeString(fragment, "<configuration>mine " + round + "</configuration>");
      uninstall();
    }

    Path first = conf.resolve("charon-nodemanager.xml.charon-save");
    Path second = conf.resolve("charon-nodemanager.xml.charon-save.2");
    assertThat(first).hasContent("<configuration>mine 1</configuration>");
    assertThat(second).hasContent("<configuration>mine 2</configuration>");
    install("--role", "nodemanager");
    assertThat(uninstall()).contains("kept: " + first + ",", "kept: " + second + ",");
  }

  @Test
  @Tag("must-never")
  void noLinkThatWaitsUnderTheNameOfACopyIsFollowed() throws Exception {
    Path other = Files.writeString(directory.resolve("other"), "somebody's");
    Path jar = lib.resolve("charon-core.jar.charon-new");
    Path manifest = lib.resolve("charon-install.manifest.charon-new");
    Files.createSymbolicLink(jar, other);
    Files.createSymbolicLink(manifest, other);

    install("--role", "nodemanager");

    assertThat(other).hasContent("somebody's");
  }

  @Test
  void anUpgradeOfTheHelperKeepsItsGroupAndItsCapabilities() throws Exception {
    assumeRoot();
    Path helper = Files.createDirectory(directory.resolve("sbin")).resolve("ua-killer");
    Path own = Files.createDirectory(directory.resolve("programs"));
    Path capabilities = directory.resolve("capabilities");
    // As the kernel does: a new content has none.
    program(own.resolve("getcap"), "[ ! -e " + capabilities + " ] || cat " + capabilities);
    program(own.resolve("setcap"), "echo \"set $1 $(stat -c %a $2) $(cat $2)\"");
    programs = own + ":" + System.getenv("PATH");
    Path shipped = directory.resolve("release/sbin/ua-killer");
    program(shipped, "echo 1.0");

    assertThat(run("install-helper.sh", "--to", helper.toString()).code()).isEqualTo(2);
    String installed =
        succeeded("install-helper.sh", "--to", helper.toString(), "--group", "daemon");
    assertThat(installed).contains("for the group daemon").doesNotContain("capabilities");
    assertThat(helper).hasSameBinaryContentAs(shipped);
    for (String printed : List.of(" cap_bpf,cap_perfmon=p", " = cap_bpf,cap_perfmon+p")) {
      Files.writeString(capabilities, helper + printed);
      program(shipped, "echo 2.0" + printed.length());
      String given = printed.replaceFirst(" (= )?", "");

      assertThat(succeeded("install-helper.sh", "--to", helper.toString()))
          .contains("set " + given + " 750 #!/bin/sh\necho 2.0", "the group daemon");
      assertThat(helper).hasSameBinaryContentAs(shipped);
    }
    program(own.resolve("setcap"), "exit 1");
    program(shipped, "echo 3.0");
    assertThat(refused("install-helper.sh", "--to", helper.toString()))
        .contains("keeps its old content", "cap_bpf,cap_perfmon+p cannot be set");
    assertThat(helper).content().contains("echo 2.0");
    try (Stream<Path> files = Files.list(helper.getParent())) {
      assertThat(files).containsExactly(helper);
    }
  }

  @Test
  void ownListsOfServicesAndMissingRecoveryArePointedOut() throws Exception {
    yarnSite(
        "<property><name>yarn.nodemanager.aux-services</name>\n<value>spark_shuffle</value></property>");

    assertThat(install("--role", "nodemanager"))
        .contains(
            "yarn.nodemanager.aux-services to 'spark_shuffle': add ',charon' there",
            "yarn.nodemanager.recovery.enabled is not true");
  }

  @Test
  void wrongWordsAreNamed() throws Exception {
    Path link = Files.createSymbolicLink(directory.resolve("link"), hadoop);
    for (String[] words :
        List.of(
            new String[] {"install.sh", "--role", "master"},
            new String[] {"install.sh", "--frobnicate"},
            new String[] {"install.sh"},
            new String[] {"uninstall.sh", "--cgroup", "/"},
            new String[] {"uninstall.sh", "--cgroup", "/charon/.."},
            new String[] {"uninstall.sh", "--state", "/var"},
            new String[] {"uninstall.sh", "--state", "/x/charon/../../etc"},
            new String[] {"uninstall.sh", "--state", link + "/charon"})) {
      Result result = run(words);
      assertThat(result.code()).as(result.output()).isEqualTo(2);
      assertThat(result.output()).contains("--help shows the usage");
    }
  }

  /** Runs install.sh until it puts the file of that name in place, which fails. */
  private void interruptedAt(String file, String... words) throws Exception {
    Path own = Files.createDirectories(directory.resolve("interrupting"));
    program(
        own.resolve("mv"), "case $* in */%s) exit 1 ;; esac\nexec /bin/mv \"$@\"".formatted(file));
    String usual = programs;
    programs = own + ":" + usual;
    refused("install.sh", words);
    programs = usual;
  }
}
