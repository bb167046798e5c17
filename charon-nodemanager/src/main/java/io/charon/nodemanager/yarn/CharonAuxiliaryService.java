/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.api.ApplicationInitializationContext;
import org.apache.hadoop.yarn.server.api.ApplicationTerminationContext;
import org.apache.hadoop.yarn.server.api.AuxiliaryService;
import org.apache.hadoop.yarn.server.api.ContainerInitializationContext;
import org.apache.hadoop.yarn.server.api.ContainerTerminationContext;

/**
 * Owns the lifecycle of the node's agent, and reports to it how each container ended. Loaded by
 * {@code yarn.nodemanager.aux-services.charon.class}.
 */
public final class CharonAuxiliaryService extends AuxiliaryService {
  private Optional<CharonNodes.Joined> joined = Optional.empty();

  /** Creates the service; called by YARN. */
  public CharonAuxiliaryService() {
    super("charon");
  }

  @Override
  protected void serviceInit(Configuration configuration) throws Exception {
    joined = CharonNodes.find(configuration);
    super.serviceInit(configuration);
  }

  @Override
  protected void serviceStart() throws Exception {
    joined.ifPresent(
        parts -> {
          parts.node().start();
          new CharonMetricsSource(parts.node()::readMetrics)
              .register(DefaultMetricsSystem.instance());
        });
    super.serviceStart();
  }

  @Override
  protected void serviceStop() throws Exception {
    joined.ifPresent(
        parts -> {
          CharonMetricsSource.unregister(DefaultMetricsSystem.instance());
          parts.node().close();
        });
    CharonNodes.forget();
    super.serviceStop();
  }

  @Override
  public void initializeApplication(ApplicationInitializationContext context) {}

  @Override
  public void stopApplication(ApplicationTerminationContext context) {}

  /**
   * Looks up the container's application early: YARN calls this before the container is localized.
   */
  @Override
  public void initializeContainer(ContainerInitializationContext context) {
    joined.ifPresent(parts -> initializeContainer(parts, context.getContainerId()));
  }

  private static void initializeContainer(CharonNodes.Joined parts, ContainerId id) {
    String application = id.getApplicationAttemptId().getApplicationId().toString();
    if (parts.containers().isBestEffort(id)) {
      parts.node().expect(application);
    } else if (parts.containers().isMaster(id)) {
      parts.node().expectMaster(application);
    }
  }

  @Override
  public ByteBuffer getMetaData() {
    return ByteBuffer.allocate(0);
  }

  @Override
  public void stopContainer(ContainerTerminationContext context) {
    joined.ifPresent(parts -> stopContainer(parts, context.getContainerId()));
  }

  private static void stopContainer(CharonNodes.Joined parts, ContainerId containerId) {
    String id = containerId.toString();
    boolean killedForMemory = parts.node().lifecycle().killedForMemory(id);
    parts.node().lifecycle().ended(id, parts.containers().howEnded(containerId, killedForMemory));
  }
}
