/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.metrics;

/**
 * The quantities that mechanisms report, with the name of the mechanism as label. Their names
 * follow those of the quantities.
 */
public enum MechanismMetric implements Metric {
  LIMIT_BYTES(
      "charon_{regulator}_regulator_limit_bytes",
      "bytes",
      "Memory that best-effort may use, in bytes",
      "Limit that a mechanism sets on best-effort"),
  LIMIT_CORES(
      "charon_{regulator}_regulator_limit_cores",
      "cores",
      "Processors that best-effort may use, in cores",
      "Limit that a mechanism sets on best-effort"),
  LIMIT_TRAFFIC(
      "charon_{regulator}_regulator_limit_bytes_per_second",
      "bytes/second",
      "Throughput that best-effort may use, in bytes per second",
      "Limit that a mechanism sets on best-effort"),
  LIMIT_THREADS(
      "charon_{regulator}_regulator_limit_threads",
      "threads",
      "Processes and threads that best-effort may have",
      "Limit that a mechanism sets on best-effort"),
  MEAN_BYTES(
      "charon_{regulator}_regulator_mean_bytes",
      "bytes",
      "Mean of the foreground's working set and swap over the last window in bytes",
      "Normal use on this node"),
  MEAN_RATIO(
      "charon_{regulator}_regulator_mean_ratio",
      "ratio",
      "Mean of the foreground's CPU signal over the last window, as a ratio",
      "Normal signal on this node"),
  MEAN_CORES(
      "charon_{regulator}_regulator_mean_cores",
      "cores",
      "Mean load of the foreground in cores, if cores follow load or a water line is set",
      "Normal load on this node"),
  MEAN_TRAFFIC(
      "charon_{regulator}_regulator_mean_bytes_per_second",
      "bytes/second",
      "Mean of the foreground's sent traffic over the last window in bytes per second",
      "Normal traffic on this node"),
  DEVIATION_BYTES(
      "charon_{regulator}_regulator_standard_deviation_bytes",
      "bytes",
      "Standard deviation of the foreground's working set and swap in bytes",
      "Normal variation on this node"),
  DEVIATION_RATIO(
      "charon_{regulator}_regulator_standard_deviation_ratio",
      "ratio",
      "Standard deviation of the foreground's CPU signal, as a ratio",
      "Normal variation on this node"),
  DEVIATION_TRAFFIC(
      "charon_{regulator}_regulator_standard_deviation_bytes_per_second",
      "bytes/second",
      "Standard deviation of the foreground's sent traffic in bytes per second",
      "Normal variation on this node"),
  PINNED_CORES(
      "charon_{regulator}_regulator_pinned_cores",
      "cores",
      "Cores to which foreground processes are pinned",
      "Explains which cores best-effort does not get"),
  LEFTOVER_BYTES(
      "charon_{regulator}_regulator_leftover_bytes",
      "bytes",
      "Files in memory (/dev/shm, tmpfs) in bytes that no running best-effort container has",
      "Shows memory that ended containers left, which only removing the files frees"),
  UNMET_BYTES(
      "charon_{regulator}_regulator_unmet_bytes",
      "bytes",
      "Memory in bytes that eviction should release but cannot; 0 while memory is not short",
      "Memory shortage without a candidate for eviction"),
  UNMET_CORES(
      "charon_{regulator}_regulator_unmet_cores",
      "cores",
      "Processors in vcores that eviction should release but cannot; 0 while none are short",
      "Starved best-effort without a candidate for eviction");

  @SuppressWarnings("ImmutableEnumChecker") // a record of texts and enums, which cannot change
  private final MetricDefinition definition;

  MechanismMetric(String template, String unit, String meaning, String use) {
    definition =
        new MetricDefinition(
            template, Type.GAUGE, unit, Label.REGULATOR, Buckets.NONE, meaning, use);
  }

  @Override
  public MetricDefinition definition() {
    return definition;
  }
}
