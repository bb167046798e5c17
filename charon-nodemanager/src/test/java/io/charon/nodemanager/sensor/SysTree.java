/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.cpuset.Cores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files of /sys that describe the topology of a machine, in the kernel's format. */
public final class SysTree {
  private final Path root;

  /** Creates an empty tree. */
  public SysTree(Path root) {
    this.root = root;
  }

  /** Returns the root of the tree. */
  public Path root() {
    return root;
  }

  /** Sets the online processors. */
  public SysTree online(String list) {
    return file("cpu/online", list);
  }

  /** Adds a physical core with its threads and the processors that share its last-level cache. */
  public SysTree core(String threads, int packageId, int dieId, String cache) {
    for (int number : Cores.parse(threads).numbers()) {
      String cpu = "cpu/cpu" + number;
      file(cpu + "/topology/core_cpus_list", threads)
          .file(cpu + "/topology/physical_package_id", Integer.toString(packageId))
          .file(cpu + "/topology/die_id", Integer.toString(dieId));
      if (!cache.isEmpty()) {
        file(cpu + "/cache/index3/shared_cpu_list", cache);
      }
    }
    return this;
  }

  /** Adds a NUMA node; without processors its list is empty. */
  public SysTree node(int node, String list) {
    return file("node/node" + node + "/cpulist", list);
  }

  /** Writes a file below devices/system. */
  public SysTree file(String path, String text) {
    Path file = root.resolve("devices/system").resolve(path);
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text + "\n");
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Adds two packages of 32 cores with two threads: package 1 starts at CPU 32, second threads at
   * 64.
   */
  public SysTree twoTimes32() {
    online("0-127").node(0, "0-31,64-95").node(1, "32-63,96-127");
    for (int core = 0; core < 64; core++) {
      int node = core / 32;
      core(core + "," + (core + 64), node, 0, node == 0 ? "0-31,64-95" : "32-63,96-127");
    }
    return this;
  }
}
