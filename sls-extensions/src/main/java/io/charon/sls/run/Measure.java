/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

import com.fasterxml.jackson.databind.JsonNode;

/** What is counted and averaged of a run; one place for tables, files and comparisons. */
public enum Measure {
  /** Completed of submitted best-effort jobs, the paper's JCR. */
  COMPLETION_RATE("completionRate", "/bestEffort/completionRate"),
  /** Best-effort jobs that gave up. */
  FAILED("failed", "/bestEffort/failed"),
  /** Best-effort jobs under way at the end. */
  UNFINISHED("unfinished", "/bestEffort/unfinished"),
  /** Median completion time of best-effort jobs. */
  P50_SECONDS("p50Seconds", "/bestEffort/p50Seconds"),
  /** 90th percentile of it. */
  P90_SECONDS("p90Seconds", "/bestEffort/p90Seconds"),
  /** 99th percentile of it. */
  P99_SECONDS("p99Seconds", "/bestEffort/p99Seconds"),
  /** Median slowdown of production jobs. */
  P50_SLOWDOWN("productionP50Slowdown", "/production/p50SlowdownVsAlone"),
  /** 90th percentile of it. */
  P90_SLOWDOWN("productionP90Slowdown", "/production/p90SlowdownVsAlone"),
  /** Containers killed for memory, whatever the cause. */
  KILLS("kills", "/killsByCause"),
  /** Containers that the oracle moved: their tasks went on elsewhere from where they were. */
  MOVES("moves", "/moves"),
  /** Containers that a full node turned away. */
  REJECTIONS("rejections", "/rejections"),
  /** Work done in vain. */
  LOST_WORK_SECONDS("lostWorkSeconds", "/lostWorkSeconds"),
  /** Memory in use of all memory until the last submission. */
  MEMORY_UTILIZATION("memoryUtilization", "/memoryUtilization");

  /** Under which results of former versions counted moves as kills. */
  private static final String MOVES_AMONG_KILLS = "oracle";

  private final String key;
  private final String pointer;

  Measure(String key, String pointer) {
    this.key = key;
    this.pointer = pointer;
  }

  /** Its name in files. */
  public String key() {
    return key;
  }

  /** Its value in a run; not a number where there is none. */
  public double of(ComparedRun compared) {
    RunResult run = compared.run();
    SideResult bestEffort = run.bestEffort();
    return switch (this) {
      case COMPLETION_RATE -> bestEffort.completionRate();
      case FAILED -> bestEffort.failed();
      case UNFINISHED -> bestEffort.unfinished();
      case P50_SECONDS -> bestEffort.percentileSeconds(50);
      case P90_SECONDS -> bestEffort.percentileSeconds(90);
      case P99_SECONDS -> bestEffort.percentileSeconds(99);
      case P50_SLOWDOWN -> compared.productionSlowdown(50);
      case P90_SLOWDOWN -> compared.productionSlowdown(90);
      case KILLS -> run.kills();
      case MOVES -> run.moves();
      case REJECTIONS -> run.rejections();
      case LOST_WORK_SECONDS -> run.lostWorkSeconds();
      case MEMORY_UTILIZATION -> run.memoryUtilization();
    };
  }

  /**
   * Its value in a run of a result file; not a number if it is null there.
   *
   * @throws IllegalArgumentException if it is missing or something else
   */
  double of(JsonNode run) {
    JsonNode node = run.at(pointer);
    if (node.isNumber()) {
      return node.asDouble();
    }
    if (node.isNull()) {
      return Double.NaN;
    }
    if (this == KILLS && node.isObject()) {
      double sum = -node.path(MOVES_AMONG_KILLS).asDouble();
      for (JsonNode ofCause : node) {
        sum += ofCause.asDouble();
      }
      return sum;
    }
    if (this == MOVES && node.isMissingNode()) {
      return run.at(KILLS.pointer).path(MOVES_AMONG_KILLS).asDouble();
    }
    throw new IllegalArgumentException("has no " + pointer.substring(1).replace('/', '.'));
  }
}
