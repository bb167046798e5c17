/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A real disk of 64 KiB in memory that a test can fill. Needs root. */
public final class SmallDisk implements AutoCloseable {
  private static final int KIBIBYTES = 64;

  private final Path directory;

  private SmallDisk(Path directory) {
    this.directory = directory;
  }

  /** Mounts the disk on an empty directory; skips the test if mounting is not permitted. */
  public static SmallDisk mountOn(Path directory) throws IOException, InterruptedException {
    boolean mounted =
        run("mount", "-t", "tmpfs", "-o", "size=" + KIBIBYTES + "k", "tmpfs", directory.toString());
    if (!mounted) {
      System.out.println("SKIPPED a test of a full disk: it may not be mounted here; run as root");
    }
    assumeTrue(mounted, "may mount");
    return new SmallDisk(directory);
  }

  /** Fills the disk completely. */
  public void fill() throws IOException, InterruptedException {
    run("dd", "if=/dev/zero", "of=" + directory.resolve("filler"), "bs=1k", "status=none");
  }

  /** Makes room on the disk again. */
  public void empty() throws IOException {
    Files.delete(directory.resolve("filler"));
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    return process.waitFor() == 0;
  }

  @Override
  public void close() throws IOException {
    try {
      if (!run("umount", directory.toString())) {
        throw new IOException(directory + " stays mounted");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(directory + " may be mounted still", e);
    }
  }
}
