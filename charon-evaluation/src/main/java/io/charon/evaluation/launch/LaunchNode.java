/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.launch;

import io.charon.evaluation.cluster.ContainerTokens;
import io.charon.evaluation.machine.TemporaryDirectory;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.yarn.CharonAuxiliaryService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.event.AsyncDispatcher;
import org.apache.hadoop.yarn.exceptions.ConfigurationException;
import org.apache.hadoop.yarn.security.ContainerTokenIdentifier;
import org.apache.hadoop.yarn.server.api.ContainerTerminationContext;
import org.apache.hadoop.yarn.server.nodemanager.ContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager.NMContext;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerImpl;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerStartContext;
import org.apache.hadoop.yarn.server.nodemanager.metrics.NodeManagerMetrics;
import org.apache.hadoop.yarn.server.nodemanager.recovery.NMNullStateStoreService;

/**
 * The parts of a NodeManager that the start of a container needs: an executor, its context and the
 * directories. With Charon, this includes the agent, which ticks meanwhile. The work that a
 * NodeManager does before it calls the executor is done before the clock starts.
 */
final class LaunchNode implements AutoCloseable {
  private static final ApplicationAttemptId ATTEMPT =
      ApplicationAttemptId.newInstance(ApplicationId.newInstance(1_700_000_000_000L, 1), 1);
  private static final String APPLICATION = ATTEMPT.getApplicationId().toString();
  private static final int CONTAINER_MEBIBYTES = 128;
  private static final String SAID = "said";

  /**
   * Script of a container. It starts no process: the shell itself reads the clock and then the
   * files.
   */
  private static final String SCRIPT =
      "#!/bin/bash\n"
          + "started="
          + LaunchClock.IN_SCRIPT
          + "\nmapfile -t cgroups </proc/self/cgroup\n"
          + "printf '%s\\n' \"$started\" \"${cgroups[@]}\" >"
          + SAID
          + "\n";

  private final ContainerExecutor executor;
  private final Optional<CharonAuxiliaryService> charon;
  private final Configuration configuration;
  private final NodeManagerMetrics metrics;
  private final String user;
  private final Path directory;
  private final Context context;

  /** Dispatcher without consumers, because the events that a container sends are not used here. */
  private final AsyncDispatcher dispatcher = new AsyncDispatcher();

  private long last;

  /**
   * Starts the node.
   *
   * @param executor executor that starts containers
   * @param charon owner of the agent, if the executor is Charon's
   * @param configuration configuration of the NodeManager
   * @param metrics metrics of all NodeManagers in this process
   * @param user user that owns the containers
   * @param directory directory for its files, which the user may enter; the caller removes it
   */
  LaunchNode(
      ContainerExecutor executor,
      Optional<CharonAuxiliaryService> charon,
      Configuration configuration,
      NodeManagerMetrics metrics,
      String user,
      Path directory)
      throws IOException {
    this.executor = executor;
    this.charon = charon;
    this.configuration = configuration;
    this.metrics = metrics;
    this.user = user;
    this.directory = directory;
    for (String name : List.of("local/usercache", "logs", "private")) {
      Files.createDirectories(directory.resolve(name));
    }
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    NMNullStateStoreService store = new NMNullStateStoreService();
    context = new NMContext(null, null, null, null, store, false, configuration);
    executor.setConf(configuration);
    executor.init(context);
    executor.start();
    charon.ifPresent(
        service -> {
          service.init(configuration);
          service.start();
        });
  }

  /**
   * Starts one container and waits until it has ended.
   *
   * @throws IOException if its command did not run
   */
  Launch launch(ContainerClass kind) throws IOException {
    last++;
    ContainerId id = ContainerId.newContainerId(ATTEMPT, last);
    Path work =
        directory.resolve("local/usercache/" + user + "/appcache/" + APPLICATION + "/" + id);
    Path own = Files.createDirectory(directory.resolve("private/" + id));
    Container container = container(id, kind);
    ContainerStartContext start = start(container, own, work);
    context.getContainers().put(id, container);
    executor.activateContainer(id, hadoop(own.resolve(id + ".pid")));
    try {
      long before = LaunchClock.micros();
      int exitCode = executor.launchContainer(start);
      return launch(id, exitCode, before, work.resolve(SAID));
    } catch (ConfigurationException e) {
      throw new IOException(id + " cannot be started: " + e.getMessage(), e);
    } finally {
      executor.deactivateContainer(id);
      charon.ifPresent(
          service ->
              service.stopContainer(
                  new ContainerTerminationContext(user, id, container.getResource())));
      context.getContainers().remove(id);
      for (Path left : List.of(own, work, directory.resolve("logs/" + APPLICATION + "/" + id))) {
        if (Files.exists(left)) {
          TemporaryDirectory.delete(left);
        }
      }
    }
  }

  private static Launch launch(ContainerId id, int exitCode, long before, Path said)
      throws IOException {
    if (exitCode != 0 || Files.notExists(said)) {
      throw new IOException("the command of " + id + " did not run: exit code " + exitCode);
    }
    List<String> lines = Files.readAllLines(said);
    try {
      double millis = (LaunchClock.parse(lines.get(0)) - before) / 1e3;
      return new Launch(id.toString(), millis, lines.subList(1, lines.size()));
    } catch (IllegalArgumentException e) {
      throw new IOException("/bin/bash must be 5.0 or later, to read the clock", e);
    }
  }

  private Container container(ContainerId id, ContainerClass kind) {
    ContainerTokenIdentifier token =
        ContainerTokens.of(
            id,
            "localhost:1",
            user,
            CONTAINER_MEBIBYTES,
            kind == ContainerClass.BEST_EFFORT
                ? ExecutionType.OPPORTUNISTIC
                : ExecutionType.GUARANTEED);
    ContainerLaunchContext launch =
        ContainerLaunchContext.newInstance(Map.of(), Map.of(), List.of(), Map.of(), null, Map.of());
    return new ContainerImpl(
        configuration, dispatcher, launch, new Credentials(), metrics, token, context);
  }

  private ContainerStartContext start(Container container, Path own, Path work) throws IOException {
    Path script = Files.writeString(own.resolve("launch_container.sh"), SCRIPT);
    Path tokens = Files.writeString(own.resolve("container_tokens"), "");
    List<String> local = List.of(directory.resolve("local").toString());
    List<String> logs = List.of(directory.resolve("logs").toString());
    return new ContainerStartContext.Builder()
        .setContainer(container)
        .setNmPrivateContainerScriptPath(hadoop(script))
        .setNmPrivateTokensPath(hadoop(tokens))
        .setUser(user)
        .setAppId(APPLICATION)
        .setContainerWorkDir(hadoop(work))
        .setLocalDirs(local)
        .setLogDirs(logs)
        .setFilecacheDirs(local)
        .setUserLocalDirs(local)
        .setContainerLocalDirs(local)
        .setContainerLogDirs(logs)
        .setUserFilecacheDirs(local)
        .setApplicationLocalDirs(local)
        .setLocalizedResources(Map.of())
        .build();
  }

  private static org.apache.hadoop.fs.Path hadoop(Path path) {
    return new org.apache.hadoop.fs.Path(path.toString());
  }

  @Override
  public void close() {
    charon.ifPresent(CharonAuxiliaryService::stop);
    executor.stop();
  }
}
