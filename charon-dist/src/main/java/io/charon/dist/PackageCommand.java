/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import io.charon.cli.Charon;
import io.charon.cli.InstallPaths;
import io.charon.evaluation.cluster.Installation;
import io.charon.evaluation.machine.NativeTools;
import io.charon.evaluation.machine.Programs;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Creates the archive that operators install. */
@Command(
    name = "package",
    header = "Builds the archive that is installed on a cluster's machines.",
    description = {
      "%nWrites charon-VERSION-hadoop-LINE.tar.gz and its checksum: the jars for "
          + "Hadoop's daemons, the helper of the kernel UA killer, this command with its "
          + "manual pages and completion, configuration to include from yarn-site.xml, "
          + "sbin/install.sh and sbin/uninstall.sh, the documentation, and a bill of materials "
          + "(CycloneDX). Hadoop is not included. docs/install.md describes the installation.",
      "%nThe build is reproducible: the same repository gives the same bytes. Entries "
          + "are sorted, belong to root and have the same time, that of the last commit or, if "
          + "it is set, of SOURCE_DATE_EPOCH (seconds). The helper is compiled for this "
          + "machine's architecture and statically linked. CHARON_HADOOP=3.5 packages for the "
          + "other Hadoop line.%n"
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the archive is written",
      "1:a part is missing; the message names the command to run",
      "2:wrong usage"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon package                       target/charon-...-hadoop-3.4.tar.gz and .sha256",
      "  charon package --out /srv/releases",
      "  CHARON_HADOOP=3.5 bin/charon package",
    })
final class PackageCommand implements Callable<Integer> {
  private static final String EPOCH = "SOURCE_DATE_EPOCH";
  private static final double MEBIBYTE = 1024 * 1024;

  private final Path root;
  private final Map<String, String> environment;

  @Spec private CommandSpec spec;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Directory for the archive; created if it is missing (default: target).")
  private Path out;

  /**
   * Creates the command.
   *
   * @param root root directory of the repository
   * @param environment environment variables, which may include SOURCE_DATE_EPOCH
   */
  PackageCommand(Path root, Map<String, String> environment) {
    this.root = root;
    this.environment = environment;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter terminal = spec.commandLine().getOut();
    try {
      Instant time = time();
      Installation installation = Installation.locate();
      Path home = installation.lib().getParent();
      String line = installation.hadoopVersion().replaceFirst("(\\d+\\.\\d+).*", "$1");
      String version = versionOf(installation.jobJar());
      say(terminal, "the helper (compiled unless it is newer than its sources)");
      Path helper = NativeTools.upToDate(root).killer();
      say(terminal, "jars, configuration, manual pages, bill of materials");
      CommandLine command = Charon.commandLine(new InstallPaths(root, helper, true));
      ReleaseFiles files =
          new Release(root, home, command, PackageCommand::debianVersion)
              .collect(version, line, helper, time);
      String top = "charon-" + version + "-hadoop-" + line;
      Path directory = Files.createDirectories(out == null ? root.resolve("target") : out);
      Path archive = directory.resolve(top + ".tar.gz");
      say(terminal, "writing " + archive);
      ReleaseArchive.write(archive, top, files, time);
      terminal.printf(
          "%s  %s%n%d files, %.1f MiB, of %s%n",
          Checksums.writeBeside(archive),
          archive,
          files.size(),
          Files.size(archive) / MEBIBYTE,
          time);
      terminal.flush();
      return 0;
    } catch (IOException | IllegalStateException | IllegalArgumentException e) {
      spec.commandLine().getErr().println("charon: no archive: " + e.getMessage());
      return 1;
    }
  }

  private Instant time() throws IOException, InterruptedException {
    String epoch = environment.get(EPOCH);
    if (epoch == null) {
      try {
        epoch = Programs.run(List.of("git", "-C", root.toString(), "log", "-1", "--format=%ct"));
      } catch (IOException e) {
        throw new IOException(
            "the time of the last commit is not known; set "
                + EPOCH
                + " to the seconds since 1970 that all files should have. "
                + e.getMessage(),
            e);
      }
    }
    try {
      return Instant.ofEpochSecond(Long.parseLong(epoch.strip()));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          EPOCH + "=" + epoch.strip() + " is not a number of seconds since 1970", e);
    }
  }

  private static String versionOf(Path jar) {
    return jar.getFileName().toString().replaceFirst("^charon-evaluation-(.*)\\.jar$", "$1");
  }

  private static Optional<String> debianVersion(String name) {
    try {
      return Optional.of(Programs.run(List.of("dpkg-query", "-W", "-f=${Version}", name)).strip());
    } catch (IOException notDebian) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /** Prints a line and flushes, because the compiler may write to the same terminal next. */
  private static void say(PrintWriter out, String what) {
    out.println("charon: " + what);
    out.flush();
  }
}
