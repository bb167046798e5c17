/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.report;

import io.charon.sls.run.Estimate;
import io.charon.sls.run.Measure;
import io.charon.sls.run.ResultFile;
import io.charon.sls.run.Summary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Compares result files: each with the first, for every policy, load and measure. */
public final class Comparison {
  /**
   * One measure of one policy and load.
   *
   * @param cell policy and load
   * @param measure the measure
   * @param values the estimate of each file; empty if the file has no such runs
   */
  public record Row(Summary.Cell cell, Measure measure, List<Optional<Estimate>> values) {
    /**
     * Returns the difference between a file's mean and the first file's; not a number if one has
     * none.
     */
    public double difference(int file) {
      return values.get(file).map(Estimate::mean).orElse(Double.NaN)
          - values.get(0).map(Estimate::mean).orElse(Double.NaN);
    }

    /**
     * Returns whether the confidence interval of a file overlaps that of the first file; empty if
     * one has no interval.
     */
    public Optional<Boolean> overlaps(int file) {
      if (values.get(0).isEmpty() || values.get(file).isEmpty()) {
        return Optional.empty();
      }
      Estimate first = values.get(0).get();
      Estimate other = values.get(file).get();
      return first.isComparable(other) ? Optional.of(first.overlaps(other)) : Optional.empty();
    }
  }

  private final List<ResultFile> files;
  private final List<List<Summary>> summaries;
  private final List<Row> rows = new ArrayList<>();

  /**
   * Compares result files.
   *
   * @param files at least two
   */
  public Comparison(List<ResultFile> files) {
    this.files = List.copyOf(files);
    this.summaries = this.files.stream().map(file -> Summary.of(file.runs())).toList();
    Set<Summary.Cell> cells = new LinkedHashSet<>();
    summaries.forEach(ofFile -> ofFile.forEach(summary -> cells.add(summary.cell())));
    for (Summary.Cell cell : cells) {
      for (Measure measure : Measure.values()) {
        rows.add(
            new Row(
                cell,
                measure,
                summaries.stream().map(ofFile -> estimate(ofFile, cell, measure)).toList()));
      }
    }
  }

  /** Returns the compared files. */
  public List<ResultFile> files() {
    return files;
  }

  /** Returns the rows in the order of the first file, then those that only other files have. */
  public List<Row> rows() {
    return List.copyOf(rows);
  }

  /**
   * Returns the reasons that make the comparison unfair, one sentence each: other settings, other
   * workloads, another number of seeds.
   */
  public List<String> remarks() {
    List<String> remarks = new ArrayList<>();
    ResultFile first = files.get(0);
    for (int i = 0; i < files.size(); i++) {
      ResultFile file = files.get(i);
      if (file.partial()) {
        remarks.add(file.file() + " is partial: its runs were interrupted");
      }
      differences("setting", List.of(first.settings()), List.of(file.settings()), file, remarks);
      workloads(first.workloads(), file, remarks);
      seeds(i, remarks);
    }
    return remarks;
  }

  private static void workloads(
      List<Map<String, String>> first, ResultFile file, List<String> remarks) {
    List<Map<String, String>> other = file.workloads();
    if (!first.isEmpty() && !other.isEmpty() && first.size() != other.size()) {
      remarks.add(
          "another number of workloads in %s: %d, not %d"
              .formatted(file.file(), other.size(), first.size()));
    }
    differences("workload", stated(first), stated(other), file, remarks);
  }

  private static List<Map<String, String>> stated(List<Map<String, String>> workloads) {
    return workloads.isEmpty() ? List.of(Map.of()) : workloads;
  }

  /** Compares each object with the one at the same place in the first file. */
  private static void differences(
      String what,
      List<Map<String, String>> first,
      List<Map<String, String>> other,
      ResultFile file,
      List<String> remarks) {
    int count = Math.min(first.size(), other.size());
    Map<String, List<Integer>> places = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      Set<String> names = new TreeSet<>(first.get(i).keySet());
      names.addAll(other.get(i).keySet());
      for (String name : names) {
        if (!value(first.get(i), name).equals(value(other.get(i), name))) {
          places.computeIfAbsent(name, key -> new ArrayList<>()).add(i);
        }
      }
    }
    places.forEach(
        (name, differing) -> {
          int place = differing.get(0);
          remarks.add(
              "another %s in %s: %s is %s, not %s%s"
                  .formatted(
                      what,
                      file.file(),
                      name,
                      value(other.get(place), name),
                      value(first.get(place), name),
                      count == 1 ? "" : ofSeeds(differing)));
        });
  }

  private static String value(Map<String, String> object, String name) {
    return object.getOrDefault(name, "not stated");
  }

  private static String ofSeeds(List<Integer> places) {
    String seeds =
        places.stream().map(place -> String.valueOf(place + 1)).collect(Collectors.joining(", "));
    return places.size() == 1
        ? ", for seed " + seeds
        : ", for the first of the seeds " + seeds + ", which all differ";
  }

  /** Names the cells of which a file has another number of seeds than the first file. */
  private void seeds(int file, List<String> remarks) {
    Map<String, List<String>> cells = new LinkedHashMap<>();
    for (Summary before : summaries.get(0)) {
      find(summaries.get(file), before.cell())
          .filter(after -> after.seeds() != before.seeds())
          .ifPresent(
              after ->
                  cells
                      .computeIfAbsent(
                          "%d, not %d".formatted(after.seeds(), before.seeds()),
                          key -> new ArrayList<>())
                      .add(before.cell().policy() + " X" + before.cell().load()));
    }
    cells.forEach(
        (numbers, of) ->
            remarks.add(
                "another number of seeds in %s: %s, of %s"
                    .formatted(files.get(file).file(), numbers, String.join(", ", of))));
  }

  private static Optional<Estimate> estimate(
      List<Summary> summaries, Summary.Cell cell, Measure measure) {
    return find(summaries, cell).map(summary -> summary.of(measure));
  }

  private static Optional<Summary> find(List<Summary> summaries, Summary.Cell cell) {
    return summaries.stream().filter(summary -> summary.cell().equals(cell)).findFirst();
  }
}
