/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import static org.mockito.Mockito.doAnswer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerStartContext;

/** Launches of real processes as the NodeManager makes them. */
final class TestLaunch {
  private TestLaunch() {}

  /**
   * Returns what an executor needs to launch a container.
   *
   * @param container a container of {@link StockYarn}
   * @param directory with an empty directory {@code work}, in which the script runs
   * @param script the container's program, for bash
   */
  static ContainerStartContext context(
      CharonContainerExecutor executor, Container container, Path directory, String script)
      throws IOException {
    ContainerLaunchContext launch =
        ContainerLaunchContext.newInstance(Map.of(), Map.of(), List.of(), Map.of(), null, Map.of());
    doAnswer(invocation -> launch).when(container).getLaunchContext();
    Files.writeString(directory.resolve("script"), "#!/bin/bash\n" + script + "\n");
    Files.writeString(directory.resolve("tokens"), "");
    List<String> directories = List.of(directory.resolve("local").toString());
    Path pidFile = directory.resolve("container.pid");
    executor.activateContainer(container.getContainerId(), hadoop(pidFile));
    return new ContainerStartContext.Builder()
        .setContainer(container)
        .setNmPrivateContainerScriptPath(hadoop(directory.resolve("script")))
        .setNmPrivateTokensPath(hadoop(directory.resolve("tokens")))
        .setUser("alice")
        .setAppId("application_1")
        .setContainerWorkDir(hadoop(directory.resolve("work")))
        .setLocalDirs(directories)
        .setLogDirs(directories)
        .build();
  }

  static org.apache.hadoop.fs.Path hadoop(Path path) {
    return new org.apache.hadoop.fs.Path(path.toUri().getPath());
  }
}
