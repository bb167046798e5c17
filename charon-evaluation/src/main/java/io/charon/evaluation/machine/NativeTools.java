/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The native programs of module {@code kernel-ua-killer}.
 *
 * @param killer loads the kernel UA killer, and is its helper
 * @param workload uses memory with distinct access patterns
 * @param observer measures when a container has ended
 */
public record NativeTools(Path killer, Path workload, Path observer) {
  private static final String SOURCES = "kernel-ua-killer/src/main/native";

  /**
   * Finds the programs, and builds them if they are missing and the packages for that are
   * installed.
   *
   * @param root the repository
   * @throws IOException if they are missing and cannot be built; the message says what to run
   */
  public static NativeTools of(Path root) throws IOException, InterruptedException {
    Path directory = root.resolve("kernel-ua-killer/target/native");
    NativeTools tools =
        new NativeTools(
            directory.resolve("ua-killer"),
            directory.resolve("workload"),
            directory.resolve("kill-observer"));
    if (!tools.present()) {
      build(root);
    }
    if (!tools.present()) {
      throw new IOException("no programs in " + directory + ": " + howToBuild());
    }
    return tools;
  }

  /**
   * Builds what is missing or older than its sources, and returns the programs.
   *
   * @param root the repository
   * @throws IOException if they cannot be built; the message says what to run
   */
  public static NativeTools upToDate(Path root) throws IOException, InterruptedException {
    build(root);
    return of(root);
  }

  private boolean present() {
    return Stream.of(killer, workload, observer).allMatch(Files::isExecutable);
  }

  private static void build(Path root) throws IOException, InterruptedException {
    try {
      Programs.run(List.of("make", "-s", "-C", root.resolve(SOURCES).toString()));
    } catch (IOException e) {
      throw new IOException(
          "the native programs cannot be built: " + howToBuild() + "\n" + e.getMessage(), e);
    }
  }

  private static String howToBuild() {
    return "run in the repository: kernel-ua-killer/install-packages.sh && make -C " + SOURCES;
  }
}
