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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a release's install.sh and uninstall.sh on directories that look like a Hadoop. */
class InstallScriptsTest {
  private static final Path SCRIPTS = Path.of("src/main/release/sbin").toAbsolutePath();
  private static final int SOMEBODY = 65534;
  private static final String INCLUDE =
      "<xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\"charon-nodemanager.xml\"/>";

  @TempDir Path directory;
  private Path hadoop;
  private Path lib;
  private Path conf;
  private List<String> prefix = List.of();
  private String programs = System.getenv("PATH");

  /** Value of HADOOP_CONF_DIR, or null. */
  private Path current;

  @BeforeEach
  void layOut() throws IOException {
    hadoop = directory.resolve("hadoop");
    findPaths();
    Files.createDirectories(lib);
    Files.createDirectories(conf);
    Path common = Files.createDirectories(hadoop.resolve("share/hadoop/common"));
    Files.writeString(common.resolve("hadoop-common-3.4.2.jar"), "Hadoop");
    Files.writeString(lib.resolve("jackson.jar"), "Hadoop's own");
    yarnSite("");
    release("1.0");
  }

  private void findPaths() {
    lib = hadoop.resolve("share/hadoop/yarn/lib");
    conf = hadoop.resolve("etc/hadoop");
  }

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

  @Test
  void anotherHadoopLineIsRefused() throws Exception {
    Path common = hadoop.resolve("share/hadoop/common");
    Files.move(
        common.resolve("hadoop-common-3.4.2.jar"), common.resolve("hadoop-common-3.5.0.jar"));

    assertThat(refused("install.sh", "--role", "nodemanager"))
        .contains("is Hadoop 3.5.0, this release is for 3.4: take charon-1.0-hadoop-3.5.tar.gz");
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

  private static void assumeRoot() {
    assumeTrue(System.getProperty("user.name").equals("root"), "this needs root");
  }

  /** Gives Hadoop to a user. */
  private void giveTo(int user) throws IOException {
    try (Stream<Path> tree = Files.walk(hadoop)) {
      for (Path path : tree.toList()) {
        Files.setAttribute(path, "unix:uid", user);
      }
    }
  }

  /** From now on the scripts run as that user. */
  private void asSomebody() throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    prefix = List.of("setpriv", "--reuid", Integer.toString(SOMEBODY), "--clear-groups");
  }

  private static void program(Path file, String script) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
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

  private void yarnSite(String content) throws IOException {
    Files.writeString(
        conf.resolve("yarn-site.xml"), "<configuration>" + content + "</configuration>");
  }

  private void release(String version) throws IOException {
    Path release = directory.resolve("release");
    Path sbin = Files.createDirectories(release.resolve("sbin"));
    for (String script : List.of("install.sh", "uninstall.sh", "install-helper.sh", "common.sh")) {
      Path copy = sbin.resolve(script);
      Files.deleteIfExists(copy);
      Files.copy(SCRIPTS.resolve(script), copy);
    }
    Files.writeString(release.resolve("RELEASE"), "version=" + version + "\nhadoop=3.4\n");
    for (String file :
        List.of(
            "share/hadoop/yarn/lib/charon-core.jar",
            "share/hadoop/yarn/lib/charon-web.jar",
            "share/hadoop/yarn/lib/charon-nodemanager.jar",
            "share/hadoop/yarn/lib/charon-scheduler.jar",
            "share/hadoop/yarn/lib/kernel-ua-killer.jar",
            "conf/charon-nodemanager.xml",
            "conf/charon-resourcemanager.xml",
            "conf/shellprofile.d/charon.sh")) {
      Path made = release.resolve(file);
      Files.createDirectories(made.getParent());
      String name = made.getFileName().toString().replace(".jar", "");
      Files.writeString(made, name + " " + version);
    }
  }

  private Map<String, String> listing() throws IOException {
    Map<String, String> listing = new TreeMap<>();
    try (Stream<Path> tree = Files.walk(hadoop)) {
      for (Path file : tree.toList()) {
        listing.put(
            hadoop.relativize(file).toString(),
            Files.isDirectory(file) ? "directory" : Files.readString(file));
      }
    }
    return listing;
  }

  private String install(String... words) throws Exception {
    return succeeded("install.sh", words);
  }

  private String uninstall(String... words) throws Exception {
    return succeeded("uninstall.sh", words);
  }

  private String succeeded(String script, String... words) throws Exception {
    Result result = run(script, words);
    assertThat(result.code()).as(result.output()).isZero();
    return result.output();
  }

  private String refused(String script, String... words) throws Exception {
    Result result = run(script, words);
    assertThat(result.code()).as(result.output()).isEqualTo(1);
    return result.output();
  }

  private Result run(String[] words) throws Exception {
    return run(words[0], Stream.of(words).skip(1).toArray(String[]::new));
  }

  private Result run(String script, String... words) throws Exception {
    List<String> command = new ArrayList<>(prefix);
    command.addAll(List.of("bash", directory.resolve("release/sbin").resolve(script).toString()));
    command.addAll(List.of(words));
    if (script.equals("uninstall.sh") && !command.contains("--cgroup")) {
      // Names that no NodeManager of this machine uses.
      command.addAll(
          List.of("--cgroup", "/charon-test-of-scripts", "--bpffs", directory.toString()));
    }
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("HADOOP_HOME", hadoop.toString());
    builder.environment().put("PATH", programs);
    builder.environment().remove("HADOOP_CONF_DIR");
    if (current != null) {
      builder.environment().put("HADOOP_CONF_DIR", current.toString());
    }
    builder.environment().remove("JAVA_HOME");
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Result(process.waitFor(), output);
  }

  private record Result(int code, String output) {}
}
