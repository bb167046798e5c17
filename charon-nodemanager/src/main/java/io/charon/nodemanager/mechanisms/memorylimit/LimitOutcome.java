/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.memorylimit;

import io.charon.core.law.memorylimit.Reserve;
import io.charon.core.mechanism.MechanismReport;
import io.charon.core.mechanism.MechanismReport.Quantity;
import io.charon.nodemanager.sensor.MemoryHolding;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToLongFunction;

/**
 * The last decision of the memory limit, as status, metrics and pages show it.
 *
 * @param seen the holding that was read
 * @param limitBytes best-effort's limit
 * @param dueBytes best-effort's use above the limit
 * @param leftoverBytes best-effort's files in memory that none of its running containers has
 * @param lastingLeftoverBytes the same, if they have been too many for too long; otherwise 0
 * @param reserve the memory that is kept free
 * @param cause why the limit moved or stayed
 */
public record LimitOutcome(
    MemoryHolding seen,
    long limitBytes,
    long dueBytes,
    long leftoverBytes,
    long lastingLeftoverBytes,
    Reserve reserve,
    String cause) {
  /** Quantity: best-effort's memory that only a kill or swap can free, bytes. */
  public static final String UNRECLAIMABLE = "unreclaimable";

  /** Quantity: best-effort's files in memory that none of its running containers has, bytes. */
  static final String LEFTOVER = "leftover";

  private static final long MEBIBYTE = 1L << 20;

  /** Returns what the operator should know or change; empty if there is nothing. */
  Optional<String> warning() {
    return nothingFree().or(this::leftover);
  }

  /**
   * Returns a warning if little memory is free and others hold page cache beyond their
   * entitlements: the kernel then reclaims page cache also from services that need it but have no
   * entitlement.
   */
  private Optional<String> nothingFree() {
    long excess = seen.sample().excessBytes();
    long free = seen.sample().boundaryBytes() - seen.nodeBytes();
    return excess > 0 && free < reserve.bytes() / 2
        ? Optional.of(
            String.format(
                Locale.ROOT,
                "others hold %d MiB of page cache beyond their entitlement, and only %d MiB are free: services that need page cache need an entitlement (memory-limit.services)",
                excess / MEBIBYTE,
                Math.max(0, free) / MEBIBYTE))
        : Optional.empty();
  }

  private Optional<String> leftover() {
    return lastingLeftoverBytes > 0
        ? Optional.of(
            String.format(
                Locale.ROOT,
                "%d MiB of files in memory (/dev/shm, tmpfs) belong to none of the running best-effort containers: remove what ended ones have left",
                lastingLeftoverBytes / MEBIBYTE))
        : Optional.empty();
  }

  /** Returns the quantities; without values before the first decision. */
  static List<Quantity> quantities(Optional<LimitOutcome> last) {
    return List.of(
        bytes(MechanismReport.LIMIT, last, LimitOutcome::limitBytes),
        bytes(MechanismReport.CAPACITY, last, it -> it.seen().sample().boundaryBytes()),
        bytes(MechanismReport.BEST_EFFORT, last, it -> it.seen().bestEffort().chargedBytes()),
        bytes(MechanismReport.VALUE, last, it -> it.seen().sample().keptBytes()),
        bytes(UNRECLAIMABLE, last, it -> it.seen().bestEffort().unreclaimableBytes()),
        bytes(LEFTOVER, last, LimitOutcome::leftoverBytes),
        bytes("reserve", last, it -> it.reserve().bytes()),
        bytes("excess", last, it -> it.seen().sample().excessBytes()),
        bytes("due", last, LimitOutcome::dueBytes));
  }

  private static Quantity bytes(
      String name, Optional<LimitOutcome> last, ToLongFunction<LimitOutcome> value) {
    return new Quantity(
        name,
        "bytes",
        last.map(it -> OptionalDouble.of((double) value.applyAsLong(it)))
            .orElseGet(OptionalDouble::empty));
  }
}
