/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.hadoop;

import static org.mockito.Mockito.spy;

import io.charon.nodemanager.yarn.CharonAuxiliaryService;
import io.charon.nodemanager.yarn.CharonContainerExecutor;
import io.charon.nodemanager.yarn.CharonContainersLauncher;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.ServerSocketUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.ConfigurationException;
import org.apache.hadoop.yarn.server.nodemanager.ContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerStartContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Installs Charon in the NodeManager of one of Hadoop's tests, by configuration and executor. */
final class InstalledCharon {
  /** System property with the mode under test. */
  static final String MODE = "charon.hadoop-tests.mode";

  /** System property with the number of this process, 1 and up. */
  private static final String PROCESS = "charon.hadoop-tests.process";

  /** Below those that Hadoop's tests take and those that the kernel gives to clients. */
  private static final int FIRST_PORT = 20_100;

  /** Of each of the two servers, and far from those of the next process. */
  private static final int MAX_PORTS = 50;

  /** Where a test says nothing of it. */
  private static final int QUEUE_LIMIT = 5;

  /** How long Hadoop's tests hold a container before it starts. */
  private static final long HELD_MILLIS = 10_000;

  private static final Logger LOG = LoggerFactory.getLogger(InstalledCharon.class);

  private InstalledCharon() {}

  /** What an operator writes into {@code yarn-site.xml}. */
  static void configure(Configuration configuration) {
    configuration.setClass(
        YarnConfiguration.NM_CONTAINER_EXECUTOR,
        CharonContainerExecutor.class,
        ContainerExecutor.class);
    configuration.set(
        YarnConfiguration.NM_CONTAINERS_LAUNCHER_CLASS, CharonContainersLauncher.class.getName());
    configuration.set(YarnConfiguration.NM_AUX_SERVICES, "charon");
    configuration.set(
        YarnConfiguration.NM_AUX_SERVICES + ".charon.class",
        CharonAuxiliaryService.class.getName());
    configuration.setInt(
        YarnConfiguration.NM_OPPORTUNISTIC_CONTAINERS_MAX_QUEUE_LENGTH, QUEUE_LIMIT);
    configuration.set("yarn.nodemanager.charon.mode", System.getProperty(MODE, "off"));
    // Other tests, which run at the same time, must not delay launches.
    configuration.setInt("yarn.nodemanager.charon.scheduler.runnable-per-core", 0);
    configuration.set("yarn.nodemanager.charon.fail-fast", "true");
    configuration.set("yarn.nodemanager.charon.cgroup.enabled", "false");
  }

  /**
   * Charon's executor, which holds containers as long as Hadoop's test wants them held.
   *
   * @param holds whether containers are held before they start
   */
  static ContainerExecutor executor(Configuration configuration, BooleanSupplier holds) {
    ContainerExecutor executor = new Holding(holds);
    executor.setConf(configuration);
    return spy(executor);
  }

  /**
   * The NodeManager does this before it makes anything else. The ports are this process's own, so
   * that several can run Hadoop's tests side by side.
   */
  static void init(ContainerExecutor executor, Context context, Configuration configuration) {
    int port = FIRST_PORT + 2 * MAX_PORTS * Integer.getInteger(PROCESS);
    try {
      configuration.set(YarnConfiguration.NM_ADDRESS, "0.0.0.0:" + free(port));
      configuration.set(
          YarnConfiguration.NM_LOCALIZER_ADDRESS, "0.0.0.0:" + free(port + MAX_PORTS));
      executor.init(context);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Another one if a test before this one could not stop its NodeManager. */
  private static int free(int port) throws IOException {
    return ServerSocketUtil.getPort(port, MAX_PORTS - 1);
  }

  private static final class Holding extends CharonContainerExecutor {
    private final BooleanSupplier holds;
    private final Set<String> paused = ConcurrentHashMap.newKeySet();

    Holding(BooleanSupplier holds) {
      this.holds = holds;
    }

    @Override
    public int launchContainer(ContainerStartContext context)
        throws IOException, ConfigurationException {
      if (holds.getAsBoolean()) {
        hold();
        if (paused.remove(context.getContainer().getContainerId().toString())) {
          hold();
        }
      }
      return super.launchContainer(context);
    }

    /** Who ends a held container early wants it started, not failed. */
    private static void hold() {
      try {
        Thread.sleep(HELD_MILLIS);
      } catch (InterruptedException e) {
        LOG.debug("a container is held no longer");
      }
    }

    /** A container that has not started is paused by holding it for longer. */
    @Override
    public void pauseContainer(Container container) {
      paused.add(container.getContainerId().toString());
    }

    @Override
    public void resumeContainer(Container container) {}
  }
}
