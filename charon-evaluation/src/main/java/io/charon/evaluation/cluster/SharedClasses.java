/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import io.charon.evaluation.machine.TemporaryDirectory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An archive of the classes of YARN's daemons and of MapReduce's tasks, which their JVMs map
 * instead of reading and verifying each class anew (application class data sharing, JEP 350). It
 * saves a fifth of the processor time of a small cluster, most of which is for starting JVMs.
 * Without an archive, JVMs start as usual.
 *
 * <p>A JVM can use the archive if its class path begins with the jars of the installation, in the
 * same order.
 */
final class SharedClasses {
  private static final Logger LOG = LoggerFactory.getLogger(SharedClasses.class);

  /** On an idle machine it takes 10 s. */
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final Installation installation;

  private SharedClasses(Installation installation) {
    this.installation = installation;
  }

  static SharedClasses of(Installation installation) {
    return new SharedClasses(installation);
  }

  /** Returns the options with which a JVM uses the archive and the jars of the installation. */
  List<String> jvmOptions(String furtherClassPath) {
    return List.of(
        "-XX:SharedArchiveFile=" + archive(), "-cp", installation.lib() + "/*:" + furtherClassPath);
  }

  /**
   * Returns the same options for a JVM in a container that finds its other classes by the variable
   * {@code CLASSPATH}, with a blank before them.
   */
  String taskOptions() {
    return " " + String.join(" ", jvmOptions("$CLASSPATH"));
  }

  /** Makes the archive, unless it is newer than the jars or another process makes it now. */
  void prepare() {
    Path archive = archive();
    try (FileChannel file =
            FileChannel.open(
                archive.resolveSibling("classes.lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock lock = file.tryLock()) {
      if (lock != null && !isCurrent(archive)) {
        make(archive);
      }
    } catch (IOException | OverlappingFileLockException e) {
      LOG.warn("JVMs start slower, because there is no {}: {}", archive, e.getMessage());
    }
  }

  private void make(Path archive) throws IOException {
    Path made = archive.resolveSibling("classes.part");
    Files.deleteIfExists(made);
    Path directory = TemporaryDirectory.create("charon-classes-");
    try {
      Daemon jvm =
          Daemon.start(
              "the program that loads classes",
              List.of(
                  "--add-opens=java.base/java.lang=ALL-UNNAMED",
                  "-Xrs", // ends at once with Ctrl-C, without an orderly end of the daemons
                  "-Xmx256m",
                  "-XX:+UseSerialGC",
                  "-XX:TieredStopAtLevel=1",
                  "-Djava.io.tmpdir=" + directory,
                  "-XX:ArchiveClassesAtExit=" + made,
                  "-cp",
                  installation.lib() + "/*",
                  SharedClassesProgram.class.getName(),
                  directory.toString()),
              Map.of(),
              directory.resolve("log"));
      if (!jvm.awaitEnd(LIMIT)) {
        jvm.kill();
      }
      if (!jvm.hasSucceeded()) {
        throw new IOException(jvm.tail());
      }
      Files.move(made, archive, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(made);
      TemporaryDirectory.delete(directory);
    }
  }

  boolean isCurrent(Path archive) throws IOException {
    if (!Files.exists(archive)) {
      return false;
    }
    FileTime made = Files.getLastModifiedTime(archive);
    try (Stream<Path> jars = Files.list(installation.lib())) {
      for (Path jar : (Iterable<Path>) jars::iterator) {
        if (Files.getLastModifiedTime(jar).compareTo(made) > 0) {
          return false;
        }
      }
    }
    return true;
  }

  /** The archive is of use for this version of the JVM only. */
  private Path archive() {
    return installation
        .lib()
        .resolveSibling("classes-" + System.getProperty("java.vm.version") + ".jsa");
  }
}
