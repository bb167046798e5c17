/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the recording rules of conf/prometheus for the fluctuation of a service's latency. */
class FluctuationRulesTest {
  private static final Path RULES =
      Path.of("..", "conf", "prometheus", "charon-fluctuation.yml").toAbsolutePath().normalize();

  @TempDir private Path directory;

  /**
   * Two minutes of requests up to 100 ms and one of requests up to 200 ms give 99 ms, 99 ms and 199
   * ms; a service without requests has no series.
   */
  @Test
  void theStepOfTheP99IsRecordedAsAShareOfWhatComesAfter() {
    Promtool promtool = new Promtool(directory);
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
    assertThat(promtool.pass(test)).contains("SUCCESS");
  }
}
