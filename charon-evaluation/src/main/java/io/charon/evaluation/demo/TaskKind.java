/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.util.Locale;

/** The kinds of paced tasks, implemented by {@code paced-task.c}. */
enum TaskKind {
  /**
   * Sorts the lines like {@code sort -b}; holds the lines, two indexes and its output in memory.
   */
  SORT(12),
  /** Finds the lines that contain a word; holds the text in memory. */
  GREP(4),
  /**
   * Joins the second half of its lines with the first; holds the text and a hash table in memory.
   */
  JOIN(5.45);

  private final double memoryMbPerPart;

  TaskKind(double memoryMbPerPart) {
    this.memoryMbPerPart = memoryMbPerPart;
  }

  /** Returns how many parts of the input fill a given amount of memory, MiB; at least 1. */
  int parts(double memoryMb) {
    return Math.max(1, (int) Math.round(memoryMb / memoryMbPerPart));
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
