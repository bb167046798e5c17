/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.eviction;

import io.charon.core.mechanism.Basis;
import io.charon.core.mechanism.BestEffortTasks.Task;
import java.time.Duration;

/**
 * What best-effort has to give back by the end of containers.
 *
 * @param resource of what
 * @param amount in the unit of the resource, more than 0
 * @param most how many containers may end for it at one look, those included that are dying
 * @param basis what was measured, and by which rule it is too much
 */
public record Shortage(Resource resource, double amount, int most, Basis basis) {
  /** At one look no more than this end (ours): each forks a process. */
  public static final int MAX = 5;

  /** What can be short. */
  public enum Resource {
    /** Working sets, bytes; after a kill 4 s are waited (koordinator). */
    MEMORY("bytes", Duration.ofSeconds(4)) {
      @Override
      double of(Task task) {
        return task.bytes();
      }
    },
    /** Requests of processors, vcores; after a kill 20 s are waited (koordinator). */
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

    /** What the end of a container releases of it. */
    abstract double of(Task task);

    /** As reports name it. */
    public String unit() {
      return unit;
    }

    /** So long after a kill, whoever killed, nobody is evicted for it. */
    public Duration coolDown() {
      return coolDown;
    }
  }

  /** Checks the range. */
  public Shortage {
    if (!(amount > 0) || most < 1) {
      throw new IllegalArgumentException("amount %s, most %d".formatted(amount, most));
    }
  }
}
