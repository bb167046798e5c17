/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AgentCpuTest {
  @Test
  void everyThreadBelongsToAPart() {
    assertThat(AgentCpu.partOfThread("charon-tick")).isEqualTo("ticks");
    assertThat(AgentCpu.partOfThread("charon-tick-wat")).isEqualTo("other threads of the agent");
    assertThat(AgentCpu.partOfThread("C1 CompilerThre")).isEqualTo("JIT compiler");
    assertThat(AgentCpu.partOfThread("GC Thread#0")).isEqualTo("garbage collector");
    assertThat(AgentCpu.partOfThread("process reaper")).isEqualTo("other threads of the JVM");
  }

  @Test
  void countsTheTimeOfAThreadWhileItRunsAndAfterItHasEnded() throws Exception {
    AgentCpu before = AgentCpu.read();
    Thread busy =
        new Thread(
            () -> {
              while (!Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
              }
            },
            "charon-freeze");
    busy.start();
    AgentCpu running;
    do {
      Thread.sleep(10);
      running = AgentCpu.read();
    } while (running.since(before).getOrDefault("freeze", 0.0) < 0.1);
    busy.interrupt();
    busy.join();
    AgentCpu ended;
    do { // Shortly after join returns, the kernel still lists the thread.
      ended = AgentCpu.read();
    } while (ended.since(before).containsKey("freeze"));
    assertThat(ended.since(before).get(AgentCpu.ENDED)).isGreaterThan(0.05);
  }
}
