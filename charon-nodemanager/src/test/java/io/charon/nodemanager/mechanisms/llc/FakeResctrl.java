/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.llc;

import io.charon.nodemanager.cgroup.FakeMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A tree of files that accepts and refuses the same values as the kernel
 * (arch/x86/kernel/cpu/resctrl): two sockets of 11 ways, of which a group has at least 2 contiguous
 * ones; bandwidth in percent from 10 in steps of 10, rounded up to the next step, or in a unit
 * without steps; other lines of a group stay; a thread is in one group only.
 */
final class FakeResctrl {
  private static final int HEXADECIMAL = 16;
  private static final long AMD = 2048;

  private final FakeMachine machine;
  private final long unlimited;

  /**
   * Creates a mounted tree with a group of an operator.
   *
   * @param unlimited bandwidth of a group without a limit: 100, 2048 (AMD), 4294967295 (mba_MBps)
   */
  FakeResctrl(FakeMachine machine, long unlimited) {
    this.machine = machine;
    this.unlimited = unlimited;
    machine
        .file("resctrl/info/L3/cbm_mask", "7ff\n")
        .file("resctrl/info/L3/min_cbm_bits", "2\n")
        .file("resctrl/info/MB/min_bandwidth", minimum(unlimited) + "\n")
        .file("resctrl/info/MB/bandwidth_gran", unlimited == 100 ? "10\n" : "1\n")
        .file("resctrl/info/L3_MON/mon_features", "llc_occupancy\nmbm_total_bytes\n")
        .file("resctrl/info/last_cmd_status", "ok\n");
    makeGroup("resctrl");
    makeGroup("resctrl/charon");
  }

  private static long minimum(long unlimited) {
    if (unlimited == 100) {
      return 10;
    }
    return unlimited == AMD ? 0 : 1;
  }

  private void makeGroup(String group) {
    machine
        .file(
            group + "/schemata", "    MB:0=%4d;1=%1$4d\n    L3:0=7ff;1=7ff\n".formatted(unlimited))
        .file(group + "/tasks", "");
    count(group, 0, "0");
    count(group, 1, "0");
  }

  void count(String group, int socket, String bytes) {
    machine.file("%s/mon_data/mon_L3_%02d/mbm_total_bytes".formatted(group, socket), bytes + "\n");
  }

  Path group() {
    return machine.path("resctrl/charon");
  }

  /** Returns a line of the group, without spaces. */
  String line(String resource) throws IOException {
    return lines("charon").get(resource);
  }

  List<String> tasks(String group) throws IOException {
    return machine.read(group + "/tasks").lines().filter(line -> !line.isEmpty()).toList();
  }

  ResctrlFiles.Writer writer() {
    return this::write;
  }

  private void write(Path file, String text, StandardOpenOption how) throws IOException {
    if (!Files.exists(file)) {
      throw new NoSuchFileException(file.toString());
    }
    if (file.endsWith("tasks")) {
      move(text.strip(), file);
    } else {
      schemata(file, text.strip());
    }
    machine.file("resctrl/info/last_cmd_status", "ok\n");
  }

  private void move(String thread, Path to) throws IOException {
    if (!Files.exists(machine.path("proc/" + thread))) {
      refuse("No task " + thread);
    }
    for (Path tasks : new Path[] {machine.path("resctrl/tasks"), group().resolve("tasks")}) {
      List<String> members = new ArrayList<>(Files.readAllLines(tasks));
      members.remove(thread);
      if (tasks.equals(to)) {
        members.add(thread);
      }
      Files.writeString(tasks, members.isEmpty() ? "" : String.join("\n", members) + "\n");
    }
  }

  private void schemata(Path file, String line) throws IOException {
    String resource = line.substring(0, line.indexOf(':'));
    Map<String, String> lines = lines("charon");
    Map<String, String> values = new TreeMap<>();
    for (String part : lines.get(resource).substring(resource.length() + 1).split(";", -1)) {
      values.put(part.substring(0, part.indexOf('=')), part.substring(part.indexOf('=') + 1));
    }
    for (String part : line.substring(resource.length() + 1).split(";", -1)) {
      String socket = part.substring(0, part.indexOf('='));
      String value = part.substring(part.indexOf('=') + 1);
      if (!values.containsKey(socket)) {
        refuse("Unknown domain " + socket);
      }
      values.put(socket, resource.equals("MB") ? bandwidth(value) : mask(value));
    }
    StringBuilder text = new StringBuilder(resource + ":");
    values.forEach(
        (socket, value) ->
            text.append(text.toString().endsWith(":") ? "" : ";")
                .append(socket)
                .append('=')
                .append(value));
    lines.put(resource, text.toString());
    Files.writeString(file, String.join("\n", lines.values()) + "\n");
  }

  private String mask(String value) throws IOException {
    long mask = Long.parseLong(value, HEXADECIMAL);
    long lowest = Long.lowestOneBit(mask);
    if (mask == 0 || mask > 0x7ff) {
      refuse("Mask out of range");
    }
    if (Long.bitCount(mask / lowest + 1) != 1) {
      refuse("The mask %s has non-consecutive 1-bits".formatted(value));
    }
    if (Long.bitCount(mask) < 2) {
      refuse("Need at least 2 bits in the mask");
    }
    return value;
  }

  private String bandwidth(String value) throws IOException {
    long wanted = Long.parseLong(value);
    long step = unlimited == 100 ? 10 : 1;
    if (wanted < minimum(unlimited) || wanted > unlimited) {
      refuse("MB value %d out of range [%d,%d]".formatted(wanted, minimum(unlimited), unlimited));
    }
    return Long.toString((wanted + step - 1) / step * step);
  }

  private void refuse(String why) throws IOException {
    machine.file("resctrl/info/last_cmd_status", why + "\n");
    throw new IOException("Invalid argument");
  }

  private Map<String, String> lines(String group) throws IOException {
    Map<String, String> lines = new TreeMap<>();
    for (String line : machine.read("resctrl/" + group + "/schemata").lines().toList()) {
      String bare = line.replace(" ", "");
      lines.put(bare.substring(0, bare.indexOf(':')), bare);
    }
    return lines;
  }

  void remove(String group) {
    try (var all = Files.walk(machine.path(group))) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
