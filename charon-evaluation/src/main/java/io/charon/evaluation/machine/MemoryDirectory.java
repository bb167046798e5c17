/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.machine;

import io.charon.evaluation.machine.TemporaryDirectory.Leftover;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Creates and unmounts a benchmark's directories of files in memory, each a tmpfs of its own. */
public final class MemoryDirectory {
  /** Source of the mounts, by which they are distinguished from any others. */
  private static final String SOURCE = "charon-bench";

  private static final Path MOUNTS = Path.of("/proc/self/mounts");
  private static final int ATTEMPTS = 20;
  private static final long PAUSE_MILLIS = 100;

  private MemoryDirectory() {}

  /**
   * Mounts a tmpfs that only this user may read on a temporary directory.
   *
   * @param megabytes its size, MiB
   * @param cleanup receives the steps that unmount it and delete the directory
   * @throws IOException if mounting fails; the message has the program's output
   */
  public static Path create(int megabytes, Cleanup cleanup)
      throws IOException, InterruptedException {
    Path directory = TemporaryDirectory.create("charon-bench-", cleanup);
    Programs.run(
        List.of(
            "mount",
            "-t",
            "tmpfs",
            "-o",
            String.format(Locale.ROOT, "size=%dm,mode=0700", megabytes),
            SOURCE,
            directory.toString()));
    cleanup.add(() -> unmount(directory));
    return directory;
  }

  /**
   * Unmounts what a killed process mounted on its directory here. Any other mount stays. Retries
   * for about 2 s, because processes that are exiting may still use the files.
   *
   * @throws IOException if it stays mounted; the message has the program's output
   */
  public static void unmount(Leftover leftover) throws IOException, InterruptedException {
    Path directory = leftover.directory().toRealPath();
    for (int attempt = 1; isCreatedHere(directory, Files.readAllLines(MOUNTS)); attempt++) {
      try {
        unmount(directory);
      } catch (IOException inUse) {
        if (attempt == ATTEMPTS) {
          throw inUse;
        }
        Thread.sleep(PAUSE_MILLIS);
      }
    }
  }

  private static void unmount(Path directory) throws IOException, InterruptedException {
    Programs.run(List.of("umount", directory.toString()));
  }

  /**
   * Returns whether the topmost mount on a directory, which {@code umount} removes, was created
   * here.
   *
   * @param mounts the lines of /proc/self/mounts, in which later mounts follow
   */
  static boolean isCreatedHere(Path directory, List<String> mounts) {
    return mounts.stream()
        .map(line -> line.split(" ", 4))
        .filter(mount -> mount[1].equals(directory.toString()))
        .reduce((below, above) -> above)
        .filter(top -> top[0].equals(SOURCE) && top[2].equals("tmpfs"))
        .isPresent();
  }
}
