/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune;

import io.charon.core.law.CounterRate;
import io.charon.core.law.Observation;
import io.charon.sls.trace.BadRows;
import io.charon.sls.trace.CsvFiles;
import io.charon.sls.trace.CsvRow;
import io.charon.sls.trace.CsvRow.BadField;
import io.charon.sls.trace.ImportProgress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/** The usage series of some tables, sample by sample, in the order of the rows. */
final class UsageTables {
  private static final double NANOS_PER_SECOND = 1e9;

  private final List<Path> files;
  private final TableFormat format;
  private final TunedRegulator regulator;
  private final int maxSeries;

  /**
   * Creates a reader without opening the tables.
   *
   * @param mostSeries maximum number of series, because each takes memory
   */
  UsageTables(List<Path> files, TableFormat format, TunedRegulator regulator, int mostSeries) {
    this.files = List.copyOf(files);
    this.format = format;
    this.regulator = regulator;
    this.maxSeries = mostSeries;
  }

  /**
   * Reads all tables once.
   *
   * @param samples receives each sample
   * @return description of the columns of the first table
   * @throws IOException if a table cannot be read or understood, or a bad row is not tolerated
   */
  String read(BadRows badRows, ImportProgress progress, Consumer<UsageSample> samples)
      throws IOException {
    Pass pass = new Pass(badRows, samples);
    String description = "";
    long rows = 0;
    for (Path file : files) {
      try (CsvFiles table = new CsvFiles(List.of(file), List.of())) {
        Optional<CsvRow> row = table.next();
        if (row.isEmpty()) {
          throw new IOException(file + ": the file is empty; its first line must name its columns");
        }
        Columns columns = Columns.find(file.toString(), row.get().names(), format, regulator);
        if (description.isEmpty()) {
          description = columns.description();
        }
        for (row = table.next(); row.isPresent(); row = table.next()) {
          pass.row(row.get(), columns, file.toString());
          progress.at("rows read", ++rows);
        }
      }
    }
    return description;
  }

  /** State of a series while its rows are read. */
  private static final class Cursor {
    private final CounterRate rate = new CounterRate();
    private long rows;
    private boolean begun;
    private long nanos;
  }

  /** One pass over all tables. */
  private final class Pass {
    private final BadRows badRows;
    private final Consumer<UsageSample> samples;
    private final Map<String, Cursor> cursors = new HashMap<>();

    Pass(BadRows badRows, Consumer<UsageSample> samples) {
      this.badRows = badRows;
      this.samples = samples;
    }

    void row(CsvRow row, Columns columns, String file) throws IOException {
      for (int value : columns.values()) {
        try {
          sample(row, columns, value, file);
        } catch (BadField e) {
          badRows.add(row.place(), e.getMessage());
        }
      }
    }

    private void sample(CsvRow row, Columns columns, int value, String file)
        throws BadField, IOException {
      String series = seriesOf(row, columns, value, file);
      Cursor cursor = cursor(series, row);
      long nanos = nanos(row, columns, cursor);
      if (cursor.begun && nanos <= cursor.nanos) {
        throw new BadField(
            "the time of series %s is not later than the one before; sort its rows by time, or name the columns with"
                    .formatted(series)
                + " --series and --time");
      }
      OptionalDouble number = row.number(value);
      OptionalDouble capacity = columns.capacity();
      if (columns.capacityColumn().isPresent()) {
        capacity = row.number(columns.capacityColumn().getAsInt());
        if (capacity.isEmpty() || capacity.getAsDouble() == 0) {
          throw new BadField("the capacity is empty or 0");
        }
        refuseHuge("capacity", capacity);
      }
      cursor.begun = true;
      cursor.nanos = nanos;
      if (format.counter() && number.isPresent()) {
        number = cursor.rate.read(nanos, number.getAsDouble());
      }
      refuseHuge("value", number);
      samples.accept(new UsageSample(series, nanos, number, capacity));
    }

    private static void refuseHuge(String what, OptionalDouble number) throws BadField {
      if (number.isPresent() && number.getAsDouble() > Observation.LARGEST) {
        throw new BadField("the %s is above 2^63".formatted(what));
      }
    }

    private String seriesOf(CsvRow row, Columns columns, int value, String file) throws BadField {
      if (columns.wide()) {
        return columns.names().get(value);
      }
      if (columns.series().isEmpty()) {
        return file;
      }
      String series = row.bareText(columns.series().getAsInt());
      if (series.isEmpty()) {
        throw new BadField("the name of the series is empty");
      }
      return series;
    }

    private Cursor cursor(String series, CsvRow row) throws IOException {
      Cursor cursor = cursors.get(series);
      if (cursor == null) {
        if (cursors.size() == maxSeries) {
          throw new IOException(
              "%s: more than %d series with this grid; is --series the right column? Else give fewer --windows"
                      .formatted(row.place(), maxSeries)
                  + " or --std-factors, or fewer files at a time");
        }
        cursor = new Cursor();
        cursors.put(series, cursor);
      }
      cursor.rows++;
      return cursor;
    }

    private long nanos(CsvRow row, Columns columns, Cursor cursor) throws BadField {
      return columns.time().isPresent()
          ? TableTime.nanos(row.bareText(columns.time().getAsInt()), columns.timeUnit())
          : Math.round((cursor.rows - 1) * format.interval().orElseThrow() * NANOS_PER_SECOND);
    }
  }
}
