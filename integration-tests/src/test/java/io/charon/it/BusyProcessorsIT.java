/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static io.charon.it.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.charon.core.scheduler.LaunchVerdict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many threads want to run while a real NodeManager has a best-effort task to start. */
@Tag("pressure")
@SharedNode(SharedNode.Settings.NO_KILLER)
class BusyProcessorsIT {
  @Test
  void bestEffortWaitsUntilFewerThreadsWantToRun(TestNode node) throws Exception {
    HoldJob job;
    Spinning spinning = new Spinning(3 * SharedNode.RUNNABLE_PER_CORE);
    try {
      await("so many threads are seen", () -> runnable(node) >= SharedNode.RUNNABLE_PER_CORE);
      job = node.submit(1, 0);
      await("its task waits for a processor", () -> waits(node));
      assertThat(node.started()).isEmpty();
    } finally {
      spinning.end();
    }
    await("its task runs", () -> node.started().size() == 1);
    assertThat(runnable(node)).isLessThan(SharedNode.RUNNABLE_PER_CORE);
    job.endsWithoutLoss();
  }

  private static double runnable(TestNode node) throws InterruptedException {
    return node.status().path("runnablePerCore").asDouble(-1);
  }

  private static boolean waits(TestNode node) throws InterruptedException {
    for (JsonNode queued : node.status().path("queued")) {
      if (queued.path("reason").asText().equals(LaunchVerdict.Reason.PROCESSORS_BUSY.text())) {
        return true;
      }
    }
    return false;
  }

  /** Processes that always want to run, and get what nobody else wants. */
  private static final class Spinning {
    private final List<Process> processes = new ArrayList<>();

    Spinning(int perCore) throws IOException {
      int count = perCore * Runtime.getRuntime().availableProcessors();
      for (int i = 0; i < count; i++) {
        processes.add(
            new ProcessBuilder("chrt", "--idle", "0", "sh", "-c", "while :; do :; done").start());
      }
    }

    void end() {
      processes.forEach(Process::destroyForcibly);
    }
  }
}
