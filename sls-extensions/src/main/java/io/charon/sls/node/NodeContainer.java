/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

import io.charon.core.scheduler.ExecutionType;
import java.util.Objects;

/** A container that runs on a node: how far it is, what it uses, how fast it goes. */
public final class NodeContainer {
  private final ContainerPlan plan;
  private final long number;
  private final long startedNanos;
  // Of the plan, here because every step asks for them.
  private final boolean endless;
  private final boolean bestEffort;
  private final double workNanos;
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
  private String dyingOf;
  private long releasedNanos;

  NodeContainer(ContainerPlan plan, long number, long startedNanos) {
    this.plan = plan;
    this.number = number;
    this.startedNanos = startedNanos;
    this.endless = plan.isEndless();
    this.bestEffort = plan.executionType() == ExecutionType.OPPORTUNISTIC;
    this.workNanos = plan.workNanos();
    this.piece = plan.usage().first();
    this.startLeftNanos = plan.start().nanos();
    this.progress = plan.startsAt();
    locate();
  }

  /** What it is going to do. */
  public ContainerPlan plan() {
    return plan;
  }

  /** Containers of a node are numbered in the order of their start. */
  public long number() {
    return number;
  }

  /** When it started, virtual nanoseconds. */
  public long startedNanos() {
    return startedNanos;
  }

  /** Share of its work that is done, 0 to 1. */
  public double progress() {
    return progress;
  }

  /** Progress per time, as a share of an undisturbed run's. */
  public double speed() {
    return speed;
  }

  /** Anonymous memory it uses or would use, bytes, swapped pages included. */
  public long anonymousBytes() {
    return Math.round(anonymousBytes);
  }

  /** Pages of files it uses again and again, bytes, evicted ones included. */
  public long fileBytes() {
    return Math.round(fileBytes);
  }

  /** Pages of files that it uses once, bytes; they stay only where there is room. */
  double streaming() {
    return piece.streamingAt(progress);
  }

  /** All that Linux counts for it while there is room, bytes. */
  public long chargedBytes() {
    return Math.round(anonymousBytes + fileBytes + streaming());
  }

  /** Highest anonymous memory so far, bytes. */
  public long peakBytes() {
    return Math.round(peakBytes);
  }

  /** Anonymous pages that were read back from swap so far. */
  public long anonymousRefaults() {
    return (long) anonymousRefaults;
  }

  /** Evicted file pages that were read again so far. */
  public long fileRefaults() {
    return (long) fileRefaults;
  }

  /** Whether it may die for memory. */
  public boolean isBestEffort() {
    return bestEffort;
  }

  /** Whether it runs until it is stopped. */
  boolean isEndless() {
    return endless;
  }

  /** Whether its JVM still comes up. */
  boolean isStarting() {
    return startLeftNanos > 0;
  }

  /** Processor time that it could use now, cores. */
  double usedCores() {
    return isStarting() ? plan.start().cores() : plan.usedCores();
  }

  /** Whether it was killed and has not given back its memory yet. */
  public boolean isDying() {
    return dyingOf != null;
  }

  double anonymous() {
    return anonymousBytes;
  }

  double file() {
    return fileBytes;
  }

  /** The most it may use from now on, bytes. */
  double potentialBytes() {
    double here = anonymousBytes + fileBytes;
    return isDying() ? here : piece.highestFrom(here);
  }

  /**
   * The most it uses within a stretch of the time to come, at full speed, bytes; 0 once it is over.
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

  String cause() {
    return Objects.requireNonNull(dyingOf);
  }

  long releasedNanos() {
    return releasedNanos;
  }

  /** A dead process does nothing; its memory stays until it is released. */
  void kill(String cause, long atNanos) {
    dyingOf = cause;
    releasedNanos = atNanos;
    pace(0, 0, 0);
  }

  void pace(double newSpeed, double anonymousPerNano, double filePerNano) {
    speed = newSpeed;
    anonymousRefaultsPerNano = anonymousPerNano;
    fileRefaultsPerNano = filePerNano;
  }

  /** Work done, nanoseconds of undisturbed run. */
  double workDoneNanos() {
    return endless ? 0 : progress * workNanos;
  }

  /**
   * Time to the end of its start, or else of its work, at this speed, nanoseconds; infinite if it
   * does not move or never ends.
   */
  double nanosToEnd() {
    if (isStarting() && speed > 0) {
      return startLeftNanos / speed;
    }
    return endless || speed <= 0 ? Double.POSITIVE_INFINITY : (1 - progress) * workNanos / speed;
  }

  /** Time until its memory begins to grow otherwise, nanoseconds; infinite if it never does. */
  double nanosToBend() {
    return endless || isStarting() || speed <= 0
        ? Double.POSITIVE_INFINITY
        : (piece.end() - progress) * workNanos / speed;
  }

  /** Growth of its memory, bytes per nanosecond. */
  double growth() {
    return endless || isStarting() ? 0 : piece.slope() * speed / workNanos;
  }

  boolean isDone() {
    // A nanosecond of rounding is not worth another step.
    return !endless && (1 - progress) * workNanos < 1;
  }

  /**
   * Lets time pass at the present speed.
   *
   * @return bytes of memory that it used, times nanoseconds
   */
  double advance(long nanos) {
    double before = integral;
    double from = progress;
    double usedBefore = anonymousBytes + fileBytes;
    anonymousRefaults += anonymousRefaultsPerNano * nanos;
    fileRefaults += fileRefaultsPerNano * nanos;
    if (isStarting()) {
      double left = startLeftNanos - speed * nanos;
      // A nanosecond of rounding is not worth another step.
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
