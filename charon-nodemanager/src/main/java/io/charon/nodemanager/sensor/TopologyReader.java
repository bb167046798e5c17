/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.cpuset.Cores;
import io.charon.core.cpuset.Topology;
import io.charon.core.cpuset.Topology.PhysicalCore;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads which resources the processors of a machine share; reads it again only when the set of
 * online processors changes. Missing or malformed values have defaults: a processor without a list
 * of its core's threads is a core of its own, cores without a third-level cache share one with
 * their die, and a processor without a NUMA node is on the node with its package's number. Not
 * thread-safe.
 */
public final class TopologyReader {
  private static final Logger LOG = LoggerFactory.getLogger(TopologyReader.class);

  private final Path cpus;
  private final Path nodes;
  private Cores online = Cores.none();
  private Topology known = Topology.unknown();

  /**
   * The die of a processor; processors without a list of their cache share it if they share a die.
   */
  private record Die(int packageId, int dieId) {}

  /**
   * Creates a reader without any reading.
   *
   * @param sysRoot the mount point of sysfs
   */
  public TopologyReader(Path sysRoot) {
    this.cpus = sysRoot.resolve("devices/system/cpu");
    this.nodes = sysRoot.resolve("devices/system/node");
  }

  /** Returns the current topology; unknown if the kernel lists no threads of any core. */
  public Topology read() {
    Cores now = list(cpus.resolve("online")).orElseGet(Cores::none);
    if (!now.equals(online)) {
      online = now;
      known = readAll();
      LOG.info(
          "processors {}: {}",
          online,
          known.describe(online).orElse("only their numbers are known, or all are equal"));
    }
    return known;
  }

  private Topology readAll() {
    Map<Integer, Integer> nodeOf = nodeOfEach();
    Map<Die, Cores> dies = new LinkedHashMap<>();
    for (int number : online.numbers()) {
      dies.merge(die(number), Cores.of(List.of(number)), Cores::with);
    }
    if (online.numbers().stream().allMatch(number -> siblings(number).isEmpty())) {
      return Topology.unknown();
    }
    List<PhysicalCore> cores = new ArrayList<>();
    Cores done = Cores.none();
    for (int number : online.numbers()) {
      Cores self = Cores.of(List.of(number));
      if (!done.containsAll(self)) {
        Cores threads = siblings(number).map(online::within).orElse(self).with(self).minus(done);
        cores.add(core(number, threads, dies.get(die(number)), nodeOf));
        done = done.with(threads);
      }
    }
    return new Topology(cores);
  }

  private PhysicalCore core(int number, Cores threads, Cores die, Map<Integer, Integer> nodeOf) {
    return new PhysicalCore(
        threads,
        list(cpu(number).resolve("cache/index3/shared_cpu_list")).map(online::within).orElse(die),
        nodeOf.getOrDefault(number, Math.max(0, die(number).packageId())));
  }

  private Path cpu(int number) {
    return cpus.resolve("cpu" + number);
  }

  /** Reads the threads of a processor's core, by the old file name before Linux 5.3. */
  private Optional<Cores> siblings(int number) {
    Path topology = cpu(number).resolve("topology");
    return list(topology.resolve("core_cpus_list"))
        .or(() -> list(topology.resolve("thread_siblings_list")));
  }

  private Die die(int number) {
    Path topology = cpu(number).resolve("topology");
    return new Die(id(topology.resolve("physical_package_id")), id(topology.resolve("die_id")));
  }

  /** Returns the NUMA node of each processor; a node with memory only lists none. */
  private Map<Integer, Integer> nodeOfEach() {
    Map<Integer, Integer> nodeOf = new TreeMap<>();
    try (DirectoryStream<Path> directories = Files.newDirectoryStream(nodes, "node[0-9]*")) {
      for (Path directory : directories) {
        int node = Integer.parseInt(directory.getFileName().toString().substring("node".length()));
        list(directory.resolve("cpulist"))
            .ifPresent(cores -> cores.numbers().forEach(number -> nodeOf.put(number, node)));
      }
    } catch (IOException | DirectoryIteratorException | NumberFormatException e) {
      LOG.debug("cannot read the NUMA nodes", e);
    }
    return nodeOf;
  }

  private static Optional<Cores> list(Path file) {
    try {
      return CpuList.read(file);
    } catch (IOException e) {
      LOG.debug("cannot read a list of CPUs; continuing without it", e);
      return Optional.empty();
    }
  }

  private static int id(Path file) {
    try {
      return Integer.parseInt(Files.readString(file).strip());
    } catch (IOException | NumberFormatException e) {
      LOG.debug("cannot read {}; continuing without it", file, e);
      return 0;
    }
  }
}
