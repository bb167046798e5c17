/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The recording rules of conf/prometheus for the fluctuation of a service's latency. */
class FluctuationRulesTest {
  private static final Path RULES =
      Path.of("..", "conf", "prometheus", "charon-fluctuation.yml").toAbsolutePath().normalize();

  @TempDir private Path directory;

  /**
   * Two minutes of requests up to 100 ms, then one of requests up to 200 ms: 99 ms, 99 ms, 199 ms;
   * a service without requests has no line.
   */
  @Test
  void theStepOfTheP99IsRecordedAsAShareOfWhatComesAfter() throws Exception {
    boolean installed =
        Arrays.stream(System.getenv("PATH").split(":", -1))
            .anyMatch(path -> Files.isExecutable(Path.of(path, "promtool")));
    if (!installed) {
      System.out.println("SKIPPED rules: run kernel-ua-killer/install-packages.sh --monitoring");
    }
    assumeTrue(installed, "promtool is not installed");
    String test =
        """
        rule_files: ['%s']
        evaluation_interval: 1m
        tests:
          - interval: 15s
            input_series:
              - series: 'http_request_duration_seconds_bucket{service="shop",le="0.1"}'
                values: '0+25x8 200x20'
              - series: 'http_request_duration_seconds_bucket{service="shop",le="0.2"}'
                values: '0+25x28'
              - series: 'http_request_duration_seconds_bucket{service="shop",le="+Inf"}'
                values: '0+25x28'
              - series: 'http_request_duration_seconds_bucket{service="idle",le="0.1"}'
                values: '7x28'
              - series: 'http_request_duration_seconds_bucket{service="idle",le="+Inf"}'
                values: '7x28'
            promql_expr_test:
              - expr: 'round(service:latency_p99_fluctuation:ratio, 0.001)'
                eval_time: 2m
                exp_samples: [{labels: '{service="shop"}', value: 0}]
              - expr: 'round(service:latency_p99_fluctuation:ratio, 0.001)'
                eval_time: 3m
                exp_samples: [{labels: '{service="shop"}', value: 0.503}]
              - expr: 'round(service:latency_p99_fluctuation:mean1h, 0.001)'
                eval_time: 3m
                exp_samples: [{labels: '{service="shop"}', value: 0.251}]
        """
            .formatted(RULES);
    assertThat(promtool(test)).contains("SUCCESS");
  }

  private String promtool(String test) throws IOException, InterruptedException {
    Path file = Files.writeString(directory.resolve("test.yml"), test);
    Path said = directory.resolve("promtool.log");
    Process process =
        new ProcessBuilder("promtool", "test", "rules", file.toString())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    try {
      assertThat(process.waitFor(1, TimeUnit.MINUTES)).as("promtool ends").isTrue();
      return Files.readString(said);
    } finally {
      process.destroyForcibly();
    }
  }
}
