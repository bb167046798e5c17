/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.llc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The files of a mounted resctrl and of one of its groups (kernel:
 * Documentation/arch/x86/resctrl.rst). Errors name the file and, after a failed write, include the
 * kernel's explanation.
 */
final class ResctrlFiles {
  /** The resource name of the last-level cache's ways. */
  static final String CACHE = "L3";

  /** The resource name of memory bandwidth. */
  static final String BANDWIDTH = "MB";

  private static final Pattern DOMAIN =
      Pattern.compile("\\s*(\\d{1,9})=\\s*([0-9a-fA-F]{1,15})\\s*");

  /** Writes to a file of the kernel. */
  @FunctionalInterface
  interface Writer {
    /** Writes like {@link Files#writeString}. */
    void write(Path file, String text, StandardOpenOption how) throws IOException;
  }

  private final Path group;
  private final Path root;
  private final Writer writer;

  /**
   * Creates an instance for the files of one group.
   *
   * @param group its directory, directly below the mount point of resctrl
   * @param writer writes to the files
   */
  ResctrlFiles(Path group, Writer writer) {
    this.group = group;
    this.root = Optional.ofNullable(group.getParent()).orElse(group);
    this.writer = writer;
  }

  /** Writes to the kernel's real files. */
  static void kernel(Path file, String text, StandardOpenOption how) throws IOException {
    Files.writeString(file, text, StandardOpenOption.WRITE, how);
  }

  Path group() {
    return group;
  }

  Path root() {
    return root;
  }

  Path info(String resource, String name) {
    return root.resolve("info").resolve(resource).resolve(name);
  }

  static Path schemata(Path group) {
    return group.resolve("schemata");
  }

  static Path tasks(Path group) {
    return group.resolve("tasks");
  }

  /** Returns why one of these files cannot be written, with the cure; empty if all can. */
  static Optional<String> unwritable(Path... files) {
    for (Path file : files) {
      if (!Files.isWritable(file)) {
        return Optional.of(
            "%s cannot be written: as root, chown %1$s to the NodeManager's user".formatted(file));
      }
    }
    return Optional.empty();
  }

  /**
   * Returns a group's values of a resource, by the number of the cache.
   *
   * @param of the directory of the group
   * @throws IOException naming the file, also if it has no such line
   */
  SortedMap<Integer, String> schema(Path of, String resource) throws IOException {
    String start = resource + ":";
    String line =
        read(schemata(of))
            .lines()
            .map(String::strip)
            .filter(text -> text.startsWith(start))
            .findFirst()
            .orElseThrow(() -> new IOException(schemata(of) + " has no line " + start));
    SortedMap<Integer, String> values = new TreeMap<>();
    for (String domain : line.substring(start.length()).split(";", -1)) {
      Matcher parts = DOMAIN.matcher(domain);
      if (!parts.matches()) {
        throw new IOException(
            schemata(of) + " holds '" + domain + "', which is not a cache number and its share");
      }
      values.put(Integer.valueOf(parts.group(1)), parts.group(2));
    }
    return values;
  }

  /**
   * Sets the group's values of a resource; its other lines are unchanged.
   *
   * @return the line, such as L3:0=f;1=f
   * @throws IOException naming the file, with the kernel's explanation
   */
  String set(String resource, SortedMap<Integer, String> values) throws IOException {
    String line = line(resource, values);
    write(schemata(group), line + "\n", StandardOpenOption.TRUNCATE_EXISTING);
    return line;
  }

  /** Returns the line of a resource, such as L3:0=f;1=f. */
  static String line(String resource, SortedMap<Integer, String> values) {
    return values.entrySet().stream()
        .map(one -> one.getKey() + "=" + one.getValue())
        .collect(Collectors.joining(";", resource + ":", ""));
  }

  /** Moves a thread into the group to which a tasks file belongs. */
  void move(Path tasks, long thread) throws IOException {
    write(tasks, thread + "\n", StandardOpenOption.APPEND);
  }

  private void write(Path file, String text, StandardOpenOption how) throws IOException {
    try {
      writer.write(file, text, how);
    } catch (IOException e) {
      throw new IOException(
          "cannot write %s into %s: %s%s".formatted(text.strip(), file, e, lastStatus()), e);
    }
  }

  static String read(Path file) throws IOException {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new IOException("cannot read " + file + ": " + e, e);
    }
  }

  static long number(Path file, int radix, long least, long most) throws IOException {
    String text = read(file);
    try {
      long number = Long.parseLong(text, radix);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // The exception below reports the content of the file.
    }
    throw new IOException(file + " holds '" + text + "', which is not a valid value of resctrl");
  }

  /** Returns the kernel's explanation of the last command; empty if there is none. */
  private String lastStatus() {
    try {
      String status = Files.readString(root.resolve("info/last_cmd_status")).strip();
      return status.equals("ok") ? "" : "; resctrl says: " + status;
    } catch (IOException e) {
      return "";
    }
  }
}
