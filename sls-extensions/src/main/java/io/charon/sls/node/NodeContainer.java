/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

import io.charon.core.scheduler.ExecutionType;

/** A container that runs on a node: its progress, memory use and speed. */
public final class NodeContainer {
  private final ContainerPlan plan;
  private final ContainerWork work;
  private final long number;
  private final long startedNanos;
  // Copied from the plan, because every step reads them.
  private final boolean endless;
  private final boolean bestEffort;
  private final double workNanos;
  private final double streamingPeak;
  private UsageCurve.Piece piece;
  private double startLeftNanos;
  private double progress;
  private double speed;
  private double peakBytes;
  private double anonymousBytes;
  private double fileBytes;
  private double anonymousRefaults;
  private double fileRefaults;
  private double anonymousRefaultsPerNano;
  private double fileRefaultsPerNano;
  private double integral;
  private String killCause;
  private long releasedNanos;

  NodeContainer(ContainerPlan plan, long number, long startedNanos) {
    this.plan = plan;
    this.work = plan.work();
    this.number = number;
    this.startedNanos = startedNanos;
    this.endless = work.isEndless();
    this.bestEffort = plan.executionType() == ExecutionType.OPPORTUNISTIC;
    this.workNanos = work.nanos();
    this.streamingPeak = work.usage().streamingPeak();
    this.piece = work.usage().first();
    this.startLeftNanos = work.start().nanos();
    this.progress = work.startsAt();
    locate();
  }

  /** Returns the future behavior of the container. */
  public ContainerPlan plan() {
    return plan;
  }

  /**
   * Returns the number of the container; the containers of a node are numbered in the order of
   * their starts.
   */
  public long number() {
    return number;
  }

  /** Returns the time of its start, in virtual nanoseconds. */
  public long startedNanos() {
    return startedNanos;
  }

  /** Returns the share of its work that is done, 0 to 1. */
  public double progress() {
    return progress;
  }

  /** Returns its speed relative to an undisturbed run. */
  public double speed() {
    return speed;
  }

  /** Returns the anonymous memory that it needs, in bytes, including swapped pages. */
  public long anonymousBytes() {
    return Math.round(anonymousBytes);
  }

  /** Returns the file pages that it uses repeatedly, in bytes, including evicted ones. */
  public long fileBytes() {
    return Math.round(fileBytes);
  }

  /**
   * Returns the file pages that it reads once, in bytes; they are cached only where there is room.
   */
  double streaming() {
    return piece.streamingAt(progress);
  }

  /** Returns the largest amount of such pages that it can have at any time, in bytes. */
  double streamingPeak() {
    return streamingPeak;
  }

  /** Returns the memory that Linux charges to it while there is room, in bytes. */
  public long chargedBytes() {
    return Math.round(anonymousBytes + fileBytes + streaming());
  }

  /** Returns the highest anonymous memory so far, in bytes. */
  public long peakBytes() {
    return Math.round(peakBytes);
  }

  /** Returns the number of anonymous pages that were read back from swap. */
  public long anonymousRefaults() {
    return (long) anonymousRefaults;
  }

  /** Returns the number of evicted file pages that were read again. */
  public long fileRefaults() {
    return (long) fileRefaults;
  }

  /** Returns whether the container is best-effort, so it may be killed for memory. */
  public boolean isBestEffort() {
    return bestEffort;
  }

  /** Returns whether it runs until it is stopped. */
  boolean isEndless() {
    return endless;
  }

  /** Returns whether its JVM is still starting. */
  boolean isStarting() {
    return startLeftNanos > 0;
  }

  /** Returns the processor time that it could use now, in cores. */
  double usedCores() {
    return isStarting() ? work.start().cores() : work.usedCores();
  }

  /** Returns whether it was killed and has not released its memory yet. */
  public boolean isDying() {
    return killCause != null;
  }

  double anonymous() {
    return anonymousBytes;
  }

  double file() {
    return fileBytes;
  }

  /** Returns the highest memory use from now on, in bytes. */
  double potentialBytes() {
    double here = anonymousBytes + fileBytes;
    return isDying() ? here : piece.highestFrom(here);
  }

  /**
   * Returns the highest memory use between two future times, at full speed, in bytes; 0 if its work
   * will have ended by then.
   */
  public double peakBytesWithin(double fromNanos, double toNanos) {
    return isDying() || endless
        ? anonymousBytes() + fileBytes()
        : piece.peakWithin(
            progress,
            workNanos,
            Math.max(0, fromNanos - startLeftNanos),
            Math.max(0, toNanos - startLeftNanos));
  }

  /** Returns the cause of its kill; "" if it is not being killed. */
  String cause() {
    return killCause == null ? "" : killCause;
  }

  long releasedNanos() {
    return releasedNanos;
  }

  /**
   * Kills the container; it does no more work, and its memory stays in use until it is released.
   */
  void kill(String cause, long atNanos) {
    killCause = cause;
    releasedNanos = atNanos;
    pace(0, 0, 0);
  }

  void pace(double newSpeed, double anonymousPerNano, double filePerNano) {
    speed = newSpeed;
    anonymousRefaultsPerNano = anonymousPerNano;
    fileRefaultsPerNano = filePerNano;
  }

  /** Returns the work done, in nanoseconds of an undisturbed run; 0 for endless work. */
  double workDoneNanos() {
    return endless ? 0 : progress * workNanos;
  }

  /**
   * Returns the time to the end of its start, or else of its work, at the present speed, in
   * nanoseconds; infinite if it makes no progress or is endless.
   */
  double nanosToEnd() {
    if (isStarting() && speed > 0) {
      return startLeftNanos / speed;
    }
    return endless || speed <= 0 ? Double.POSITIVE_INFINITY : (1 - progress) * workNanos / speed;
  }

  /**
   * Returns the time until the growth of its memory changes, in nanoseconds; infinite if it never
   * does.
   */
  double nanosToBend() {
    return endless || isStarting() || speed <= 0
        ? Double.POSITIVE_INFINITY
        : (piece.end() - progress) * workNanos / speed;
  }

  /** Returns the growth of its memory, in bytes per nanosecond. */
  double growth() {
    return endless || isStarting() ? 0 : piece.slope() * speed / workNanos;
  }

  /** Returns the growth of the file pages that it reads once, in bytes per nanosecond. */
  double streamingGrowth() {
    return endless || isStarting() ? 0 : piece.streamingSlope() * speed / workNanos;
  }

  boolean isDone() {
    // Avoids a further step for a rounding error of a nanosecond.
    return !endless && (1 - progress) * workNanos < 1;
  }

  /**
   * Advances the container at the present speed.
   *
   * @return its memory use over that time, in bytes times nanoseconds
   */
  double advance(long nanos) {
    double before = integral;
    double from = progress;
    double usedBefore = anonymousBytes + fileBytes;
    anonymousRefaults += anonymousRefaultsPerNano * nanos;
    fileRefaults += fileRefaultsPerNano * nanos;
    if (isStarting()) {
      double left = startLeftNanos - speed * nanos;
      // Avoids a further step for a rounding error of a nanosecond.
      startLeftNanos = left < 1 ? 0 : left;
      return usedBefore * nanos;
    }
    if (endless || speed <= 0) {
      return usedBefore * nanos;
    }
    progress = Math.min(1, progress + speed * nanos / workNanos);
    locate();
    return progress > from ? (integral - before) / (progress - from) * nanos : usedBefore * nanos;
  }

  private void locate() {
    piece = piece.at(progress);
    anonymousBytes = piece.anonymousAt(progress);
    fileBytes = piece.fileAt(progress);
    integral = piece.integralAt(progress, anonymousBytes + fileBytes);
    peakBytes = Math.max(peakBytes, anonymousBytes);
  }
}
