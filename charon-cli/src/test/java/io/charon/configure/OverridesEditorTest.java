/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.configure;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.web.trust.TrustedProperties;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OverridesEditorTest {
  private static final String PREFIX = "yarn.nodemanager.charon.";
  private static final int COMMANDS = 4;
  private static final int ROUNDS = 30;

  @TempDir private Path directory;

  @BeforeEach
  void trustTheDirectory() throws Exception {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @Test
  @Tag("must-never")
  void concurrentFirstCommandsCreateTheDirectoryAndNoneIsLost() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(COMMANDS);
    CyclicBarrier start = new CyclicBarrier(COMMANDS);
    try {
      for (int round = 0; round < ROUNDS; round++) {
        TrustedProperties file = overrides("round-" + round + "/overrides.properties");
        List<Callable<OverridesEditor.Written>> commands =
            IntStream.range(0, COMMANDS).mapToObj(key -> command(file, key, start)).toList();
        for (Future<OverridesEditor.Written> written : threads.invokeAll(commands)) {
          assertThat(written.get().after()).isNotEmpty();
        }
        assertThat(file.read()).hasSize(COMMANDS);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static Callable<OverridesEditor.Written> command(
      TrustedProperties file, int key, CyclicBarrier start) {
    OverridesEditor editor = new OverridesEditor(file, Clock.systemUTC());
    return () -> {
      start.await();
      return editor.change(values -> values.put(PREFIX + key, "observe"));
    };
  }

  private TrustedProperties overrides(String file) {
    return new TrustedProperties(directory.resolve(file), System.getProperty("user.name"), PREFIX);
  }
}
