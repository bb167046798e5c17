/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.reclaim;

import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Action.ReclaimCold.Portion;
import io.charon.nodemanager.cgroup.CgroupFile;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.execution.Actuator;
import io.charon.nodemanager.files.FoundValues;
import io.charon.nodemanager.helper.Helper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reclaims memory from individual containers. On version 2 the kernel has a file for that. On
 * version 1 a container's memory limit is lowered briefly to its use less the wanted amount, and
 * then restored. Both values are recorded before, so that the old one can be restored if the
 * program that writes them, this process, or both are killed in between. The limit around all of
 * best-effort is not touched: another mechanism owns it, and it cannot select a container.
 * Thread-safe.
 */
final class ColdMemory implements Actuator {
  private static final long GRAIN_BYTES = 64 << 10;
  private static final double MEBIBYTE = 1 << 20;

  private final CgroupLayout layout;
  private final Helper helper;
  private final ReclaimProgram program;
  private final FoundValues<LoweredLimit> memory;
  private final Map<String, Long> taken = new ConcurrentHashMap<>();

  /** The portion wanted from a container, and the input line that requests it. */
  private record Ask(Portion portion, Path cgroup, Optional<LoweredLimit> poke) {
    String line(int number) {
      String limit =
          poke.map(
                  low ->
                      String.format(
                          Locale.ROOT,
                          " from=%d to=%d most=%d swappiness=%d",
                          low.limitBytes(),
                          low.lowBytes(),
                          2 * portion.bytes(),
                          low.swappiness()))
              .orElse("");
      return String.format(
          Locale.ROOT,
          "number=%d bytes=%d files=%d%s cgroup=%s",
          number,
          portion.bytes(),
          portion.filesOnly() ? 1 : 0,
          limit,
          cgroup);
    }
  }

  /**
   * Creates the actuator without changing anything on the machine.
   *
   * @param layout where the containers' cgroups are
   * @param helper reclaims the memory
   * @param memory the limits found, and the limits set briefly
   */
  ColdMemory(CgroupLayout layout, Helper helper, FoundValues<LoweredLimit> memory) {
    this.layout = layout;
    this.helper = helper;
    this.program = new ReclaimProgram(helper);
    this.memory = memory;
  }

  /** Returns the memory reclaimed from a container since this object was created, bytes. */
  long takenBytes(String containerId) {
    return taken.getOrDefault(containerId, 0L);
  }

  /** Forgets the reclaimed memory of all other containers. */
  void retain(Iterable<String> containerIds) {
    Map<String, Long> kept = new LinkedHashMap<>();
    containerIds.forEach(id -> kept.put(id, takenBytes(id)));
    taken.keySet().retainAll(kept.keySet());
  }

  @Override
  public Optional<String> unavailable() {
    return helper.unavailable();
  }

  @Override
  public synchronized String apply(Action.ReclaimCold wanted) throws IOException {
    List<Ask> asks = new ArrayList<>();
    for (Portion portion : wanted.portions()) {
      ask(portion).ifPresent(asks::add);
    }
    long bytes = 0;
    long whole = 0;
    long longest = 0;
    for (int from = 0; from < asks.size(); from += ReclaimProgram.MAX_LINES) {
      List<Ask> some = asks.subList(from, Math.min(asks.size(), from + ReclaimProgram.MAX_LINES));
      for (ReclaimProgram.Answer answer : take(some)) {
        String id = some.get(answer.number()).portion().containerId();
        taken.merge(id, answer.takenBytes(), Long::sum);
        bytes += answer.takenBytes();
        whole += answer.isWhole() ? 1 : 0;
        longest = Math.max(longest, answer.heldMicros());
      }
    }
    return String.format(
        Locale.ROOT,
        "%.1f of %.1f MiB reclaimed, the whole amount from %d of %d containers%s",
        bytes / MEBIBYTE,
        wanted.basis().limit() / MEBIBYTE,
        whole,
        wanted.portions().size(),
        layout.version() == CgroupVersion.V1
            ? String.format(
                Locale.ROOT, "; a lowered limit was in force for at most %d us", longest)
            : "");
  }

  private List<ReclaimProgram.Answer> take(List<Ask> asks) throws IOException {
    List<String> lines = new ArrayList<>();
    Map<Path, LoweredLimit> pokes = new LinkedHashMap<>();
    for (Ask ask : asks) {
      lines.add(ask.line(lines.size()));
      ask.poke().ifPresent(poke -> pokes.put(ask.cgroup(), poke));
    }
    memory.keep(pokes);
    List<ReclaimProgram.Answer> answers;
    try {
      answers =
          program.run(lines).stream()
              .filter(answer -> answer.number() >= 0 && answer.number() < asks.size())
              .toList();
    } catch (IOException e) {
      try {
        undo();
      } catch (IOException left) {
        e.addSuppressed(left);
        throw new IOException(e.getMessage() + "; " + left.getMessage(), e);
      }
      throw e;
    }
    undo();
    return answers;
  }

  /**
   * Returns the request; empty on version 1 if the container has ended or holds no more than the
   * portion.
   */
  private Optional<Ask> ask(Portion portion) throws IOException {
    Path cgroup =
        layout.containerDirectory(
            layout.memory(),
            portion.production() ? ContainerClass.PRODUCTION : ContainerClass.BEST_EFFORT,
            portion.containerId());
    if (layout.version() == CgroupVersion.V2) {
      return Optional.of(new Ask(portion, cgroup, Optional.empty()));
    }
    Optional<Long> holds = number(cgroup, CgroupFile.MEMORY_USAGE);
    Optional<Long> limit = number(cgroup, CgroupFile.MEMORY_LIMIT);
    Optional<Long> swappiness = number(cgroup, CgroupFile.SWAPPINESS);
    if (holds.isEmpty() || limit.isEmpty() || swappiness.isEmpty()) {
      return Optional.empty();
    }
    long low = (holds.get() - portion.bytes()) / GRAIN_BYTES * GRAIN_BYTES;
    return low > 0 && low < limit.get()
        ? Optional.of(
            new Ask(
                portion, cgroup, Optional.of(new LoweredLimit(limit.get(), low, swappiness.get()))))
        : Optional.empty();
  }

  private static Optional<Long> number(Path cgroup, CgroupFile file) throws IOException {
    Path path = file.path(cgroup, CgroupVersion.V1);
    try {
      return Optional.of(Long.parseLong(Files.readString(path).strip()));
    } catch (IOException e) {
      if (Files.exists(path)) {
        throw e;
      }
      return Optional.empty();
    } catch (NumberFormatException e) {
      throw new IOException(path + " does not hold a number", e);
    }
  }

  /** Restores limits that an earlier process or a killed program left lowered. */
  @Override
  public synchronized void undo() throws IOException {
    memory.putBack(
        List.of(
            layout.classDirectory(layout.memory(), ContainerClass.BEST_EFFORT),
            layout.classDirectory(layout.memory(), ContainerClass.PRODUCTION)),
        ColdMemory::putBack,
        had ->
            String.format(
                Locale.ROOT,
                "a memory limit of %d and a swappiness of %d",
                had.limitBytes(),
                had.swappiness()));
  }

  /** Restores only values that were set here; any other value was set by another party. */
  private static void putBack(Path cgroup, LoweredLimit had) throws IOException {
    if (number(cgroup, CgroupFile.MEMORY_LIMIT).filter(now -> now == had.lowBytes()).isPresent()) {
      write(cgroup, CgroupFile.MEMORY_LIMIT, had.limitBytes());
    }
    if (had.swappiness() > 0
        && number(cgroup, CgroupFile.SWAPPINESS).filter(now -> now == 0).isPresent()) {
      write(cgroup, CgroupFile.SWAPPINESS, had.swappiness());
    }
  }

  private static void write(Path cgroup, CgroupFile file, long value) throws IOException {
    Path path = file.path(cgroup, CgroupVersion.V1);
    try {
      file.write(cgroup, CgroupVersion.V1, Long.toString(value));
    } catch (IOException e) {
      if (Files.exists(path)) {
        throw new IOException(
            "to restore it, as root: echo %d > %s: %s".formatted(value, path, e.getMessage()), e);
      }
    }
  }
}
