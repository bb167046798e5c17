/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The location of the jars that daemons and tasks run from: the output directory of module {@code
 * charon-dist} for one Hadoop version.
 *
 * @param lib directory of the runtime jars: Hadoop, Charon's modules and their libraries
 * @param jobJar the jar with the job classes of demo and benchmarks, {@code charon-evaluation}
 * @param inputSources directory of source jars, the default input of the demo
 * @param hadoopVersion version of the Hadoop jars in {@code lib}
 */
public record Installation(Path lib, Path jobJar, Path inputSources, String hadoopVersion) {
  /** System property with the directory; {@code bin/charon} sets it. */
  public static final String HOME_PROPERTY = "charon.home";

  private static final String HADOOP_COMMON = "hadoop-common-";

  /**
   * Finds the installation that this JVM runs from: {@value #HOME_PROPERTY}, or else the directory
   * above the one that holds the jar of this class.
   *
   * @throws IllegalStateException if a jar is missing there; the message says what to run
   */
  public static Installation locate() {
    String home = System.getProperty(HOME_PROPERTY);
    return at(home == null ? aboveTheJarOfThisClass() : Path.of(home));
  }

  /**
   * Returns the installation in a directory.
   *
   * @param home output directory of {@code charon-dist}, for example {@code
   *     charon-dist/target/hadoop-3.4.2}
   * @throws IllegalStateException if a jar is missing there; the message says what to run
   */
  public static Installation at(Path home) {
    Path lib = home.resolve("lib").toAbsolutePath().normalize();
    String hadoopCommon = fileNameIn(lib, HADOOP_COMMON);
    String version =
        hadoopCommon.substring(HADOOP_COMMON.length(), hadoopCommon.length() - ".jar".length());
    return new Installation(
        lib,
        lib.resolve(fileNameIn(lib, "charon-evaluation-")),
        lib.resolveSibling("input-sources"),
        version);
  }

  private static String fileNameIn(Path directory, String prefix) {
    if (Files.isDirectory(directory)) {
      try (Stream<Path> files = Files.list(directory)) {
        return files
            .map(file -> file.getFileName().toString())
            .filter(name -> name.startsWith(prefix) && name.endsWith(".jar"))
            .sorted()
            .findFirst()
            .orElseThrow(() -> incomplete(directory, prefix));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    throw incomplete(directory, prefix);
  }

  private static IllegalStateException incomplete(Path directory, String prefix) {
    return new IllegalStateException(
        "No "
            + prefix
            + "*.jar in "
            + directory
            + ": build Charon with 'mvn package', or point -D"
            + HOME_PROPERTY
            + " at charon-dist/target/hadoop-<version>");
  }

  private static Path aboveTheJarOfThisClass() {
    try {
      return Path.of(Installation.class.getProtectionDomain().getCodeSource().getLocation().toURI())
          .getParent()
          .getParent();
    } catch (URISyntaxException e) {
      throw new IllegalStateException("Set -D" + HOME_PROPERTY, e);
    }
  }
}
