/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.contention;

import io.charon.sls.trace.BadRows;
import io.charon.sls.trace.CsvFiles;
import io.charon.sls.trace.CsvRow;
import io.charon.sls.trace.CsvRow.BadField;
import io.charon.sls.tune.TableTime;
import io.charon.sls.tune.TimeUnitOfTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Reads intervals from CSV tables, plain or .gz, whose first line names the columns. */
public final class IntervalTables {
  /** Name of the service in tables without a column for services. */
  public static final String ALL = "all";

  private static final List<String> TIMES =
      List.of("time", "time_s", "time_ms", "timestamp", "timestamp_ms", "seconds", "t_s", "t_ms");
  private static final List<String> VALUES =
      List.of("cpi", "p99", "p99_ms", "p99_seconds", "batch_seconds", "value");
  private static final List<String> LOADS =
      List.of("load", "production_cores", "cycles", "qps", "rps", "requests_per_second", "cores");
  private static final List<String> BEST_EFFORTS =
      List.of("best_effort", "best_effort_cores", "best_effort_percent", "background", "offline");
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int MAX_INTERVALS = 5_000_000;

  private final IntervalColumns wanted;
  private final BadRows bad;
  private final Map<String, List<Interval>> services = new LinkedHashMap<>();
  private int count;

  /**
   * Creates a reader that has read nothing.
   *
   * @param wanted the columns
   * @param bad receives the rows that cannot be used
   */
  public IntervalTables(IntervalColumns wanted, BadRows bad) {
    this.wanted = wanted;
    this.bad = bad;
  }

  private record Columns(
      int time, TimeUnitOfTable unit, int value, int load, int bestEffort, int service) {}

  /**
   * Reads a table; a service may continue from one table to the next.
   *
   * @throws IOException if the table cannot be used; the message names the file, the line, the
   *     problem and the cure
   */
  public void read(Path file) throws IOException {
    try (CsvFiles table = new CsvFiles(List.of(file), List.of())) {
      CsvRow header =
          table
              .next()
              .orElseThrow(
                  () ->
                      new IOException(
                          file + ": the file is empty; its first line must name its columns"));
      Columns columns = columns(header);
      for (Optional<CsvRow> row = table.next(); row.isPresent(); row = table.next()) {
        try {
          add(row.get(), columns);
        } catch (BadField e) {
          bad.add(row.get().place(), e.getMessage());
        }
        if (count > MAX_INTERVALS) {
          throw new IOException(
              "%s: more than %,d intervals; give fewer files, or longer intervals"
                  .formatted(row.get().place(), MAX_INTERVALS));
        }
      }
    }
  }

  /** Returns the intervals read so far, by service, in the order of the files. */
  public Map<String, List<Interval>> services() {
    return services;
  }

  private void add(CsvRow row, Columns columns) throws BadField {
    String service = columns.service() < 0 ? ALL : row.text(columns.service()).strip();
    if (service.isEmpty()) {
      throw new BadField("the name of the service is empty");
    }
    double seconds =
        TableTime.nanos(row.text(columns.time()).strip(), columns.unit()) / NANOS_PER_SECOND;
    Interval interval =
        new Interval(
            seconds,
            number(row, columns.value(), "value"),
            number(row, columns.load(), "load"),
            number(row, columns.bestEffort(), "use of best-effort"));
    List<Interval> all = services.computeIfAbsent(service, name -> new ArrayList<>());
    if (!all.isEmpty() && seconds <= all.get(all.size() - 1).seconds()) {
      throw new BadField(
          "the time %s of service %s is not later than the one before: sort the rows by time, or name the column of"
                  .formatted(row.text(columns.time()), service)
              + " the services with --service");
    }
    all.add(interval);
    count++;
  }

  private static double number(CsvRow row, int column, String what) throws BadField {
    OptionalDouble number = row.number(column);
    return number.orElseThrow(() -> new BadField("the %s is empty".formatted(what)));
  }

  private Columns columns(CsvRow header) throws IOException {
    List<String> names = header.names();
    int time = find(header, names, wanted.time(), TIMES, "time", "--time");
    return new Columns(
        time,
        wanted.timeUnit().orElseGet(() -> TimeUnitOfTable.of(names.get(time))),
        find(header, names, wanted.value(), VALUES, "value that may suffer", "--value"),
        find(header, names, wanted.load(), LOADS, "service's load", "--load"),
        find(
            header,
            names,
            wanted.bestEffort(),
            BEST_EFFORTS,
            "use of best-effort",
            "--best-effort"),
        wanted.service().isEmpty()
            ? -1
            : find(header, names, wanted.service(), List.of(), "services", "--service"));
  }

  private static int find(
      CsvRow header,
      List<String> names,
      Optional<String> chosen,
      List<String> known,
      String what,
      String option)
      throws IOException {
    List<String> candidates = chosen.map(List::of).orElse(known);
    return candidates.stream()
        .map(names::indexOf)
        .filter(index -> index >= 0)
        .findFirst()
        .orElseThrow(
            () ->
                new IOException(
                    "%s: no column of the %s (%s) among %s; name it with %s"
                        .formatted(
                            header.place(), what, String.join(", ", candidates), names, option)));
  }
}
