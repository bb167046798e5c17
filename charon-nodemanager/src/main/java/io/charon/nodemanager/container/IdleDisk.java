/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.container;

import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.helper.Helper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts best-effort into the kernel's idle I/O class: a disk whose scheduler supports classes
 * (mq-deadline, bfq) serves it only while no other process waits for it. Without this class no
 * memory limit lets production refill its page cache while best-effort streams from the disk. The
 * class belongs to threads, and their children inherit it; later writeback by the kernel on behalf
 * of best-effort does not have it. Needs no privilege, and the program {@code ionice} of
 * util-linux.
 */
public final class IdleDisk {
  private static final Logger LOG = LoggerFactory.getLogger(IdleDisk.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  /** Makes the program continue if the class cannot be set; util-linux only. */
  private static final String TOLERANT = "-t";

  private static final String IDLE = "3";
  private static final String DEFAULT_CLASS = "0";

  /**
   * Number of passes; threads that a process starts during the first pass may still have the old
   * class.
   */
  private static final int PASSES = 2;

  /** Far below the capacity of a command line. */
  private static final int MAX_THREADS = 10_000;

  private final Path procRoot;
  private final Optional<Path> program;

  private IdleDisk(Path procRoot, Optional<Path> program) {
    this.procRoot = procRoot;
    this.program = program;
  }

  /** Returns an instance that leaves all containers in the default class. */
  public static IdleDisk notWanted(Path procRoot) {
    return new IdleDisk(procRoot, Optional.empty());
  }

  /**
   * Finds the program; without it no container is in the idle class, which is logged.
   *
   * @param procRoot the mount point of proc
   */
  public static IdleDisk find(Path procRoot) {
    return find(procRoot, List.of(Path.of("/usr/bin/ionice"), Path.of("/bin/ionice")));
  }

  static IdleDisk find(Path procRoot, List<Path> programs) {
    Optional<Path> program = programs.stream().filter(IdleDisk::works).findFirst();
    if (program.isEmpty()) {
      LOG.warn(
          "best-effort containers have the same disk priority as others: none of {} can set the idle I/O class;"
              + " install util-linux, or set yarn.nodemanager.charon.disk.idle-class.enabled to"
              + " false",
          programs);
    }
    return new IdleDisk(procRoot, program);
  }

  private static boolean works(Path program) {
    try {
      return Files.isExecutable(program)
          && helper(program).call(List.of(TOLERANT, "-c", IDLE, "true")).isDone();
    } catch (IOException e) {
      LOG.debug("cannot run {}", program, e);
      return false;
    }
  }

  private static Helper helper(Path program) {
    return new Helper(List.of(program.toString()), TIMEOUT);
  }

  /**
   * Returns the command that sets a container's class and then runs the words after it.
   *
   * @return empty for a container that stays in the default class
   */
  public List<String> commandFor(ContainerInfo container) {
    return program
        .filter(found -> isIdle(container))
        .map(found -> List.of(found.toString(), TOLERANT, "-c", IDLE))
        .orElse(List.of());
  }

  /**
   * Sets the class of the running processes of a promoted or demoted container.
   *
   * @return why they keep their class; empty if they do not
   */
  public Optional<String> change(ContainerInfo container, Collection<Long> processes) {
    if (program.isEmpty() || processes.isEmpty()) {
      return Optional.empty();
    }
    for (int pass = 0; pass < PASSES; pass++) {
      List<String> words = new ArrayList<>();
      words.addAll(List.of(TOLERANT, "-c", isIdle(container) ? IDLE : DEFAULT_CLASS, "-p"));
      processes.stream().flatMap(this::threads).limit(MAX_THREADS).forEach(words::add);
      try {
        Helper.Answer answer = helper(program.get()).call(words);
        if (!answer.isDone()) {
          LOG.debug("{}: {}", container.containerId(), answer.text()); // threads that have ended
        }
      } catch (IOException e) {
        return Optional.of("its I/O class is unchanged (" + e + ")");
      }
    }
    return Optional.empty();
  }

  private static boolean isIdle(ContainerInfo container) {
    return container.containerClass() == ContainerClass.BEST_EFFORT;
  }

  private Stream<String> threads(long process) {
    Path tasks = procRoot.resolve(Long.toString(process)).resolve("task");
    try (Stream<Path> listed = Files.list(tasks)) {
      return listed.map(task -> task.getFileName().toString()).toList().stream();
    } catch (IOException | UncheckedIOException endedMeanwhile) {
      return Stream.empty();
    }
  }
}
