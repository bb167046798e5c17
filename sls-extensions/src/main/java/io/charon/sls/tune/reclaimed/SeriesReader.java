/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune.reclaimed;

import io.charon.core.forecast.UseSample;
import io.charon.sls.trace.CsvFiles;
import io.charon.sls.trace.CsvRow;
import io.charon.sls.trace.CsvRow.BadField;
import io.charon.sls.trace.ImportProgress;
import io.charon.sls.tune.reclaimed.LeftOut.Skipped;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * Reads one table into series. An invalid row is left out; a series with a gap or with too many
 * invalid rows is skipped. Both are reported by file and line.
 */
final class SeriesReader {
  /** Highest valid use relative to the request; busy machines are recorded with up to 105 %. */
  private static final double MAX_USED = 1.25;

  /** A series with more than one invalid row per this number of rows is skipped (our choice). */
  private static final int ROWS_FOR_A_BAD_ONE = 1000;

  /** Maximum number of invalid rows of a table that are named; further ones are only counted. */
  static final int MAX_NAMED = 1000;

  private static final double SECONDS_PER_INTERVAL = UseSample.MINUTES * 60.0;
  private static final double LONGEST_SECONDS = 20 * 366 * 86_400.0;
  private static final int MAX_SERIES = 10_000;

  private final UsageTable table;
  private final Path file;
  private final double gapSeconds;
  private final Map<String, Cursor> cursors = new LinkedHashMap<>();
  private final List<Skipped> skipped = new ArrayList<>();
  private long skippedRows;
  private int namedRows;
  private long rows;

  SeriesReader(UsageTable table, Path file, double gapSeconds) {
    this.table = table;
    this.file = file;
    this.gapSeconds = gapSeconds;
  }

  /** State of a series while its rows are read. */
  private static final class Cursor {
    private final UsageSeries series;
    private long rows;
    private double seconds = Double.NaN;
    // Only at the end of a series is it known whether it has too many, so they are kept until then.
    private final List<Skipped> firstBadRows = new ArrayList<>();
    private long badRows;
    private boolean over;

    Cursor(String name) {
      this.series = new UsageSeries(name);
    }

    boolean isSpoiled() {
      return badRows * ROWS_FOR_A_BAD_ONE > rows;
    }
  }

  /**
   * Reads the whole table.
   *
   * @throws IOException if it cannot be read, or lacks a column
   */
  List<UsageSeries> read(ImportProgress progress) throws IOException {
    try (CsvFiles rowsOfFile = new CsvFiles(List.of(file), List.of())) {
      Optional<CsvRow> row = rowsOfFile.next();
      if (row.isEmpty()) {
        throw new IOException(file + ": the file is empty; its first line must name its columns");
      }
      Layout layout = Layout.of(table, file, row.get());
      for (row = rowsOfFile.next(); row.isPresent(); row = rowsOfFile.next()) {
        for (int column : layout.uses()) {
          take(row.get(), layout, column);
        }
        progress.at("rows of " + table.name(), ++rows);
      }
    }
    List<UsageSeries> series = new ArrayList<>();
    for (Cursor cursor : cursors.values()) {
      if (cursor.isSpoiled()) {
        Skipped first = cursor.firstBadRows.get(0);
        skip(
            cursor,
            first.place(),
            "%s (%d of %d rows are invalid)".formatted(first.cause(), cursor.badRows, cursor.rows));
      } else {
        skipped.addAll(cursor.firstBadRows);
        skippedRows += cursor.badRows;
      }
      if (!cursor.over && !cursor.series.isEmpty()) {
        series.add(cursor.series);
      }
    }
    return series;
  }

  /** Returns the rows and series that were left out; complete after the table was read. */
  LeftOut leftOut() {
    return new LeftOut(skipped, skippedRows);
  }

  private void skip(Cursor cursor, String place, String cause) {
    if (!cursor.over) {
      cursor.over = true;
      skipped.add(new Skipped(cursor.series.name(), place, cause, true));
    }
  }

  private void take(CsvRow row, Layout layout, int column) throws IOException {
    String name = table.columns().wide() ? layout.names().get(column) : table.name();
    Cursor cursor = null;
    try {
      if (layout.series().isPresent()) {
        name = row.text(layout.series().getAsInt());
      }
      cursor = cursors.computeIfAbsent(name, Cursor::new);
      if (cursors.size() > MAX_SERIES) {
        throw new IOException(row.place() + ": more than " + MAX_SERIES + " series");
      }
      cursor.rows++;
      take(row, layout, column, cursor);
    } catch (BadField e) {
      Skipped bad = new Skipped(name, row.place(), e.getMessage(), false);
      if (cursor == null) {
        skippedRows++;
        name(bad, skipped);
      } else {
        cursor.badRows++;
        name(bad, cursor.firstBadRows);
      }
    }
  }

  /** Adds an invalid row to a list unless enough are named; the first of a list always is. */
  private void name(Skipped row, List<Skipped> named) {
    if (named.isEmpty() || namedRows < MAX_NAMED) {
      named.add(row);
      namedRows++;
    }
  }

  private void take(CsvRow row, Layout layout, int column, Cursor cursor) throws BadField {
    double seconds =
        layout.time().isPresent()
            ? number(row, layout.time().getAsInt(), "time") * table.columns().secondsPerUnit()
            : (cursor.rows - 1) * table.columns().secondsPerUnit();
    if (seconds > LONGEST_SECONDS) {
      throw new BadField("the time is more than 20 years after the first");
    }
    if (seconds < cursor.seconds) {
      throw new BadField("the time is before that of the previous row");
    }
    double request =
        layout.request().isPresent()
            ? number(row, layout.request().getAsInt(), "request")
            : table.amounts().fixedRequest();
    if (request <= 0) {
      throw new BadField("the request is 0");
    }
    if (table.amounts().capacity().isPresent()
        && request > MAX_USED * table.amounts().capacity().getAsDouble()) {
      throw new BadField("the request %s is more than the whole machine".formatted(request));
    }
    double use = number(row, column, "use");
    if (table.amounts().useUnit().isPresent()) {
      use *= table.amounts().useUnit().getAsDouble() * request;
    }
    if (use > MAX_USED * request) {
      throw new BadField(
          "a use of %.6g is more than %s times the request of %.6g"
              .formatted(use, MAX_USED, request));
    }
    if (seconds - cursor.seconds > gapSeconds) {
      skip(
          cursor,
          row.place(),
          "a gap of %.1f h before this row".formatted((seconds - cursor.seconds) / 3600));
    }
    cursor.seconds = seconds;
    if (!cursor.over) {
      cursor.series.add((long) (seconds / SECONDS_PER_INTERVAL), use, request);
    }
  }

  private static double number(CsvRow row, int column, String what) throws BadField {
    OptionalDouble number = row.number(column);
    if (number.isEmpty()) {
      throw new BadField("the " + what + " is empty");
    }
    return number.getAsDouble();
  }

  /** The positions of the columns of a table. */
  private record Layout(
      List<String> names,
      OptionalInt series,
      OptionalInt time,
      OptionalInt request,
      List<Integer> uses) {

    static Layout of(UsageTable table, Path file, CsvRow header) throws IOException {
      List<String> names = new ArrayList<>();
      try {
        for (int column = 0; column < header.size(); column++) {
          names.add(header.text(column).trim());
        }
      } catch (BadField e) {
        throw new IOException(header.place() + ": " + e.getMessage(), e);
      }
      List<Integer> uses = new ArrayList<>();
      if (table.columns().wide()) {
        for (int column = 0; column < names.size(); column++) {
          uses.add(column);
        }
      } else {
        uses.add(find(names, table.columns().use(), file));
      }
      return new Layout(
          names,
          optional(names, table.columns().series(), file),
          optional(names, table.columns().time(), file),
          optional(names, table.columns().request(), file),
          uses);
    }

    private static OptionalInt optional(List<String> names, Optional<String> name, Path file)
        throws IOException {
      return name.isPresent() ? OptionalInt.of(find(names, name.get(), file)) : OptionalInt.empty();
    }

    private static int find(List<String> names, String name, Path file) throws IOException {
      int column = names.indexOf(name);
      if (column < 0) {
        throw new IOException("%s:1: no column \"%s\" among %s".formatted(file, name, names));
      }
      return column;
    }
  }
}
