/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What is published of Google's cells, in quantiles: the resource {@code cell-statistics.json},
 * which names its sources. Memory and processors are shares of the largest machine's.
 */
public final class CellStatistics {
  /**
   * The machines of the cell.
   *
   * @param machines how many
   * @param memory memory of all together, in the largest machine's
   * @param processors processors of all together, in the largest machine's
   * @param windowSeconds time that the figures are from
   */
  public record Cell(int machines, double memory, double processors, long windowSeconds) {}

  /**
   * Jobs of one kind: residents or submitted ones of a tier.
   *
   * @param jobs how many there were
   * @param names how many different names they had
   * @param sizes the same jobs by their number of tasks: one, up to 20, more; because large jobs
   *     ask for other amounts than small ones
   * @param secondsBetweenJobs between submissions; none for residents
   */
  record Jobs(int jobs, int names, List<Size> sizes, List<Double> secondsBetweenJobs) {
    boolean resident() {
      return secondsBetweenJobs == null;
    }
  }

  /**
   * Jobs of about the same number of tasks; means per job.
   *
   * @param jobs how many there were
   */
  record Size(
      int jobs,
      List<Double> tasksPerJob,
      List<Double> memoryPerJob,
      List<Double> processorsPerJob,
      List<Double> taskSeconds) {}

  /**
   * A tier.
   *
   * @param memoryRatio memory used over requested
   * @param processorRatio processor time used over requested
   * @param pageCacheShare share of the used memory that is page cache
   * @param resident jobs that were there when the trace began
   * @param submitted jobs that came later
   * @param requestedShareOfCell memory requested over the cell's memory, over time
   */
  record TierFigures(
      List<Double> memoryRatio,
      List<Double> processorRatio,
      double pageCacheShare,
      Jobs resident,
      Jobs submitted,
      double requestedShareOfCell) {}

  @JsonIgnoreProperties("sources")
  private record File(
      List<Double> quantileLevels,
      Cell cell,
      List<Double> meanOverPeak,
      Map<String, TierFigures> tiers) {}

  private final File file;
  private final Map<Tier, TierFigures> tiers = new EnumMap<>(Tier.class);

  private CellStatistics(File file) {
    this.file = file;
    for (Tier tier : Tier.values()) {
      tiers.put(tier, file.tiers().get(tier.name().toLowerCase(Locale.ROOT)));
    }
  }

  /** The figures that Charon ships. */
  public static CellStatistics published() {
    try (InputStream in = CellStatistics.class.getResourceAsStream("cell-statistics.json")) {
      return new CellStatistics(new ObjectMapper().readValue(in, File.class));
    } catch (IOException e) {
      throw new UncheckedIOException("cell-statistics.json of this jar", e);
    }
  }

  /** The machines of the cell. */
  public Cell cell() {
    return file.cell();
  }

  TierFigures tier(Tier tier) {
    return tiers.get(tier);
  }

  /** Mean over peak of a task's memory at a quantile from 0 to 1. */
  double meanOverPeak(double quantile) {
    return at(file.meanOverPeak(), quantile);
  }

  /** The value of a distribution at a quantile from 0 to 1, linear between the known ones. */
  double at(List<Double> values, double quantile) {
    List<Double> levels = file.quantileLevels();
    int above = 1;
    while (above < levels.size() - 1 && levels.get(above) < quantile) {
      above++;
    }
    double from = levels.get(above - 1);
    double share = (quantile - from) / (levels.get(above) - from);
    return values.get(above - 1) + share * (values.get(above) - values.get(above - 1));
  }
}
