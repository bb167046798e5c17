/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests what a release's scripts remove, what they leave and what they refuse to remove. */
class UninstallScriptsTest extends ReleaseScripts {
  @Test
  void whatWasInstalledIsTakenAwayToTheLastByte() throws Exception {
    Map<String, String> before = listing();

    assertThat(install("--role", "nodemanager", "--role", "resourcemanager", "--main-class"))
        .contains(
            "installing Charon 1.0 in", "<xi:include", "then restart: nodemanager resourcemanager");
    assertThat(listing())
        .containsEntry("share/hadoop/yarn/lib/charon-nodemanager.jar", "charon-nodemanager 1.0")
        .containsEntry("etc/hadoop/shellprofile.d/charon.sh", "charon.sh 1.0");
    assertThat(uninstall()).contains("nothing of Charon is left");

    assertThat(listing()).isEqualTo(before);
  }

  @Test
  void whileYarnSiteNamesCharonNothingIsRemoved() throws Exception {
    install("--role", "nodemanager");
    yarnSite(INCLUDE);
    Map<String, String> before = listing();

    assertThat(refused("uninstall.sh"))
        .contains("yarn-site.xml still names charon-nodemanager.xml", "Nothing was changed");
    assertThat(listing()).isEqualTo(before);

    yarnSite("<!-- was:\n" + INCLUDE + "\n-->");
    assertThat(uninstall()).contains("nothing of Charon is left");
  }

  @Test
  void whileAnyFileOfTheConfigurationNamesCharonsClassesNothingIsRemoved() throws Exception {
    install("--role", "nodemanager", "--main-class");
    Map<String, String> files =
        Map.of(
            "core-site.xml",
            "<configuration><property><name>hadoop.http.filter.initializers</name>"
                + "<value>io.charon.nodemanager.yarn.NodePagesInitializer</value></property></configuration>",
            "hadoop-env.sh",
            "export HDFS_DATANODE_OPTS=-Dx=io.charon.nodemanager.yarn.NodePagesInitializer",
            "mine/included.xml",
            "<configuration>io.charon.scheduler.resourcemanager.BestEffortProcessor</configuration>");
    for (Map.Entry<String, String> file : files.entrySet()) {
      Path named = conf.resolve(file.getKey());
      Files.createDirectories(named.getParent());
      Files.writeString(named, file.getValue());
      Map<String, String> before = listing();

      assertThat(refused("uninstall.sh")).contains(named + " still names io.charon.");

      assertThat(listing()).isEqualTo(before);
      Files.delete(named);
    }
    Files.writeString(conf.resolve("hadoop-env.sh"), "# once: io.charon.nodemanager");
    assertThat(uninstall()).contains("nothing of Charon is left");
  }

  @Test
  @Tag("must-never")
  void whileTheConfigurationCannotBeReadNothingIsRemoved() throws Exception {
    assumeRoot();
    install("--role", "nodemanager", "--role", "resourcemanager");
    Path included = Files.createDirectories(conf.resolve("mine")).resolve("included.xml");
    Files.writeString(included, INCLUDE);
    Path secret = Files.writeString(directory.resolve("secret"), INCLUDE);
    Path link = conf.resolve("linked.xml");
    giveTo(SOMEBODY);
    Files.setAttribute(secret, "unix:uid", 0);
    Map<String, String> before = listing();

    for (Path hidden : List.of(conf.resolve("yarn-site.xml"), included.getParent(), conf)) {
      Files.setAttribute(hidden, "unix:uid", 0);
      var mode = Files.getPosixFilePermissions(hidden);
      Files.setPosixFilePermissions(hidden, PosixFilePermissions.fromString("rwx------"));
      asSomebody();
      assertThat(refused("uninstall.sh"))
          .contains("cannot read the configuration", hidden.toString(), "Nothing was changed");
      Files.setPosixFilePermissions(hidden, mode);
      Files.setAttribute(hidden, "unix:uid", SOMEBODY);
      assertThat(listing()).isEqualTo(before);
    }
    Files.delete(included);
    Files.createSymbolicLink(link, secret);
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    assertThat(refused("uninstall.sh")).contains("cannot read the configuration", link.toString());
    Files.delete(link);
    assertThat(uninstall()).contains("nothing of Charon is left");
  }

  @Test
  void aConfigurationThatIsMissingIsNamedWithTheCure() throws Exception {
    install("--role", "nodemanager");
    Files.move(conf, directory.resolve("moved"));

    assertThat(refused("uninstall.sh"))
        .contains(conf + " is missing", "create an empty directory", "Nothing was changed");

    assertThat(lib.resolve("charon-core.jar")).exists();
  }

  @Test
  @Tag("must-never")
  void whileAnotherConfigurationOfTheDaemonsNamesCharonNothingIsRemoved() throws Exception {
    Path first = Files.createDirectory(directory.resolve("conf.a"));
    Path second = Files.createDirectory(directory.resolve("conf.b"));
    current = Files.createSymbolicLink(directory.resolve("conf"), first);
    install("--role", "nodemanager");
    Files.delete(current);
    Files.createSymbolicLink(current, second);
    Map<String, String> before = listing();

    for (Path live : List.of(second, conf)) {
      Path site = Files.writeString(live.resolve("yarn-site.xml"), INCLUDE);
      assertThat(refused("uninstall.sh"))
          .contains(site + " still names charon-nodemanager.xml", "Nothing was changed");
      Files.writeString(site, "<configuration></configuration>");
      assertThat(listing()).isEqualTo(before);
    }
    Path copy = second.resolve("charon-nodemanager.xml");
    Files.writeString(copy, "<configuration>io.charon.Service</configuration>");
    assertThat(refused("uninstall.sh"))
        .contains(copy + " still names io.charon.: remove that file, which is a copy");
    Files.delete(copy);
    Files.delete(current);
    assertThat(refused("uninstall.sh")).contains(current + " is not a directory");
    current = null;
    assertThat(uninstall()).contains("nothing of Charon is left");
    assertThat(first).isEmptyDirectory();
  }

  @Test
  void anInstallationThatWasMovedIsCheckedUpgradedAndRemoved() throws Exception {
    Map<String, String> before = listing();
    install("--role", "nodemanager", "--main-class");
    Path recorded = conf;
    for (String place : List.of("moved", "moved-again")) {
      hadoop = Files.move(hadoop, directory.resolve(place));
      findPaths();

      for (String[] words : List.of(new String[] {"--check"}, new String[] {})) {
        assertThat(refused("install.sh", words)).contains(recorded.toString(), "--conf");
      }
      current = conf;
      assertThat(refused("install.sh"))
          .contains("--conf " + recorded + ", which is gone", "give --conf " + conf);
      current = null;
      assertThat(refused("uninstall.sh")).contains("name its new place with --conf");
      assertThat(install("--check", "--conf", conf.toString()))
          .contains("7 files, all as installed");
    }
    release("2.0");
    assertThat(install("--conf", conf.toString())).doesNotContain("kept, yours");
    assertThat(lib.resolve("charon-core.jar")).hasContent("charon-core 2.0");
    assertThat(install("--check")).contains("Charon 2.0 is installed");
    hadoop = Files.move(hadoop, directory.resolve("hadoop"));
    findPaths();
    assertThat(uninstall("--conf", conf.toString())).contains("nothing of Charon is left");
    assertThat(listing()).isEqualTo(before);
  }

  @Test
  void aLinkMayBeLeftAtTheOldPlace() throws Exception {
    install("--role", "nodemanager", "--main-class");
    Path old = hadoop;
    hadoop = Files.move(old, directory.resolve("hadoop-3.4.2"));
    Files.createSymbolicLink(old, hadoop);
    findPaths();
    Map<String, String> installed = listing();

    assertThat(refused("install.sh", "--check"))
        .contains("not an absolute path without links", "name its new place with --conf");
    for (Path named : List.of(conf, old.resolve("etc/hadoop"))) {
      assertThat(install("--check", "--conf", named.toString()))
          .contains("7 files, all as installed");
    }
    assertThat(listing()).isEqualTo(installed);
    release("2.0");
    assertThat(install("--conf", conf.toString())).doesNotContain("kept, yours");
    assertThat(install("--check")).contains("Charon 2.0 is installed");
    assertThat(uninstall()).contains("nothing of Charon is left");
  }

  @Test
  void aListWithAbsolutePathsIsRead() throws Exception {
    Map<String, String> before = listing();
    install("--role", "nodemanager", "--main-class");
    Path manifest = lib.resolve("charon-install.manifest");
    String relative = Files.readString(manifest);
    ProcessBuilder rewriting =
        new ProcessBuilder("bash", "-euc", InstallPage.block("bash back")).inheritIO();
    rewriting.environment().put("HADOOP_HOME", hadoop.toString());
    assertThat(rewriting.start().waitFor()).isZero();
    assertThat(manifest)
        .hasContent(
            relative.replace("  lib/", "  " + lib + "/").replace("  conf/", "  " + conf + "/"));

    assertThat(install("--check")).contains("7 files, all as installed");
    release("2.0");
    install();
    assertThat(manifest).content().doesNotContain("  /");
    assertThat(uninstall()).contains("nothing of Charon is left");
    assertThat(listing()).isEqualTo(before);
  }

  @Test
  void whatAnInterruptedInstallationLeftIsRemovedAndNothingOfOthers() throws Exception {
    Map<String, String> before = listing();
    install("--role", "nodemanager", "--main-class");
    for (Path unfinished :
        List.of(
            lib.resolve("charon-core.jar.charon-new.Ab3dEf6h"),
            lib.resolve("charon-install.manifest.charon-new.Ab3dEf6h"),
            conf.resolve("charon-nodemanager.xml.charon-new.Ab3dEf6h"),
            conf.resolve("shellprofile.d/charon.sh.charon-new.Ab3dEf6h"))) {
      Files.writeString(unfinished, "half a file");
    }
    Path others = Files.writeString(lib.resolve("jackson.jar.charon-new.1"), "somebody's");

    assertThat(uninstall()).contains("nothing of Charon is left");

    assertThat(others).hasContent("somebody's");
    Files.delete(others);
    assertThat(listing()).isEqualTo(before);
  }

  @Test
  @Tag("must-never")
  void aManifestThatNamesOtherFilesIsRefused() throws Exception {
    install("--role", "nodemanager");
    Path manifest = lib.resolve("charon-install.manifest");
    String installed = Files.readString(manifest);
    Path other = Files.writeString(directory.resolve("charon-others.jar"), "somebody's");
    String checksum = Checksums.sha256("somebody's".getBytes(StandardCharsets.UTF_8));
    for (String named :
        List.of(
            other.toString(),
            lib + "/../../../../../charon-others.jar",
            conf + "/../../../charon-others.xml",
            lib + "/jackson.jar",
            conf + "/yarn-site.xml")) {
      Files.writeString(manifest, installed + checksum + "  " + named + "\n");
      for (String script : List.of("install.sh", "uninstall.sh")) {
        assertThat(refused(script))
            .contains("names " + named + ", where install.sh installs nothing");
      }
    }
    Files.writeString(manifest, installed + checksum + "  lib/../../../../../charon-others.jar\n");
    assertThat(refused("uninstall.sh")).contains("where install.sh installs nothing");
    Files.writeString(manifest, installed.replaceAll("conf .*", "conf /etc/../" + conf));
    assertThat(refused("uninstall.sh")).contains("is not an absolute path without links");
    Files.delete(manifest);
    Files.createSymbolicLink(manifest, other);
    assertThat(refused("uninstall.sh")).contains("is not a regular file");
    assertThat(other).hasContent("somebody's");
  }

  @Test
  @Tag("must-never")
  void rootWritesAndRemovesOnlyWhereAllIsRoots() throws Exception {
    assumeRoot();
    Path manifest = lib.resolve("charon-install.manifest");
    for (Path others : List.of(lib, hadoop)) {
      Files.setAttribute(others, "unix:uid", 1);
      assertThat(refused("install.sh", "--role", "nodemanager"))
          .contains(others + " belongs to", "run this script as that user, not as root");
      Files.setAttribute(others, "unix:uid", 0);
    }
    Files.setPosixFilePermissions(conf, PosixFilePermissions.fromString("rwxrwxr-x"));
    assertThat(refused("install.sh", "--role", "nodemanager"))
        .contains("users other than root can write to " + conf);
    Files.setPosixFilePermissions(conf, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(manifest).doesNotExist();

    install("--role", "nodemanager");
    Files.setAttribute(conf, "unix:uid", 1);
    assertThat(refused("uninstall.sh")).contains(conf + " belongs to");
    Files.setAttribute(conf, "unix:uid", 0);
    Path profiles = Files.createDirectory(conf.resolve("shellprofile.d"));
    Files.setAttribute(profiles, "unix:uid", 1);
    assertThat(refused("install.sh", "--main-class")).contains(profiles + " belongs to");
    assertThat(profiles).isEmptyDirectory();
    Files.setAttribute(profiles, "unix:uid", 0);
    install("--main-class");
    Files.setAttribute(profiles, "unix:uid", 1);
    assertThat(refused("uninstall.sh")).contains("left: " + profiles.resolve("charon.sh"));
    assertThat(profiles.resolve("charon.sh")).exists();
    Files.setAttribute(profiles, "unix:uid", 0);
    install();
    for (Path others : List.of(lib, manifest)) {
      Files.setAttribute(others, "unix:uid", 1);
      assertThat(refused("uninstall.sh")).contains(others + " belongs to");
      Files.setAttribute(others, "unix:uid", 0);
    }
    assertThat(lib.resolve("charon-core.jar")).exists();

    Path state = Files.createDirectories(directory.resolve("user/charon-state"));
    Files.setAttribute(state.getParent(), "unix:uid", 1);
    assertThat(refused("uninstall.sh", "--state", state.toString()))
        .contains("left: " + state, "belongs to");
    assertThat(state).exists();
    Files.setAttribute(state.getParent(), "unix:uid", 0);
    assertThat(uninstall("--state", state.toString())).contains("nothing of Charon is left");
    assertThat(state).doesNotExist();
  }

  @Test
  void theUnitIsStoppedBeforeTheKillerIsUnloaded() throws Exception {
    assumeRoot();
    install("--role", "nodemanager");
    Files.createDirectory(directory.resolve("charon"));
    Path calls = directory.resolve("calls");
    Path own = Files.createDirectory(directory.resolve("programs"));
    program(own.resolve("systemctl"), "[ \"$1\" = cat ] || echo \"systemctl $*\" >>" + calls);
    program(directory.resolve("release/sbin/ua-killer"), "echo \"ua-killer $3\" >>" + calls);
    programs = own + ":" + System.getenv("PATH");

    assertThat(refused("uninstall.sh")).contains("left: the helper and its unit, which is stopped");
    assertThat(calls)
        .hasContent("systemctl disable --now charon-ua-killer.service\nua-killer unload");

    Files.delete(calls);
    program(own.resolve("systemctl"), "[ \"$1\" = cat ]");
    assertThat(refused("uninstall.sh")).contains("which does not stop");
    assertThat(calls).as("it would be loaded again").doesNotExist();
  }

  @Test
  void theCgroupThatTheUnitNamesIsRemovedToo() throws Exception {
    assumeRoot();
    install("--role", "nodemanager");
    String path = "/charon-test-of-unit-" + ProcessHandle.current().pid();
    Path cgroup = Path.of(cgroupMount() + path);
    Path own = Files.createDirectory(directory.resolve("programs"));
    program(
        own.resolve("systemctl"),
        """
        [ "$1" = cat ] || exit 0
        echo "# may be killed with --killable-below /charon-of-a-comment/best-effort"
        echo "ExecStartPre=+/sbin/ua-killer domain add host --killable-below %s/best-effort --promote-to %s/production"
        """
            .formatted(path, path));
    programs = own + ":" + System.getenv("PATH");
    Files.createDirectories(cgroup.resolve("best-effort"));
    try {
      assertThat(uninstall("--dry-run")).contains("would remove the cgroups " + cgroup);
      assertThat(refused("uninstall.sh")).contains("the helper and its unit, which is stopped");

      assertThat(cgroup).doesNotExist();
    } finally {
      Files.deleteIfExists(cgroup.resolve("best-effort"));
      Files.deleteIfExists(cgroup);
    }
  }

  /** Directories stand for cgroups: the kernel of this machine may have no memory limits of v2. */
  @Test
  void memoryLimitsOfVersion2AreLifted() throws Exception {
    Path mounts =
        Files.writeString(
            directory.resolve("mounts"), "cgroup2 " + directory + "/fs cgroup2 rw 0 0\n");
    Path script = directory.resolve("release/sbin/uninstall.sh");
    Files.writeString(
        script, Files.readString(script).replace("/proc/self/mounts", mounts.toString()));
    Path bestEffort =
        Files.createDirectories(directory.resolve("fs/charon-test-of-scripts/best-effort"));
    List<String> limits = List.of("memory.max", "memory.high", "memory.swap.max");
    for (String limit : limits) {
      Files.writeString(bestEffort.resolve(limit), "0\n");
    }
    assertThat(refused("uninstall.sh")).contains("which cannot be removed");
    for (String limit : limits) {
      assertThat(bestEffort.resolve(limit)).hasContent("max");
    }
  }

  @Test
  void whatWasEnabledOrStoppedIsNamedUntilItIsRemoved() throws Exception {
    Path state = directory.resolve("charon-state");
    Path overrides = state.resolve("overrides.properties");
    for (String role : List.of("nodemanager", "resourcemanager")) {
      Files.writeString(
          directory.resolve("release/conf/charon-" + role + ".xml"),
          Files.readString(Path.of("../conf/charon-" + role + ".xml"))
              .replace("/var/lib/charon", state.toString()));
    }
    assertThat(install("--role", "nodemanager")).doesNotContain("earlier installation");
    Files.createDirectory(state);
    Files.writeString(overrides, "yarn.nodemanager.charon.mode=off");
    Path order = Files.writeString(state.resolve("cluster-stop.properties"), "stop");

    assertThat(refused("uninstall.sh"))
        .contains("left: " + order + ", ", "left: " + overrides + ", ", "--state " + overrides);
    assertThat(install("--role", "nodemanager"))
        .contains("note: " + overrides + " is left from an earlier installation");
    assertThat(install()).doesNotContain("earlier installation");
    assertThat(uninstall("--state", state.toString())).contains("nothing of Charon is left");
    assertThat(state).doesNotExist();
  }

  @Test
  void stateThatThisUserMayNotRemoveIsNamed() throws Exception {
    assumeRoot();
    install("--role", "nodemanager");
    giveTo(SOMEBODY);
    Path state = Files.createDirectories(directory.resolve("charon-state/peaks"));
    asSomebody();

    assertThat(refused("uninstall.sh", "--state", state.getParent().toString()))
        .contains("left: " + state.getParent(), "run this script again, as root");
  }

  @Test
  void aDryRunChangesNothing() throws Exception {
    Map<String, String> before = listing();
    assertThat(install("--role", "nodemanager", "--dry-run"))
        .contains("would write", "nothing was changed");
    assertThat(listing()).isEqualTo(before);

    install("--role", "nodemanager");
    before = listing();
    assertThat(uninstall("--dry-run")).contains("would run: rm -f", "nothing was changed");
    uninstall("--dry-run", "--cgroup", "auto", "--bpffs", directory.toString());
    assertThat(listing()).isEqualTo(before);
  }

  /** Returns where a hierarchy of cgroups is mounted in which this user may create some. */
  private static String cgroupMount() throws IOException {
    Optional<String> mount =
        Files.readAllLines(Path.of("/proc/self/mounts")).stream()
            .map(line -> line.split(" ", 4))
            .filter(fields -> fields[2].startsWith("cgroup"))
            .map(fields -> fields[1])
            .filter(directory -> Files.isWritable(Path.of(directory)))
            .findFirst();
    assumeTrue(mount.isPresent(), "no writable cgroups here");
    return mount.get();
  }
}
