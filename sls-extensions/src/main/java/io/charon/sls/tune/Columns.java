/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune;

import io.charon.core.law.Observation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * The columns of a table, found by applying a {@link TableFormat} to the names of its columns.
 *
 * @param names names of all columns
 * @param series column that distinguishes series; empty if the table is one series, or wide
 * @param time column of the time; empty if rows are a fixed interval apart
 * @param timeUnit unit of the time column
 * @param values columns of usage; each is a series if there are several
 * @param wide whether the columns of usage are the series
 * @param capacityColumn column of the capacity
 * @param capacity the capacity, if it is a number; if both are empty, the peak of each series
 */
record Columns(
    List<String> names,
    OptionalInt series,
    OptionalInt time,
    TimeUnitOfTable timeUnit,
    List<Integer> values,
    boolean wide,
    OptionalInt capacityColumn,
    OptionalDouble capacity) {
  private static final List<String> SERIES =
      List.of(
          "series",
          "container_id",
          "container",
          "pod",
          "vm",
          "machine_id",
          "machine",
          "node",
          "host",
          "port",
          "interface");
  private static final List<String> TIME =
      List.of(
          "time",
          "time_s",
          "time_ms",
          "t_s",
          "t_ms",
          "timestamp",
          "timestamp_ms",
          "seconds",
          "minute");
  private static final List<String> PERCENT = List.of("percent", "pct");
  private static final double WHOLE_PERCENT = 100;

  /**
   * Finds the columns of one table.
   *
   * @throws IOException if a column is missing; the message names the column and the cure
   */
  static Columns find(String file, List<String> names, TableFormat format, TunedRegulator regulator)
      throws IOException {
    Finder finder = new Finder(file, names);
    OptionalInt time =
        format.interval().isPresent()
            ? OptionalInt.empty()
            : OptionalInt.of(
                finder
                    .namedOrKnown(format.time(), TIME)
                    .orElseThrow(
                        () ->
                            finder.missing(
                                "no time column",
                                "name it with --time, or give --interval if the rows have a fixed interval")));
    TimeUnitOfTable unit =
        format
            .timeUnit()
            .orElse(
                time.isPresent()
                    ? TimeUnitOfTable.of(names.get(time.getAsInt()))
                    : TimeUnitOfTable.S);
    OptionalInt series =
        format.wide() ? OptionalInt.empty() : finder.optional(format.series(), SERIES);
    List<Integer> values = new ArrayList<>();
    if (format.wide()) {
      for (int column = 0; column < names.size(); column++) {
        if (time.isEmpty() || column != time.getAsInt()) {
          values.add(column);
        }
      }
    } else {
      values.add(
          finder
              .namedOrKnown(format.value(), regulator.valueColumns())
              .orElseThrow(
                  () ->
                      finder.missing(
                          "no column that is known to hold " + regulator + " usage",
                          "name it with --value")));
    }
    OptionalInt capacityColumn = OptionalInt.empty();
    OptionalDouble capacity = OptionalDouble.empty();
    if (format.capacity().isEmpty()) {
      capacity = OptionalDouble.of(finder.percentOf(format.wide(), names.get(values.get(0))));
    } else if (!format.capacity().get().equals(TableFormat.PEAK)) {
      capacity = number(format.capacity().get());
      if (capacity.isEmpty()) {
        capacityColumn = OptionalInt.of(finder.named(format.capacity().get()));
      }
    }
    return new Columns(
        List.copyOf(names),
        series,
        time,
        unit,
        List.copyOf(values),
        format.wide(),
        capacityColumn,
        capacity);
  }

  private static OptionalDouble number(String text) {
    try {
      double number = Double.parseDouble(text);
      return number > 0 && number <= Observation.LARGEST
          ? OptionalDouble.of(number)
          : OptionalDouble.empty();
    } catch (NumberFormatException e) {
      return OptionalDouble.empty();
    }
  }

  /** Describes the columns for the user. */
  String description() {
    String what = wide ? "every column is a series" : names.get(values.get(0));
    if (series.isPresent()) {
      what += " by " + names.get(series.getAsInt());
    }
    if (time.isPresent()) {
      what += " over " + names.get(time.getAsInt()) + " (" + timeUnit + ")";
    }
    if (capacityColumn.isPresent()) {
      return what + ", capacity " + names.get(capacityColumn.getAsInt());
    }
    return what
        + ", capacity "
        + (capacity.isPresent() ? Numbers.text(capacity.getAsDouble()) : "the peak of each series");
  }

  /** Finds columns by name; errors name the file and its columns. */
  private record Finder(String file, List<String> names) {

    IOException missing(String what, String cure) {
      return new IOException("%s:1: %s among %s; %s".formatted(file, what, shortened(names), cure));
    }

    int named(String column) throws IOException {
      int index = names.indexOf(column);
      if (index < 0) {
        throw missing("no column \"" + column + "\"", "column names are case-sensitive");
      }
      return index;
    }

    Optional<Integer> namedOrKnown(Optional<String> name, List<String> known) throws IOException {
      if (name.isPresent()) {
        return Optional.of(named(name.get()));
      }
      return known.stream().map(names::indexOf).filter(index -> index >= 0).findFirst();
    }

    OptionalInt optional(Optional<String> name, List<String> known) throws IOException {
      Optional<Integer> found = namedOrKnown(name, known);
      return found.isPresent() ? OptionalInt.of(found.get()) : OptionalInt.empty();
    }

    double percentOf(boolean wide, String value) throws IOException {
      String ending = value.substring(value.lastIndexOf('_') + 1).toLowerCase(Locale.ROOT);
      if (!wide && PERCENT.contains(ending)) {
        return WHOLE_PERCENT;
      }
      throw missing(
          "the capacity is not known",
          "give --capacity: a number in the unit of the values, a column, or " + TableFormat.PEAK);
    }

    private static String shortened(List<String> names) {
      int most = 20;
      return names.size() <= most
          ? names.toString()
          : names.subList(0, most) + " and " + (names.size() - most) + " more";
    }
  }
}
