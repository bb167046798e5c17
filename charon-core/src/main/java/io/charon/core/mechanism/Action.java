/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.mechanism;

import io.charon.core.cpuset.Cores;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Something that a mechanism wants done. It says what, to whom and why, and nothing of how. */
public sealed interface Action {
  /** Whom it is done to, where that is no single container. */
  String BEST_EFFORT = "best-effort";

  /** The other side. */
  String PRODUCTION = "production";

  /** What is done, as the audit writes it. */
  String verb();

  /** A container's id, or {@link #BEST_EFFORT}. */
  String target();

  /** What it was decided by. */
  Basis basis();

  /**
   * Best-effort may use so much from now on. Wanted at each decision: the executor sets only what
   * does not hold already.
   *
   * @param limit of what
   * @param capacity what there is of it, in the same unit
   * @param cores which cores, where the amount is their number
   * @param change what that is to the mechanism's last decision
   * @param founded whether anything was ever measured; before that nothing is carried out
   * @param basis what it was decided by; its limit is the amount
   */
  record SetLimit(
      Limit limit,
      double capacity,
      Optional<Cores> cores,
      Change change,
      boolean founded,
      Basis basis)
      implements Action {
    @Override
    public String verb() {
      return change.label();
    }

    @Override
    public String target() {
      return BEST_EFFORT;
    }

    /** What best-effort may use, in the unit of the limit. */
    public double amount() {
      return basis.limit();
    }

    /** Whether best-effort may use what it might by another one, neither more nor less. */
    public boolean allowsAsMuchAs(SetLimit other) {
      return amount() == other.amount() && cores.equals(other.cores);
    }

    /** Whether best-effort may use all that it might by another one, and more. */
    public boolean allowsMoreThan(SetLimit other) {
      return amount() > other.amount()
          && cores.orElseGet(Cores::none).containsAll(other.cores.orElseGet(Cores::none));
    }
  }

  /**
   * A best-effort container ends, all of its processes.
   *
   * @param target its id
   * @param instead if one of these is dying already, that has to do, and nobody else dies
   * @param grace how long it has to end by itself, once asked to; zero: it is killed at once
   * @param basis what it was decided by
   */
  record Kill(String target, Collection<String> instead, Duration grace, Basis basis)
      implements Action {
    /** Copies the ids. */
    public Kill {
      instead = List.copyOf(instead);
    }

    /** At once. */
    public Kill(String target, Collection<String> instead, Basis basis) {
      this(target, instead, Duration.ZERO, basis);
    }

    @Override
    public String verb() {
      return "kill";
    }
  }

  /**
   * All processes of a best-effort container stand still.
   *
   * @param target its id
   * @param basis what it was decided by
   */
  record Freeze(String target, Basis basis) implements Action {
    @Override
    public String verb() {
      return "freeze";
    }
  }

  /**
   * A container that was frozen goes on.
   *
   * @param target its id
   * @param verb as the audit names it: resume or thaw
   * @param basis what it was decided by
   */
  record Thaw(String target, String verb, Basis basis) implements Action {}

  /** Something that is a production container's own is set, for that one alone. */
  sealed interface SetOfContainer extends Action {
    /** By whose actuator. */
    Limit limit();
  }

  /**
   * A container with a CPU quota gets its time in other portions. The share stays.
   *
   * @param limit by whose actuator
   * @param target its id
   * @param verb as the audit names it: burst or restore
   * @param bandwidth what it has from now on
   * @param basis what it was decided by; its limit is the burst, microseconds
   */
  record SetBandwidth(
      Limit limit, String target, String verb, ContainerBandwidths.Bandwidth bandwidth, Basis basis)
      implements SetOfContainer {}

  /**
   * A production container may use so much CPU time from now on.
   *
   * @param limit by whose actuator
   * @param target its id
   * @param verb as the audit names it: give, raise, halve or restore
   * @param cores CPU seconds per second, above 0; empty: what was found before anything was set
   * @param basis what it was decided by; its limit is the quota, 0 for what was found
   */
  record SetQuota(Limit limit, String target, String verb, OptionalDouble cores, Basis basis)
      implements SetOfContainer {}

  /**
   * Memory of a frozen container goes to swap and to its files.
   *
   * @param target its id
   * @param bytes how much at most
   * @param basis what it was decided by
   */
  record Reclaim(String target, long bytes, Basis basis) implements Action {
    @Override
    public String verb() {
      return "reclaim";
    }
  }

  /**
   * Memory of running containers goes to swap and to its files, a little of each; what they use
   * soon comes back.
   *
   * @param limit by whose actuator
   * @param target whose: {@link #BEST_EFFORT} or {@link #PRODUCTION}
   * @param portions from whom, and how much
   * @param basis what it was decided by; its limit is the sum, bytes
   */
  record ReclaimCold(Limit limit, String target, List<Portion> portions, Basis basis)
      implements Action {
    /**
     * What is asked of one container.
     *
     * @param containerId whose
     * @param production whether it is production; else best-effort
     * @param bytes how much, above 0
     * @param filesOnly whether nothing of it may go to swap
     */
    public record Portion(String containerId, boolean production, long bytes, boolean filesOnly) {}

    /** Copies the portions. */
    public ReclaimCold {
      portions = List.copyOf(portions);
    }

    @Override
    public String verb() {
      return "reclaim";
    }
  }
}
