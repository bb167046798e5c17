/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.evaluation.machine.Cleanup;
import io.charon.evaluation.machine.NativeTools;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ScratchFilesTest {
  private static final Path NOTHING = Path.of("/bin/true");

  @Test
  void theirDirectoryNamesTheProcessSoThatTheyAreFoundAfterItWasKilled() throws Exception {
    Path directory;
    try (Cleanup cleanup = new Cleanup()) {
      directory =
          ScratchFiles.create(new NativeTools(NOTHING, NOTHING, NOTHING), cleanup).directory();

      assertThat(directory).isDirectory();
      assertThat(directory.getFileName().toString())
          .matches("charon-bench-" + ProcessHandle.current().pid() + "-\\d+");
    }
    assertThat(directory).doesNotExist();
  }
}
