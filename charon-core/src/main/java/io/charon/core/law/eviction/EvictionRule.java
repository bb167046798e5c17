/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.eviction;

import io.charon.core.mechanism.Action.Basis;
import io.charon.core.mechanism.BestEffortTasks.Task;
import io.charon.core.mechanism.MechanismReport;
import io.charon.core.mechanism.Reading;
import io.charon.core.mechanism.Snapshot;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** Decides whether best-effort uses too much of a node, and how much has to be released. */
public interface EvictionRule {
  /** The start of the reason of each eviction. */
  String REASON = "eviction ";

  /**
   * The memory in use on the node: everything except available memory, which includes page cache
   * that could be dropped.
   *
   * @param usedBytes 0 to the capacity
   * @param capacityBytes the memory of the node, not negative
   */
  record MemoryUse(long usedBytes, long capacityBytes) implements Reading {
    /** Clamps both values to their range: readings of different files may differ in time. */
    public MemoryUse {
      capacityBytes = Math.max(0, capacityBytes);
      usedBytes = Math.min(Math.max(0, usedBytes), capacityBytes);
    }

    /**
     * Returns whether at least the given percentage of the node's memory is in use; false for a
     * node without memory.
     */
    public boolean isAtLeast(double percent) {
      return capacityBytes > 0 && usedBytes >= bytes(percent);
    }

    /** Returns the given percentage of the node's memory, in bytes. */
    public double bytes(double percent) {
      return capacityBytes * percent / 100;
    }
  }

  /** The resources that can be short. */
  enum Resource {
    /**
     * Working sets, less what outlives their containers, in bytes; the cool-down after a kill is 4
     * s (koordinator).
     */
    MEMORY("bytes", Duration.ofSeconds(4)) {
      @Override
      double of(Task task) {
        return task.releasedBytes();
      }
    },
    /** Requested processors, in vcores; the cool-down after a kill is 20 s (koordinator). */
    CPU("cores", Duration.ofSeconds(20)) {
      @Override
      double of(Task task) {
        return task.cores();
      }
    };

    private final String unit;
    private final Duration coolDown;

    Resource(String unit, Duration coolDown) {
      this.unit = unit;
      this.coolDown = coolDown;
    }

    /** Returns the amount that the end of a container releases. */
    abstract double of(Task task);

    /** Returns the unit as used in reports. */
    public String unit() {
      return unit;
    }

    /** Returns the time after any kill on the node during which no container is evicted. */
    public Duration coolDown() {
      return coolDown;
    }
  }

  /**
   * The amount of a resource that has to be released by evicting best-effort containers.
   *
   * @param resource the resource
   * @param amount in the unit of the resource, more than 0
   * @param most the maximum number of containers that may be ending at the same time, including
   *     those that are dying already
   * @param basis the measured values and the rule that found the shortage
   */
  record Shortage(Resource resource, double amount, int most, Basis basis) {
    /** Maximum number of evictions per sample, because each of them forks a process. Our choice. */
    public static final int MAX = 5;

    /** Checks the ranges. */
    public Shortage {
      if (!(amount > 0) || most < 1) {
        throw new IllegalArgumentException(
            "amount must be above 0 and most at least 1, got %s and %d".formatted(amount, most));
      }
    }
  }

  /**
   * The finding of a rule.
   *
   * @param value the value on which the rule bases its finding, in the rule's unit; empty if it was
   *     not measured
   * @param shortage the shortage; empty if there is none
   * @param cause the finding in readable text
   */
  record Finding(OptionalDouble value, Optional<Shortage> shortage, String cause) {}

  /** Returns the name in keys, metrics, status and audit log. */
  String name();

  /** Returns the observed signal, in readable text. */
  String signal();

  /** Returns the unit of the signal, as in {@link MechanismReport.Quantity#unit}. */
  String unit();

  /** Returns the resource that can be short. */
  Resource resource();

  /** Returns the types of the readings that the rule needs. */
  Set<Class<? extends Reading>> needs();

  /** Evaluates the rule; to be called at each tick, even while no container may be evicted. */
  Finding find(Snapshot seen);
}
