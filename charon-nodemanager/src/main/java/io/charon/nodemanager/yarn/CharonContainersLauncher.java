/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import io.charon.nodemanager.agent.CharonNode;
import io.charon.nodemanager.config.SettingsReader;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.event.Dispatcher;
import org.apache.hadoop.yarn.exceptions.YarnRuntimeException;
import org.apache.hadoop.yarn.server.nodemanager.ContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.LocalDirsHandlerService;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.ContainerManagerImpl;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.launcher.ContainersLauncher;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.launcher.ContainersLauncherEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.launcher.ContainersLauncherEventType;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerSignalContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * YARN's launcher, which on initialization lets Charon take over admission, and kills containers
 * that were paused before a restart. Loaded by {@code yarn.nodemanager.containers-launcher.class}.
 */
public final class CharonContainersLauncher extends ContainersLauncher {
  private static final Logger LOG = LoggerFactory.getLogger(CharonContainersLauncher.class);

  private Context nodeContext;
  private Dispatcher nodeDispatcher;
  private ContainerExecutor nodeExecutor;
  private ContainerManagerImpl manager;

  /** Containers from before the restart that YARN may not have scheduled; null before a tick. */
  private List<Container> unready;

  @Override
  public void init(
      Context context,
      Dispatcher dispatcher,
      ContainerExecutor executor,
      LocalDirsHandlerService dirsHandler,
      ContainerManagerImpl containerManager) {
    super.init(context, dispatcher, executor, dirsHandler, containerManager);
    nodeContext = context;
    nodeDispatcher = dispatcher;
    nodeExecutor = executor;
    manager = containerManager;
  }

  @Override
  protected void serviceInit(Configuration configuration) throws Exception {
    super.serviceInit(configuration);
    Optional<CharonNode> node = CharonNodes.find(configuration).map(CharonNodes.Joined::node);
    if (node.isPresent()) {
      takeOver(node.get(), configuration);
    }
  }

  /**
   * Kills also a container that YARN had paused when an earlier NodeManager ended: YARN does not
   * list it as running, and would report its end and leave its processes. The signal is sent by a
   * program, for which YARN's dispatcher does not wait.
   */
  @Override
  public void handle(ContainersLauncherEvent event) {
    Container container = event.getContainer();
    boolean unlisted =
        event.getType() == ContainersLauncherEventType.CLEANUP_CONTAINER
            && !running.containsKey(container.getContainerId());
    String process = unlisted ? nodeExecutor.getProcessId(container.getContainerId()) : null;
    if (process == null) {
      super.handle(event);
      return;
    }
    containerLauncher.execute(
        () -> {
          kill(container, process);
          super.handle(event);
        });
  }

  private void kill(Container container, String process) {
    try {
      nodeExecutor.signalContainer(
          new ContainerSignalContext.Builder()
              .setContainer(container)
              .setUser(container.getUser())
              .setPid(process)
              .setSignal(ContainerExecutor.Signal.KILL)
              .build());
    } catch (IOException | RuntimeException e) {
      LOG.warn("cannot kill {}, which was paused", container.getContainerId(), e);
    }
  }

  private void takeOver(CharonNode node, Configuration configuration) {
    try {
      YarnAdmission admission =
          new YarnAdmission(node, manager.getContainerScheduler(), nodeDispatcher);
      ClassChanges changes =
          new ClassChanges(
              node::containers,
              nodeContext,
              nodeExecutor,
              container -> node.lifecycle().changed(container),
              container -> node.lifecycle().resized(container),
              System::nanoTime);
      node.signals()
          .onTick(
              () -> {
                finishRecovery(admission);
                changes.check();
              });
    } catch (ReflectiveOperationException e) {
      String problem =
          "Charon cannot replace the queue of this Hadoop's ContainerScheduler on this JDK";
      if (node.gate().isPresent() && SettingsReader.failFast(configuration)) {
        throw new YarnRuntimeException(problem, e);
      }
      LOG.error("stock YARN decides launches in every mode: {}", problem, e);
    }
  }

  /**
   * Names the containers from before the restart: at the first tick YARN does not accept others
   * yet. YARN looks at those that it had paused once, before it has initialized them, when they
   * could not run, and not again when they could. Therefore the queue is processed until they are
   * ready.
   */
  private void finishRecovery(YarnAdmission admission) {
    if (unready == null) {
      unready = List.copyOf(nodeContext.getContainers().values());
      admission.queue().recovered(Set.copyOf(nodeContext.getContainers().keySet()));
    }
    if (!unready.isEmpty()) {
      unready = unready.stream().filter(container -> !isScheduled(container)).toList();
      admission.processQueue();
      if (unready.isEmpty()) {
        admission.endRecovery();
      }
    }
  }

  /** Returns whether YARN's scheduler has seen a container, or never will. */
  private static boolean isScheduled(Container container) {
    return switch (container.getContainerState()) {
      case NEW, LOCALIZING -> false;
      default -> true;
    };
  }
}
