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
import java.util.Locale;
import java.util.Optional;

/**
 * The kinds of best-effort work that run beside production, each as fast as it can and without end.
 */
public enum BestEffort {
  /** Allocates 300 MB of anonymous memory at once and uses it. */
  GROWER("grower", Work.TOUCHES),
  /** Reads a file of 600 MB in order, repeatedly. */
  STREAM("stream", Work.BYTES),
  /** Reads 380 MB of a file at random positions. */
  RANDOM("random", Work.BYTES),
  /** Writes 600 MB, repeatedly. */
  DIRTY("dirty", Work.BYTES),
  /** Writes 300 MB into a file in memory, repeatedly. */
  TMPFS("tmpfs", Work.BYTES),
  /** Starts 150 processes at once every second, each with 1 MB for a tenth of a second. */
  FORKS("forks", Work.LINES),
  /** Starts five JVMs at once, and again when all have ended. */
  JVMS("jvms", Work.LINES);

  /** The unit in which work is counted. */
  enum Work {
    /** Pages touched, as the last line of the program's output says. */
    TOUCHES,
    /** Bytes read and written. */
    BYTES,
    /** Lines of output, one for each round. */
    LINES
  }

  private static final int GROWN_MEGABYTES = 300;
  private static final int STREAM_MEGABYTES = 600;
  private static final int RANDOM_MEGABYTES = 380;
  private static final int WRITTEN_MEGABYTES = 600;
  private static final int TMPFS_MEGABYTES = 300;
  private static final int FORKED = 150;

  private static final String WRITES_FOR_EVER =
      "while :; do \"$1\" create \"$2\" \"$3\" 2>/dev/null; done";

  private static final String STARTS_JVMS =
      "while :; do for i in 1 2 3 4 5; do"
          + " \"$1\" -Xms48m -Xmx48m -XX:+AlwaysPreTouch -version >/dev/null 2>&1 & done;"
          + " wait; echo round; done";

  private final String label;
  private final Work work;

  BestEffort(String label, Work work) {
    this.label = label;
    this.work = work;
  }

  String label() {
    return label;
  }

  static Optional<BestEffort> of(String label) {
    return Arrays.stream(values()).filter(kind -> kind.label.equals(label)).findFirst();
  }

  /** Returns whether it reads a file that exists before it starts. */
  boolean reads() {
    return this == STREAM || this == RANDOM;
  }

  /** Returns the size of that file, MB. */
  static int readMegabytes() {
    return STREAM_MEGABYTES;
  }

  /** Returns the room that files in memory need, MB. */
  static int tmpfsMegabytes() {
    return TMPFS_MEGABYTES + 16;
  }

  Work work() {
    return work;
  }

  /**
   * Returns whether it and production have processors of their own, so that they contend for memory
   * only.
   */
  boolean hasOwnProcessors() {
    return this != FORKS && this != JVMS;
  }

  /** Returns whether it can fill the node before production starts. */
  boolean mayComeFirst() {
    return fills() || this == DIRTY;
  }

  /** Returns whether it uses all memory that it can get, and keeps it. */
  boolean fills() {
    return this == STREAM || this == RANDOM;
  }

  /** Returns whether it makes progress with whatever memory is left. */
  boolean worksInAnyMemory() {
    return this == STREAM || this == DIRTY || this == FORKS || this == JVMS;
  }

  /**
   * Returns the command line of the program.
   *
   * @param read file of {@link #readMegabytes}, present if the kind {@link #reads}
   * @param written file on the same disk that the program may write
   * @param inMemory file in memory that the program may write
   */
  List<String> command(NativeTools tools, Optional<Path> read, Path written, Path inMemory) {
    String workload = tools.workload().toString();
    return switch (this) {
      case GROWER -> List.of(workload, "work-anonymous", number(GROWN_MEGABYTES), "20", "100");
      case STREAM ->
          List.of(workload, "stream", read.orElseThrow().toString(), number(Integer.MAX_VALUE));
      case RANDOM ->
          List.of(workload, "file", read.orElseThrow().toString(), number(RANDOM_MEGABYTES), "1");
      case DIRTY -> writesForEver(workload, written, WRITTEN_MEGABYTES);
      case TMPFS -> writesForEver(workload, inMemory, TMPFS_MEGABYTES);
      case FORKS -> List.of(workload, "bursts", number(FORKED));
      case JVMS -> List.of("/bin/sh", "-c", STARTS_JVMS, "sh", HeapWorker.java());
    };
  }

  private static List<String> writesForEver(String workload, Path file, int megabytes) {
    return List.of(
        "/bin/sh", "-c", WRITES_FOR_EVER, "sh", workload, file.toString(), number(megabytes));
  }

  private static String number(int value) {
    return String.format(Locale.ROOT, "%d", value);
  }
}
