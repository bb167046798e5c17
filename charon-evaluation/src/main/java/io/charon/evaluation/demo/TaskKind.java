/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.util.Locale;

/** What a paced task does with the text that it reads; {@code paced-task.c} does it. */
enum TaskKind {
  /** Sorts the lines as {@code sort -b} does; holds them, two indexes and its output. */
  SORT(12),
  /** Looks for the lines with a word; holds the text. */
  GREP(4),
  /** Joins the second half of its lines with the first; holds the text and a hash table. */
  JOIN(5.45);

  private final double memoryMbPerPart;

  TaskKind(double memoryMbPerPart) {
    this.memoryMbPerPart = memoryMbPerPart;
  }

  /** Parts of the input that fill a task's memory. */
  int parts(double memoryMb) {
    return Math.max(1, (int) Math.round(memoryMb / memoryMbPerPart));
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
