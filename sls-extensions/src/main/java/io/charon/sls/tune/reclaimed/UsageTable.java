/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune.reclaimed;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A published table of usage and its format.
 *
 * @param name name of the table and the resource, shown to users
 * @param file path below the directory of the traces
 * @param tuning whether the parameters of predictors may be tuned on it; all other tables are for a
 *     final run
 * @param columns the columns
 * @param amounts meaning of the numbers
 * @param perMachine whether series are combined to machines; otherwise each series is a machine
 */
public record UsageTable(
    String name,
    String file,
    boolean tuning,
    Columns columns,
    Amounts amounts,
    boolean perMachine) {
  /**
   * The columns of a table.
   *
   * @param series column that distinguishes series; if empty, the table is one series, unless wide
   * @param wide whether every column is a series
   * @param time column of the time; if empty, rows are one sample apart
   * @param secondsPerUnit length of the unit of time, or time between rows
   * @param use column of the use; unused if wide
   * @param request column of the reservation
   */
  public record Columns(
      Optional<String> series,
      boolean wide,
      Optional<String> time,
      double secondsPerUnit,
      String use,
      Optional<String> request) {}

  /**
   * The meaning of the numbers.
   *
   * @param useUnit share of the request that a use of 1 stands for; empty if use and request have
   *     the same unit
   * @param fixedRequest the reservation, if there is no column for it
   * @param capacity capacity of the machine in the unit of the request; empty if all of it is
   *     reserved
   */
  public record Amounts(OptionalDouble useUnit, double fixedRequest, OptionalDouble capacity) {
    /** Returns amounts of a machine whose whole capacity is reserved. */
    static Amounts allReserved(OptionalDouble useUnit) {
      return new Amounts(useUnit, 1, OptionalDouble.empty());
    }
  }

  private static final OptionalDouble PERCENT = OptionalDouble.of(0.01);
  private static final OptionalDouble SHARE = OptionalDouble.of(1);
  private static final OptionalDouble ABSOLUTE = OptionalDouble.empty();

  /** Sums over machine_events at time 0: 12,477 machines, where the largest machine is 1. */
  private static final double GOOGLE_CORES = 6603.25;

  private static final double GOOGLE_MEMORY = 5862.75;

  /** Returns the known tables; those for tuning come first. */
  public static List<UsageTable> published() {
    String bitbrains = "bitbrains/rnd_2013-8_oddVMs_5min.csv.gz";
    String google = "google2011/derived/cluster_usage_5min_29d.csv.gz";
    String alibaba = "alibaba2018/machine_usage_8m.csv.gz";
    String alibabaMean = "alibaba2018/cluster_mean_10s_8d.csv.gz";
    String azure = "azure2017/microsoft_%s_100_first50.csv.gz";
    String azurePeriodic = "azure2017/periodic_%s_78_first39.csv.gz";
    String smd = "smd/train_8machines_1min.csv.gz";
    return List.of(
        vms("bitbrains cpu", bitbrains, "cpu_pct", PERCENT, "cores"),
        vms("bitbrains memory", bitbrains, "mem_used_mb", ABSOLUTE, "mem_prov_mb"),
        whole("google2011 cpu", google, "cpu_used", Optional.empty(), GOOGLE_CORES),
        whole("google2011 memory", google, "mem_used", Optional.of("mem_assigned"), GOOGLE_MEMORY),
        machines(
            "alibaba2018 cpu", alibaba, "machine_id", "time_s", 1, "cpu_util_percent", PERCENT),
        machines(
            "alibaba2018 memory", alibaba, "machine_id", "time_s", 1, "mem_util_percent", PERCENT),
        rows("alibaba2018 mean cpu", alibabaMean, "cpu_util_percent"),
        rows("alibaba2018 mean memory", alibabaMean, "mem_util_percent"),
        wide("azure2017 cpu", azure.formatted("avg")),
        wide("azure2017 cpu, peaks", azure.formatted("max")),
        wide("azure2017 periodic cpu", azurePeriodic.formatted("avg")),
        wide("azure2017 periodic cpu, peaks", azurePeriodic.formatted("max")),
        machines("smd cpu", smd, "machine", "minute", 60, "cpu_r", SHARE),
        machines("smd memory", smd, "machine", "minute", 60, "mem_u", SHARE));
  }

  private static UsageTable vms(
      String name, String file, String use, OptionalDouble useUnit, String request) {
    return new UsageTable(
        name,
        file,
        true,
        new Columns(Optional.of("vm"), false, Optional.of("time_s"), 1, use, Optional.of(request)),
        Amounts.allReserved(useUnit),
        true);
  }

  private static UsageTable whole(
      String name, String file, String use, Optional<String> request, double capacity) {
    return new UsageTable(
        name,
        file,
        true,
        new Columns(Optional.empty(), false, Optional.of("time_s"), 1, use, request),
        new Amounts(ABSOLUTE, capacity, OptionalDouble.of(capacity)),
        false);
  }

  private static UsageTable machines(
      String name,
      String file,
      String series,
      String time,
      double secondsPerUnit,
      String use,
      OptionalDouble useUnit) {
    return new UsageTable(
        name,
        file,
        false,
        new Columns(
            Optional.of(series), false, Optional.of(time), secondsPerUnit, use, Optional.empty()),
        Amounts.allReserved(useUnit),
        false);
  }

  private static UsageTable rows(String name, String file, String use) {
    return new UsageTable(
        name,
        file,
        false,
        new Columns(Optional.empty(), false, Optional.empty(), 10, use, Optional.empty()),
        Amounts.allReserved(PERCENT),
        false);
  }

  private static UsageTable wide(String name, String file) {
    return new UsageTable(
        name,
        file,
        false,
        new Columns(Optional.empty(), true, Optional.empty(), 300, "", Optional.empty()),
        Amounts.allReserved(PERCENT),
        true);
  }
}
