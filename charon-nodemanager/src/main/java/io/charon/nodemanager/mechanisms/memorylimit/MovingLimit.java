/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.memorylimit;

import io.charon.core.law.memorylimit.Holder;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Action.Basis;
import io.charon.core.mechanism.Limit;
import io.charon.killer.client.MemoryLimitBasis;
import io.charon.killer.client.MemoryLimitProcess;
import io.charon.nodemanager.cgroup.CgroupFile;
import io.charon.nodemanager.cgroup.CgroupThreads;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.ProductionProtection;
import io.charon.nodemanager.cgroup.ProductionProtection.LowValue;
import io.charon.nodemanager.execution.Actuator;
import io.charon.nodemanager.helper.Helper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The kernel's memory limit on best-effort's parent cgroup. {@code ua-killer memory-limit} moves it
 * every 20 ms according to the last basis that it received. Without that program this process
 * writes the limit once a second, and never below best-effort's use.
 *
 * <p>The limit outlives this process while any best-effort process runs, because production needs
 * it even if nothing moves it. It is found again at the next start, and removed when no best-effort
 * process is left. What slows best-effort down below the limit (memory.high) goes with this
 * process, because without page cache best-effort would crawl until somebody removes it.
 */
final class MovingLimit implements Actuator {
  private static final Logger LOG = LoggerFactory.getLogger(MovingLimit.class);
  private static final long MEBIBYTE = 1L << 20;
  private static final String NOT_PROTECTED = "production's memory is not protected: ";

  /**
   * Lower bound of the values that mean no limit: version 1 reports a little less than the maximum.
   */
  private static final long NO_LIMIT = Long.MAX_VALUE / 2;

  private final Path bestEffort;
  private final CgroupVersion version;
  private final Optional<Path> boundary;
  private final Optional<ProductionProtection> protection;
  private final Helper helper;
  private final LimitMover mover;
  private Optional<MemoryLimitBasis> lastBasis = Optional.empty();
  private long lastBasisNanos;
  private boolean enforces;
  private boolean mustBeRemoved;
  private boolean removalFails;
  private boolean movedByProgram;
  private boolean wroteAboveWanted;

  /** Why values that protect production could not be written, by their target. */
  private final Map<String, String> refusals = new TreeMap<>();

  private Optional<String> cut = Optional.empty();

  /**
   * Creates a limit that is not set.
   *
   * @param bestEffort the parent cgroup of all best-effort containers
   * @param version the cgroup version of this directory
   * @param boundary the node's cgroup; empty for the whole machine
   * @param protection protects production's memory as long as the limit is set; empty on version 1
   * @param helper removes the limit
   * @param mover moves the limit
   */
  MovingLimit(
      Path bestEffort,
      CgroupVersion version,
      Optional<Path> boundary,
      Optional<ProductionProtection> protection,
      Helper helper,
      LimitMover mover) {
    this.bestEffort = bestEffort;
    this.version = version;
    this.boundary = boundary;
    this.protection = protection;
    this.helper = helper;
    this.mover = mover;
  }

  @Override
  public Optional<String> unavailable() {
    Path file = file();
    return Files.isWritable(file)
        ? Optional.empty()
        : Optional.of(
            file
                + " cannot be written: best-effort's cgroups must belong to the NodeManager's user"
                + " (docs/install.md)");
  }

  private Path file() {
    return CgroupFile.MEMORY_LIMIT.path(bestEffort, version);
  }

  /** Returns the current limit, whichever process set it; empty if there is none. */
  synchronized OptionalLong bytes() throws IOException {
    String text = Files.readString(file()).strip();
    long bytes = text.equals("max") ? Long.MAX_VALUE : Long.parseLong(text);
    return bytes >= NO_LIMIT ? OptionalLong.empty() : OptionalLong.of(bytes);
  }

  /**
   * Passes on how much memory others may keep. Only {@link #apply} decides whether the limit is
   * set.
   */
  synchronized void update(long nowNanos, MemoryLimitBasis basis) {
    lastBasis = Optional.of(basis);
    lastBasisNanos = nowNanos;
    mover.update(nowNanos, basis.enforcing(enforces));
  }

  /**
   * Returns what has to change so that the kernel protects production's memory as long as
   * best-effort is limited. Changes nothing.
   *
   * @param limited whether best-effort is to be limited; otherwise nothing is to be protected
   */
  synchronized List<Action> toProtect(long nanos, List<Holder> holders, boolean limited) {
    if (protection.isEmpty()) {
      return List.of();
    }
    cut = protection.get().cut(nanos, holders);
    try {
      List<LowValue> changes = protection.get().toChange(limited ? holders : List.of());
      refusals.keySet().retainAll(changes.stream().map(LowValue::target).toList());
      return changes.stream().map(MovingLimit::protect).toList();
    } catch (IOException e) {
      cut = Optional.of(NOT_PROTECTED + e.getMessage());
      return List.of();
    }
  }

  private static Action protect(LowValue change) {
    return new Action.Protect(
        Limit.MEMORY_USE,
        change.target(),
        change.foundBytes(),
        change.wantedBytes(),
        new Basis(
            "production's memory within its entitlement",
            Map.of("found", (double) change.foundBytes()),
            change.wantedBytes(),
            "memory.low",
            "memory.low: "
                + (change.wantedBytes() == 0
                    ? "best-effort is not limited, or this is not production any more"
                    : entitlement(change.target()))));
  }

  private static String entitlement(String target) {
    return switch (target) {
      case Action.NODE -> "what production containers use of their entitlements";
      case Action.PRODUCTION -> "the sum of the entitlements of production containers";
      default -> "the entitlement of this container";
    };
  }

  /**
   * Returns whether the kernel reclaims all other memory before that to which production is
   * entitled, once the values of {@link #toProtect} are set, so that best-effort may grow into the
   * others' excess.
   */
  synchronized boolean protects() {
    return protection.isPresent() && unprotected().isEmpty();
  }

  /** Returns why best-effort must not grow into the others' excess on version 2, with the cure. */
  synchronized Optional<String> unprotected() {
    return refusals.values().stream().findFirst().map(NOT_PROTECTED::concat).or(() -> cut);
  }

  @Override
  public synchronized String apply(Action.Protect wanted) throws IOException {
    try {
      String done = protection.orElseThrow().set(wanted.target(), wanted.bytes());
      refusals.remove(wanted.target());
      return done;
    } catch (IOException e) {
      refusals.put(wanted.target(), e.getMessage());
      throw e;
    }
  }

  private void release() throws IOException {
    if (protection.isPresent()) {
      protection.get().release();
    }
  }

  LimitMover mover() {
    return mover;
  }

  /** Sets the limit; an amount of at least the capacity removes it. */
  @Override
  public synchronized String apply(Action.SetLimit wanted) throws IOException {
    if (wanted.amount() >= wanted.capacity()) {
      enforces = false;
      remove();
      return bestEffort + " has no memory limit";
    }
    boolean news = !enforces;
    enforces = true;
    mustBeRemoved = false;
    wroteAboveWanted = false;
    long bytes = (long) wanted.amount();
    movedByProgram = mover.missing().isEmpty();
    if (!movedByProgram) {
      return write(bytes);
    }
    if (news && bytes().isEmpty()) {
      write(bytes); // containers that start now do not wait for the program to start
    }
    if (news && lastBasis.isPresent()) {
      MemoryLimitBasis basis =
          refusals.isEmpty() ? lastBasis.get() : lastBasis.get().withoutGrowth();
      mover.update(lastBasisNanos, basis.enforcing(true));
    }
    return String.format(
        Locale.ROOT, "%s may hold %d MiB, moved every 20 ms", bestEffort, bytes / MEBIBYTE);
  }

  /** Writes a limit above the use: below it, the kernel would reclaim in this thread, or kill. */
  private String write(long bytes) throws IOException {
    long use =
        Long.parseLong(Files.readString(CgroupFile.MEMORY_USAGE.path(bestEffort, version)).strip());
    long limit = Math.max(bytes, use + MEBIBYTE);
    wroteAboveWanted = limit > bytes;
    removeIfPresent(CgroupFile.MEMORY_HIGH);
    if (!keepsSwapLimit()) {
      removeIfPresent(CgroupFile.SWAP_LIMIT);
    }
    CgroupFile.MEMORY_LIMIT.write(bestEffort, version, Long.toString(limit));
    return String.format(Locale.ROOT, "%s may hold %d MiB", bestEffort, limit / MEBIBYTE);
  }

  /**
   * Returns whether a limit of swap that the program left stays. On version 1 it includes memory:
   * the kernel refuses a higher limit of memory.
   */
  private boolean keepsSwapLimit() {
    return version == CgroupVersion.V2
        && lastBasis.filter(MemoryLimitBasis::limitsSwap).isPresent();
  }

  private void removeIfPresent(CgroupFile limit) throws IOException {
    if (limit.in(bestEffort, version).filter(Files::isWritable).isPresent()) {
      limit.write(bestEffort, version, noLimit());
    }
  }

  private String noLimit() {
    return version == CgroupVersion.V1 ? "-1" : "max";
  }

  /**
   * Returns false if the program started or ended, or if best-effort held more than the wanted
   * limit.
   */
  @Override
  public synchronized boolean holds() {
    return !enforces || (movedByProgram == mover.missing().isEmpty() && !wroteAboveWanted);
  }

  private void remove() throws IOException {
    mover.stop();
    if (!isSet()) {
      return;
    }
    // Before the limit itself, without which nobody looks for them. A helper of an earlier release
    // leaves memory.swap.max as it is.
    removeIfPresent(CgroupFile.MEMORY_HIGH);
    removeIfPresent(CgroupFile.SWAP_LIMIT);
    if (helper.unavailable().isPresent()) {
      CgroupFile.MEMORY_LIMIT.write(bestEffort, version, noLimit());
      return;
    }
    Helper.Answer answer =
        helper.call(
            MemoryLimitProcess.wordsToRemove(
                bestEffort, boundary, Optional.empty(), OptionalLong.empty()));
    if (!answer.isDone()) {
      throw new IOException(
          "best-effort's memory may still be limited: %s; to remove the limit, as root: ua-killer %s"
              .formatted(
                  answer.text(),
                  String.join(
                      " ",
                      MemoryLimitProcess.wordsToRemove(
                          bestEffort, boundary, Optional.empty(), OptionalLong.empty()))));
    }
  }

  @Override
  public synchronized void undo() throws IOException {
    enforces = false;
    lastBasis = Optional.empty();
    mover.stop();
    mustBeRemoved = isSet();
    removeIfPresent(CgroupFile.MEMORY_HIGH); // the program may have been killed
    if (mustBeRemoved) {
      removeIfUnused();
    } else {
      release();
    }
  }

  private boolean isSet() throws IOException {
    return Files.exists(file()) && bytes().isPresent();
  }

  private void removeIfUnused() throws IOException {
    if (mustBeRemoved && !enforces && new CgroupThreads(bestEffort, version).isEmpty()) {
      remove();
      release(); // best-effort made it necessary
      mustBeRemoved = false;
      removalFails = false;
    }
  }

  /**
   * Removes a limit that had to stay, once no best-effort process is left, and tries again until it
   * is removed; call it periodically.
   */
  synchronized void sweep() {
    try {
      removeIfUnused();
    } catch (IOException e) {
      if (!removalFails) {
        LOG.warn("cannot remove best-effort's memory limit; tried again (logged once)", e);
      }
      removalFails = true;
    }
  }
}
