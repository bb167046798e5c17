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

/** Production that holds much more memory than it uses: 200 MB, of which 60 MB are in use. */
public enum ReclaimLoad {
  /** Page cache: the unused part is mapped, and the used part is read. */
  FILE("file"),
  /** Anonymous memory, which can be reclaimed only to swap. */
  ANONYMOUS("anonymous");

  /** Memory that it holds, MB. */
  static final int MEGABYTES = 200;

  /** Memory of that which it uses, MB. */
  static final int USED_MEGABYTES = 60;

  /** Memory that it reserves, its own included, MB. */
  static final int RESERVED_MEGABYTES = 210;

  /** Steps of computation after each touch, few enough that a lost page matters. */
  private static final String STEPS = "20";

  private static final String INTERVAL_MILLIS = "100";

  private final String label;

  ReclaimLoad(String label) {
    this.label = label;
  }

  /** Returns its name on the command line. */
  public String label() {
    return label;
  }

  /** Returns the load with a name; empty if there is none. */
  public static Optional<ReclaimLoad> of(String label) {
    return Arrays.stream(values()).filter(load -> load.label.equals(label)).findFirst();
  }

  /**
   * Returns the command line: one process holds memory, another one uses it.
   *
   * @param held file with the unused part
   * @param used file with the used part
   */
  List<String> command(NativeTools tools, Path held, Path used) {
    String unusedMegabytes = Integer.toString(MEGABYTES - USED_MEGABYTES);
    String usedMegabytes = Integer.toString(USED_MEGABYTES);
    String workload = tools.workload().toString();
    return switch (this) {
      // By read(), because the kernel does not count accesses to memory that is mapped for random
      // use.
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
