/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProductionTaskTest {
  @TempDir private Path directory;

  @Test
  void ordersSurviveBeingLinesOfInput() {
    MemoryTask task =
        new MemoryTask(
            3, 250, 1000, List.of(new MemoryTask.Step(20, 40), new MemoryTask.Step(7, 1)));
    ServiceTask service = new ServiceTask(Path.of("/x/c"), Path.of("/x/s"), Path.of("/x/l"));

    assertThat(MemoryTask.parse(task.line())).isEqualTo(task);
    assertThat(ServiceTask.parse(service.line())).isEqualTo(service);
    assertThatThrownBy(() -> ServiceTask.parse(task.line()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("memory 3");
  }

  @Test
  void memoryGrowsByOneChunkShrinksAtOnceAndKeepsWhatWasWritten() {
    PagedMemory memory = new PagedMemory(5);
    memory.resizeTowards(2);
    assertThat(memory.size()).isEqualTo(1);
    memory.resizeTowards(2);
    memory.touch(10_000);
    assertThat(memory.size()).isEqualTo(2);
    memory.resizeTowards(0);
    memory.touch(10);
    assertThat(memory.size()).isZero();
  }

  @Test
  void aServiceRunsUntilItIsToldToStop() throws Exception {
    ServiceTask task = service("sleep", "600");
    Files.createFile(task.stop());

    assertThatCode(() -> task.run(() -> {})).doesNotThrowAnyException();
  }

  @Test
  void aServiceThatEndsByItselfIsAFailure() throws Exception {
    ServiceTask task = service("false");

    assertThatThrownBy(() -> task.run(() -> {}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("false has ended with exit code 1");
  }

  private ServiceTask service(String... words) throws IOException {
    Path command = Files.write(directory.resolve("command"), List.of(words));
    return new ServiceTask(command, directory.resolve("stop"), directory.resolve("log"));
  }
}
