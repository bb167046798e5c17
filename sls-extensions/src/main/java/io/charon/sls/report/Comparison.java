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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

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
  private final List<Row> rows = new ArrayList<>();

  /**
   * Compares result files.
   *
   * @param files at least two
   */
  public Comparison(List<ResultFile> files) {
    this.files = List.copyOf(files);
    List<List<Summary>> summaries =
        this.files.stream().map(file -> Summary.of(file.runs())).toList();
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
   * Returns the reasons that make the comparison unfair, one sentence each: other settings, another
   * workload.
   */
  public List<String> remarks() {
    List<String> remarks = new ArrayList<>();
    ResultFile first = files.get(0);
    for (ResultFile file : files) {
      if (file.partial()) {
        remarks.add(file.file() + " is partial: its runs were interrupted");
      }
      differences("setting", first.settings(), file.settings(), file, remarks);
      differences("workload", first.workload(), file.workload(), file, remarks);
    }
    return remarks;
  }

  private static void differences(
      String what,
      Map<String, String> first,
      Map<String, String> other,
      ResultFile file,
      List<String> remarks) {
    Set<String> names = new TreeSet<>(first.keySet());
    names.addAll(other.keySet());
    for (String name : names) {
      String before = first.getOrDefault(name, "not stated");
      String after = other.getOrDefault(name, "not stated");
      if (!before.equals(after)) {
        remarks.add(
            "another %s in %s: %s is %s, not %s".formatted(what, file.file(), name, after, before));
      }
    }
  }

  private static Optional<Estimate> estimate(
      List<Summary> summaries, Summary.Cell cell, Measure measure) {
    return summaries.stream()
        .filter(summary -> summary.cell().equals(cell))
        .findFirst()
        .map(summary -> summary.of(measure));
  }
}
