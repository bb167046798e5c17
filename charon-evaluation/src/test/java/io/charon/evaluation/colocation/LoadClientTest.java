/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.evaluation.machine.Cleanup;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoadClientTest {
  /** Nothing listens on port 1, so that the connection is refused at once. */
  @Test
  void aRequestThatFailsCountsAsItsTimeoutHoweverSoonItFails() throws Exception {
    try (Cleanup cleanup = new Cleanup()) {
      LoadClient client = LoadClient.start(List.of(), "http://127.0.0.1:1/", 1, cleanup);

      Requests requests = client.start(List.of(0L, 1_000_000L)).finish();

      assertThat(requests.answered()).isEmpty();
      assertThat(requests.failed()).hasSize(2);
      assertThat(requests.percentileMillis(50)).hasValue(30_000);
    }
  }
}
