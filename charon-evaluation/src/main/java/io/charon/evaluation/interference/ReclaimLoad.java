/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import io.charon.evaluation.machine.NativeTools;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Production that holds much more than it uses: 200 MB, of which 60 are in use. */
public enum ReclaimLoad {
  /** All of it is page cache: what it does not use is mapped, what it uses is read. */
  FILE("file"),
  /** All of it is anonymous memory; it takes swap to be taken. */
  ANONYMOUS("anonymous");

  /** What it holds, MB. */
  static final int MEGABYTES = 200;

  /** What of that it uses, MB. */
  static final int USED_MEGABYTES = 60;

  /** What it asked YARN for, MB: itself, too. */
  static final int RESERVED_MEGABYTES = 210;

  /** Steps of computation after each touch: little, so that a lost page is felt. */
  private static final String STEPS = "20";

  private static final String INTERVAL_MILLIS = "100";

  private final String label;

  ReclaimLoad(String label) {
    this.label = label;
  }

  /** As it is named on the command line. */
  public String label() {
    return label;
  }

  /** By its name. */
  public static Optional<ReclaimLoad> of(String label) {
    return Arrays.stream(values()).filter(load -> load.label.equals(label)).findFirst();
  }

  /**
   * The program: one process holds, one uses.
   *
   * @param held a file of what is not used
   * @param used a file of what is
   */
  List<String> command(NativeTools tools, Path held, Path used) {
    String unusedMegabytes = Integer.toString(MEGABYTES - USED_MEGABYTES);
    String usedMegabytes = Integer.toString(USED_MEGABYTES);
    String workload = tools.workload().toString();
    return switch (this) {
      // By read(), since the kernel does not count a touch of memory that is mapped for random use.
      case FILE ->
          List.of(
              "/bin/sh",
              "-c",
              "\"$1\" map \"$2\" \"$3\" >/dev/null & shift 3; exec \"$@\"",
              "sh",
              workload,
              held.toString(),
              unusedMegabytes,
              workload,
              "work-file",
              used.toString(),
              usedMegabytes,
              STEPS,
              INTERVAL_MILLIS);
      case ANONYMOUS ->
          List.of(
              "/bin/sh",
              "-c",
              "\"$1\" idle \"$2\" >/dev/null & shift 2; exec \"$@\"",
              "sh",
              workload,
              unusedMegabytes,
              workload,
              "work-anonymous",
              usedMegabytes,
              STEPS,
              INTERVAL_MILLIS);
    };
  }
}
