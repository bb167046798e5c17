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
 * The published figures of Google's cells, as quantiles: the resource {@code cell-statistics.json},
 * which names its sources. Memory and processors are relative to the largest machine.
 */
public final class CellStatistics {
  /**
   * The machines of the cell.
   *
   * @param machines number of machines
   * @param memory memory of all machines together, in units of the largest machine's
   * @param processors processors of all machines together, in units of the largest machine's
   * @param windowSeconds time that the figures cover
   */
  public record Cell(int machines, double memory, double processors, long windowSeconds) {}

  /**
   * Jobs of one kind: the resident or the submitted ones of a tier.
   *
   * @param jobs number of jobs
   * @param names number of different names
   * @param sizes the same jobs by their number of tasks: one, up to 20, more; large jobs have other
   *     requests than small ones
   * @param secondsBetweenJobs time between submissions; none for resident jobs
   */
  record Jobs(int jobs, int names, List<Size> sizes, List<Double> secondsBetweenJobs) {
    boolean resident() {
      return secondsBetweenJobs == null;
    }
  }

  /**
   * Jobs with about the same number of tasks; the figures are means per job.
   *
   * @param jobs number of jobs
   */
  record Size(
      int jobs,
      List<Double> tasksPerJob,
      List<Double> memoryPerJob,
      List<Double> processorsPerJob,
      List<Double> taskSeconds) {}

  /**
   * The figures of a tier.
   *
   * @param memoryRatio used over requested memory
   * @param processorRatio used over requested processor time
   * @param pageCacheShare share of the used memory that is page cache
   * @param resident jobs that existed when the trace began
   * @param submitted jobs that were submitted later
   * @param requestedShareOfCell requested memory over the cell's memory, over time
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

  /** Returns the figures that ship with Charon. */
  public static CellStatistics published() {
    try (InputStream in = CellStatistics.class.getResourceAsStream("cell-statistics.json")) {
      return new CellStatistics(new ObjectMapper().readValue(in, File.class));
    } catch (IOException e) {
      throw new UncheckedIOException("cell-statistics.json of this jar", e);
    }
  }

  /** Returns the machines of the cell. */
  public Cell cell() {
    return file.cell();
  }

  TierFigures tier(Tier tier) {
    return tiers.get(tier);
  }

  /** Returns mean over peak memory of a task at a quantile from 0 to 1. */
  double meanOverPeak(double quantile) {
    return at(file.meanOverPeak(), quantile);
  }

  /**
   * Returns the value of a distribution at a quantile from 0 to 1, linear between the known
   * quantiles.
   */
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
