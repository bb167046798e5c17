/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

import com.fasterxml.jackson.databind.JsonNode;

/** The measures of a run, defined once for tables, files and comparisons. */
public enum Measure {
  /** Share of the submitted best-effort jobs that completed, the paper's JCR. */
  COMPLETION_RATE("completionRate", "/bestEffort/completionRate"),
  /** Best-effort jobs that failed. */
  FAILED("failed", "/bestEffort/failed"),
  /** Best-effort jobs that were running or waiting at the end. */
  UNFINISHED("unfinished", "/bestEffort/unfinished"),
  /** Median completion time of best-effort jobs. */
  P50_SECONDS("p50Seconds", "/bestEffort/p50Seconds"),
  /** 90th percentile of the completion times of best-effort jobs. */
  P90_SECONDS("p90Seconds", "/bestEffort/p90Seconds"),
  /** 99th percentile of the completion times of best-effort jobs. */
  P99_SECONDS("p99Seconds", "/bestEffort/p99Seconds"),
  /** Median slowdown of production jobs. */
  P50_SLOWDOWN("productionP50Slowdown", "/production/p50SlowdownVsAlone"),
  /** 90th percentile of the slowdowns of production jobs. */
  P90_SLOWDOWN("productionP90Slowdown", "/production/p90SlowdownVsAlone"),
  /** Containers killed for memory, for any cause. */
  KILLS("kills", "/killsByCause"),
  /** Containers that the oracle moved: their tasks continued elsewhere without losing work. */
  MOVES("moves", "/moves"),
  /** Containers that a full node rejected. */
  REJECTIONS("rejections", "/rejections"),
  /** Work that was lost. */
  LOST_WORK_SECONDS("lostWorkSeconds", "/lostWorkSeconds"),
  /** Memory in use as a share of all memory, until the last submission. */
  MEMORY_UTILIZATION("memoryUtilization", "/memoryUtilization");

  /** Kill cause under which results of earlier versions counted moves. */
  private static final String MOVES_AMONG_KILLS = "oracle";

  private final String key;
  private final String pointer;

  Measure(String key, String pointer) {
    this.key = key;
    this.pointer = pointer;
  }

  /** Returns the name of the measure in files. */
  public String key() {
    return key;
  }

  /** Returns the value of the measure in a run; not a number if there is none. */
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
      case KILLS -> run.disruptions().kills();
      case MOVES -> run.disruptions().moves();
      case REJECTIONS -> run.disruptions().rejections();
      case LOST_WORK_SECONDS -> run.disruptions().lostWorkSeconds();
      case MEMORY_UTILIZATION -> run.memory().utilization();
    };
  }

  /**
   * Returns the value of the measure in a run of a result file; not a number if it is null there.
   *
   * @throws IllegalArgumentException if it is missing or not a number
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
