/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import io.charon.evaluation.machine.NativeTools;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The kinds of production. All but {@link #POSTGRESQL} are one program, which works as fast as it
 * can and prints its progress every 100 ms.
 */
public enum Production {
  /** Reads a mapped file at random positions: its memory is page cache. */
  MAPPED("mapped", "work-mapped"),
  /** Reads a file at random positions by read(). */
  FILE("file", "work-file"),
  /** Touches anonymous memory at random positions. */
  ANONYMOUS("anonymous", "work-anonymous"),
  /** A JVM that reads and replaces objects at random and collects garbage. */
  JVM("jvm", ""),
  /** A PostgreSQL server whose clients send 300 transactions a second. */
  POSTGRESQL("postgresql", "");

  /** Memory that a program works on, MB. */
  static final int MEGABYTES = 200;

  /** Memory that every kind reserves, MB: what it works on and its own. */
  static final int RESERVED_MEGABYTES = 210;

  private static final int JVM_HEAP_MEGABYTES = 150;

  /** Steps of computation after each touch, few enough that a lost page matters. */
  private static final String STEPS = "20";

  private static final String INTERVAL_MILLIS = "100";

  private final String label;
  private final String verb;

  Production(String label, String verb) {
    this.label = label;
    this.verb = verb;
  }

  String label() {
    return label;
  }

  static Optional<Production> of(String label) {
    return Arrays.stream(values()).filter(kind -> kind.label.equals(label)).findFirst();
  }

  /** Returns whether it is one program that prints its progress. */
  boolean isProgram() {
    return this != POSTGRESQL;
  }

  /** Returns the memory that a program holds once it is warm, MB. */
  int warmMegabytes() {
    return this == JVM ? JVM_HEAP_MEGABYTES : MEGABYTES - 4;
  }

  /**
   * Returns the command line of a program.
   *
   * @param data file that it works on
   * @param warm whether it first reads that file in order
   * @throws IllegalStateException if the kind {@link #isProgram is no program}
   */
  List<String> command(NativeTools tools, Path data, boolean warm) {
    String workload = tools.workload().toString();
    return switch (this) {
      case MAPPED -> {
        List<String> work =
            List.of(
                workload,
                verb,
                data.toString(),
                Integer.toString(MEGABYTES),
                STEPS,
                INTERVAL_MILLIS);
        yield warm ? afterReading(workload, data, work) : work;
      }
      case FILE ->
          List.of(
              workload, verb, data.toString(), Integer.toString(MEGABYTES), STEPS, INTERVAL_MILLIS);
      case ANONYMOUS ->
          List.of(workload, verb, Integer.toString(MEGABYTES), STEPS, INTERVAL_MILLIS);
      case JVM -> HeapWorker.command(JVM_HEAP_MEGABYTES);
      case POSTGRESQL -> throw new IllegalStateException(label + " is no program");
    };
  }

  private static List<String> afterReading(String workload, Path data, List<String> work) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "/bin/sh",
                "-c",
                "\"$1\" stream \"$2\" 1 && shift 2 && exec \"$@\"",
                "sh",
                workload,
                data.toString()));
    words.addAll(work);
    return words;
  }
}
