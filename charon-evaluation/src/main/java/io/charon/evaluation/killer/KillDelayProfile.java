/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.evaluation.report.ReportFiles;
import io.charon.evaluation.statistics.Percentiles;
import io.charon.sls.node.KillDelay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Converts results of {@code bench killer} into the simulator's kill delays: those of the kernel
 * killer with its helper and those of the polling JVM.
 */
public final class KillDelayProfile {
  private static final Map<KillDelay.Tier, String> VARIANTS =
      new EnumMap<>(
          Map.of(
              KillDelay.Tier.KERNEL,
              KillVariants.IN_KERNEL_WITH_REAPER,
              KillDelay.Tier.USER_SPACE,
              KillVariants.JVM));
  private static final List<Integer> PERCENTS = List.of(10, 25, 50, 75, 90, 95);
  private static final double MEBIBYTES_OF_RELEASE = 100;

  /**
   * Kills of one variant and container size in one result.
   *
   * @param kernel release of the kernel
   * @param cpus number of CPUs
   * @param signalMillis times from the decision to the last SIGKILL
   * @param releaseMillis times from there until the memory was free, per MiB
   */
  private record Row(
      String variant,
      int mebibytes,
      String kernel,
      int cpus,
      List<Double> signalMillis,
      List<Double> releaseMillis) {}

  private final List<Row> rows;

  private KillDelayProfile(List<Row> rows) {
    this.rows = rows;
  }

  /**
   * Reads results.
   *
   * @param results JSON files of {@code bench killer}
   * @throws IOException if a file cannot be read or is not such a result, or if no file has a kill
   *     of one of the variants; the message names the file or the variant
   */
  public static KillDelayProfile read(List<Path> results) throws IOException {
    List<Row> rows = new ArrayList<>();
    for (Path result : results) {
      rows.addAll(rows(result));
    }
    for (String variant : VARIANTS.values()) {
      if (rows.stream().noneMatch(row -> row.variant().equals(variant))) {
        throw new IOException(
            "no kill by variant "
                + variant
                + " in "
                + results
                + "; measure it: charon bench killer --variants "
                + String.join(",", VARIANTS.values())
                + " --json FILE");
      }
    }
    return new KillDelayProfile(rows);
  }

  private static List<Row> rows(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new IOException(file + ": no such file; write it with charon bench killer --json");
    }
    JsonNode result;
    try {
      result = new ObjectMapper().readTree(Files.readString(file));
    } catch (JsonProcessingException e) {
      throw new IOException(file + ": not JSON: " + e.getOriginalMessage(), e);
    }
    if (!result.path("variants").isArray() || !result.path("kernel").isTextual()) {
      throw new IOException(
          file + ": not a result of charon bench killer --json: it has no variants");
    }
    List<Row> rows = new ArrayList<>();
    for (JsonNode variant : result.path("variants")) {
      String name = variant.path("name").asText();
      if (VARIANTS.containsValue(name) && variant.path("kills").asInt() > 0) {
        rows.add(
            new Row(
                name,
                variant.path("containerMegabytes").asInt(),
                result.path("kernel").asText(),
                result.path("cpus").asInt(),
                samples(file, variant, "decisionToLastSignalMillis", 1),
                samples(
                    file, variant, "signalToFreedMillisPer100Megabytes", MEBIBYTES_OF_RELEASE)));
      }
    }
    return rows;
  }

  private static List<Double> samples(Path file, JsonNode variant, String field, double divisor)
      throws IOException {
    List<Double> samples = new ArrayList<>();
    for (JsonNode sample : variant.path(field).path("samples")) {
      if (!sample.isNumber() || sample.asDouble() < 0) {
        throw new IOException(
            file + ": " + field + ": a sample must be a number of at least 0, was " + sample);
      }
      samples.add(sample.asDouble() / divisor);
    }
    if (samples.isEmpty()) {
      throw new IOException(file + ": " + field + ": no samples");
    }
    return samples;
  }

  /**
   * Writes the profile in the format of the simulator, with its provenance.
   *
   * @throws IOException if the file cannot be written
   */
  public void write(Path file) throws IOException {
    StringBuilder text = new StringBuilder();
    for (String line :
        List.of(
            "How long a kill takes, as percent:value pairs of a distribution.",
            "  signal-millis                  from the decision until the last SIGKILL is sent,"
                + " milliseconds",
            "  release-millis-per-mebibyte    from there until the memory is free, milliseconds per"
                + " MiB of the victim",
            "Written by: bin/charon bench kill-delays --out FILE RESULT...",
            "from results of bin/charon bench killer (docs/benchmarks.md). Signals: of all kills."
                + " Release: of the kills",
            "of the largest containers, where what is not in proportion to memory counts least.")) {
      text.append("# ").append(line).append('\n');
    }
    for (KillDelay.Tier tier : KillDelay.Tier.values()) {
      List<Row> own =
          rows.stream().filter(row -> row.variant().equals(VARIANTS.get(tier))).toList();
      text.append("#\n");
      for (Row row : own) {
        text.append(
            String.format(
                Locale.ROOT,
                "# %s: variant %s, %d kills of containers of %d MB; Linux %s, %d CPUs, all busy\n",
                tier.key(),
                row.variant(),
                row.releaseMillis().size(),
                row.mebibytes(),
                row.kernel(),
                row.cpus()));
      }
      int largest = own.stream().mapToInt(Row::mebibytes).max().orElseThrow();
      text.append(
          new KillDelay(
                  quantiles(own.stream().flatMap(row -> row.signalMillis().stream()).toList()),
                  quantiles(
                      own.stream()
                          .filter(row -> row.mebibytes() == largest)
                          .flatMap(row -> row.releaseMillis().stream())
                          .toList()))
              .toProperties(tier));
    }
    ReportFiles.write(file, text);
  }

  private static KillDelay.Quantiles quantiles(List<Double> samples) {
    List<KillDelay.Quantiles.Point> points = new ArrayList<>();
    points.add(new KillDelay.Quantiles.Point(0, Collections.min(samples)));
    for (int percent : PERCENTS) {
      points.add(
          new KillDelay.Quantiles.Point(
              percent / 100.0, Percentiles.of(samples, percent).orElseThrow()));
    }
    points.add(new KillDelay.Quantiles.Point(1, Collections.max(samples)));
    return new KillDelay.Quantiles(points);
  }
}
