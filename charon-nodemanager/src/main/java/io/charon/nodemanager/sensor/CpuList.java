/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The kernel's list format for CPUs, such as 0-3,8. */
final class CpuList {
  private static final Pattern RANGE = Pattern.compile("(\\d{1,5})(?:-(\\d{1,5}))?(?:,|$)");

  private CpuList() {}

  /**
   * How many CPUs a file lists.
   *
   * @return empty if the file does not exist or lists none
   * @throws IOException naming the file if it holds something else
   */
  static OptionalInt count(Path file) throws IOException {
    if (!Files.exists(file)) {
      return OptionalInt.empty();
    }
    String list;
    try {
      list = Files.readString(file).strip();
    } catch (IOException e) {
      throw new IOException("cannot read " + file + ": " + e.getMessage(), e);
    }
    Matcher ranges = RANGE.matcher(list);
    int cpus = 0;
    int end = 0;
    while (end < list.length() && ranges.find() && ranges.start() == end) {
      int first = Integer.parseInt(ranges.group(1));
      int last = ranges.group(2) == null ? first : Integer.parseInt(ranges.group(2));
      cpus += Math.max(0, last - first + 1);
      end = ranges.end();
    }
    if (end < list.length()) {
      throw new IOException(file + " holds no list of CPUs");
    }
    return cpus == 0 ? OptionalInt.empty() : OptionalInt.of(cpus);
  }
}
