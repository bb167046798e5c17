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
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A change that a mechanism requests. An action states what to do, to which container and why; how
 * it is carried out is up to the executor.
 */
public sealed interface Action {
  /** The target of an action that applies to all best-effort containers. */
  String BEST_EFFORT = "best-effort";

  /** The target of an action that applies to production containers. */
  String PRODUCTION = "production";

  /** The target of an action that applies to the cgroup around all containers of the node. */
  String NODE = "node";

  /**
   * The measured values behind an action and the values they were compared with.
   *
   * @param protects a description of the containers or processes that the action protects
   * @param inputs the measured values by name, in the unit of the limit
   * @param limit the amount that best-effort may use from now on; for other actions the threshold
   * @param rule the name of the law and its rule; a different rule is audited even if nothing
   *     changes
   * @param reason the rule, the measured value and the range or threshold, in readable text
   */
  record Basis(
      String protects, Map<String, Double> inputs, double limit, String rule, String reason) {}

  /** Returns the name of the action, as written to the audit log. */
  String verb();

  /** Returns a container's id, {@link #BEST_EFFORT}, {@link #PRODUCTION} or {@link #NODE}. */
  String target();

  /** Returns the measurements and the rule behind the decision. */
  Basis basis();

  /** Returns what is done to whom, in one line; it is the same for actions that do the same. */
  default String summary() {
    return verb() + " " + target();
  }

  /**
   * Sets the amount of a resource that best-effort may use. A mechanism returns it at each
   * decision; the executor changes only what is not in effect already.
   *
   * @param limit the limited resource
   * @param capacity the total amount of the resource, in the same unit
   * @param cores the chosen cores, if the amount is a number of cores
   * @param change the direction of the change since the mechanism's last decision
   * @param founded whether anything has been measured so far; until then nothing is carried out
   * @param basis the measurements and the rule behind the decision; its limit is the amount
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

    /** Returns the amount that best-effort may use, in the unit of the limit. */
    public double amount() {
      return basis.limit();
    }

    /** Returns whether this action and the other one allow best-effort exactly the same. */
    public boolean allowsAsMuchAs(SetLimit other) {
      return amount() == other.amount() && cores.equals(other.cores);
    }

    /** Returns whether this action allows best-effort all that the other one allows, and more. */
    public boolean allowsMoreThan(SetLimit other) {
      return amount() > other.amount()
          && cores.orElseGet(Cores::none).containsAll(other.cores.orElseGet(Cores::none));
    }
  }

  /**
   * Ends all processes of a best-effort container.
   *
   * @param target the container's id
   * @param instead containers that make this kill unnecessary: it is refused while one of them is
   *     dying
   * @param grace how long the container may take to exit after a request to terminate; zero: it is
   *     killed at once
   * @param basis the measurements and the rule behind the decision
   */
  record Kill(String target, Collection<String> instead, Duration grace, Basis basis)
      implements Action {
    /** Copies the ids. */
    public Kill {
      instead = List.copyOf(instead);
    }

    /** Creates a kill without a grace period. */
    public Kill(String target, Collection<String> instead, Basis basis) {
      this(target, instead, Duration.ZERO, basis);
    }

    @Override
    public String verb() {
      return "kill";
    }
  }

  /**
   * Stops all processes of a best-effort container with the freezer.
   *
   * @param target the container's id
   * @param basis the measurements and the rule behind the decision
   */
  record Freeze(String target, Basis basis) implements Action {
    @Override
    public String verb() {
      return "freeze";
    }
  }

  /**
   * Lets a frozen container continue.
   *
   * @param target the container's id
   * @param basis the measurements and the rule behind the decision
   */
  record Thaw(String target, Basis basis) implements Action {
    @Override
    public String verb() {
      return "thaw";
    }
  }

  /**
   * Changes how much memory the kernel leaves to a production container, or to a cgroup around
   * several, as long as it finds other memory to reclaim. A mechanism returns it only for a value
   * that differs from the one found.
   *
   * @param limit selects the actuator
   * @param target the container's id, {@link #PRODUCTION} or {@link #NODE}
   * @param foundBytes the value found
   * @param bytes the new value; Long.MAX_VALUE for all of its memory
   * @param basis the measurements and the rule behind the decision; its limit is the new value
   */
  record Protect(Limit limit, String target, long foundBytes, long bytes, Basis basis)
      implements Action {
    @Override
    public String verb() {
      return "protect";
    }

    @Override
    public String summary() {
      return Action.super.summary() + " with " + bytes + " bytes";
    }

    /** Returns whether best-effort has to leave more memory to production than before. */
    public boolean takes() {
      return bytes > foundBytes;
    }
  }

  /** A setting of one production container alone. */
  sealed interface ContainerSetting extends Action {
    /** Returns the limit that selects the actuator. */
    Limit limit();
  }

  /**
   * Changes the period, quota and burst of a container that has a CPU quota. Its share stays the
   * same.
   *
   * @param limit selects the actuator
   * @param target the container's id
   * @param verb the name in the audit log: burst or restore
   * @param bandwidth the new values
   * @param basis the measurements and the rule behind the decision; its limit is the burst, in
   *     microseconds
   */
  record SetBandwidth(
      Limit limit, String target, String verb, ContainerBandwidths.Bandwidth bandwidth, Basis basis)
      implements ContainerSetting {
    @Override
    public String summary() {
      return "%s to quota %d, period %d and burst %d us"
          .formatted(
              ContainerSetting.super.summary(),
              bandwidth.quotaMicros(),
              bandwidth.periodMicros(),
              bandwidth.burstMicros());
    }
  }

  /**
   * Sets the CPU time that a production container may use.
   *
   * @param limit selects the actuator
   * @param target the container's id
   * @param verb the name in the audit log: give, raise, halve or restore
   * @param cores CPU seconds per second, above 0; empty: the value found before anything was set
   * @param basis the measurements and the rule behind the decision; its limit is the quota, or 0 if
   *     the value found is restored
   */
  record SetQuota(Limit limit, String target, String verb, OptionalDouble cores, Basis basis)
      implements ContainerSetting {
    @Override
    public String summary() {
      String summary = ContainerSetting.super.summary();
      return cores.isPresent() ? summary + " to " + cores.getAsDouble() + " cores" : summary;
    }
  }

  /**
   * Moves memory of a frozen container to swap and back to its files.
   *
   * @param target the container's id
   * @param bytes the maximum amount, in bytes
   * @param basis the measurements and the rule behind the decision
   */
  record Reclaim(String target, long bytes, Basis basis) implements Action {
    @Override
    public String verb() {
      return "reclaim";
    }
  }

  /**
   * Moves a small part of the memory of each of several running containers to swap and back to its
   * files. Pages that a container still uses soon return.
   *
   * @param limit selects the actuator
   * @param target {@link #BEST_EFFORT} or {@link #PRODUCTION}
   * @param portions the containers and the amount for each
   * @param basis the measurements and the rule behind the decision; its limit is the sum, in bytes
   */
  record ReclaimCold(Limit limit, String target, List<Portion> portions, Basis basis)
      implements Action {
    /**
     * The amount to reclaim from one container.
     *
     * @param containerId the container's id
     * @param production whether the container is production; otherwise it is best-effort
     * @param bytes the amount in bytes, above 0
     * @param filesOnly whether only pages of files may be reclaimed, and nothing may go to swap
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
