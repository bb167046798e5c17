/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import io.charon.evaluation.machine.MeasurementStore;
import io.charon.evaluation.machine.Setting;
import io.charon.evaluation.postgres.ServiceMeasurement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The measured runs, including those of earlier calls if they are kept in a file. */
final class RunStore {
  /**
   * A run in the file.
   *
   * @param setting text of the {@link Setting} that all runs of a result share
   * @param service measurements of the service's clients; empty without a service
   */
  private record Kept(
      String setting,
      PlannedRun run,
      Production production,
      List<ServiceMeasurement> service,
      BestEffortMeasurement bestEffort,
      ClusterUse nodes,
      List<String> problems) {
    private record Production(List<Double> seconds, double jobSeconds) {}

    private static Kept of(String setting, ClusterRunMeasurement run) {
      return new Kept(
          setting,
          run.run(),
          new Production(run.productionSeconds(), run.productionJobSeconds()),
          run.service().stream().toList(),
          run.bestEffort(),
          run.nodes(),
          run.problems());
    }

    private ClusterRunMeasurement measurement() {
      return new ClusterRunMeasurement(
          run,
          production.seconds(),
          production.jobSeconds(),
          service.stream().findFirst(),
          bestEffort,
          nodes,
          problems);
    }
  }

  private final MeasurementStore<Kept> runs;
  private final Map<String, ClusterRunMeasurement> failed = new HashMap<>();
  private final String setting;

  private RunStore(MeasurementStore<Kept> runs, String setting) {
    this.runs = runs;
    this.setting = setting;
  }

  /**
   * Reads the runs of earlier calls.
   *
   * @param file file of the runs; empty: runs are not kept
   * @param options runs with another horizon, placement or kind of best-effort cannot be compared
   * @param machine nor can runs on another machine or with another set-up
   * @throws IOException if the file holds anything else; the message says which line, and the cure
   */
  static RunStore open(Optional<Path> file, ClusterOptions options, Setting machine)
      throws IOException {
    Setting setting =
        machine.with(
            options.horizon().toSeconds() + " s",
            options.placement().label(),
            options.bestEffort().label());
    return new RunStore(
        MeasurementStore.open(
            file,
            new MeasurementStore.Kind<>(
                Kept.class,
                "a run",
                kept -> kept.run().title(),
                kept -> setting.incomparable("a run", kept.setting()))),
        setting.text());
  }

  /**
   * Returns a measured run; empty if it was not measured, or if production failed in an earlier
   * call.
   */
  Optional<ClusterRunMeasurement> of(PlannedRun planned) {
    return runs.of(planned.title())
        .map(Kept::measurement)
        .filter(run -> !run.productionFailed())
        .or(() -> Optional.ofNullable(failed.get(planned.title())));
  }

  /**
   * Adds a run, and appends it to the file. The next call measures it again if production failed.
   */
  void add(ClusterRunMeasurement run) throws IOException {
    if (run.productionFailed()) {
      failed.put(run.run().title(), run);
    }
    runs.add(Kept.of(setting, run));
  }

  /**
   * Returns a remark for each of the runs of which production failed in earlier calls: a run that
   * was repeated until production did not fail must not look like one that never failed.
   */
  List<String> earlierFailures(List<PlannedRun> planned) {
    return planned.stream().flatMap(run -> earlierFailures(run).stream()).toList();
  }

  private Optional<String> earlierFailures(PlannedRun planned) {
    String title = planned.title();
    Stream<Kept> last = failed.containsKey(title) ? Stream.of() : runs.of(title).stream();
    long failures =
        Stream.concat(runs.superseded().stream(), last)
            .filter(kept -> kept.run().title().equals(title))
            .filter(kept -> kept.measurement().productionFailed())
            .count();
    return failures == 0
        ? Optional.empty()
        : Optional.of(
            "%s: the production job failed in %d earlier attempt%s"
                .formatted(title, failures, failures == 1 ? "" : "s"));
  }
}
