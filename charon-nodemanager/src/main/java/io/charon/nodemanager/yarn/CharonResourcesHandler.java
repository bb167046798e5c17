/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.nodemanager.LinuxContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.util.LCEResourcesHandler;

/**
 * Passes the cgroups that Charon created for a container to YARN's LinuxContainerExecutor, and the
 * container's start and end to Charon. Created by YARN for {@link CharonLinuxContainerExecutor},
 * which configures it; with any other executor it does nothing.
 */
@SuppressWarnings("deprecation") // YARN's only such interface that does not need YARN's cgroups
public final class CharonResourcesHandler implements LCEResourcesHandler {
  private Configuration configuration;
  private CharonLinuxContainerExecutor executor;

  /** Creates the handler; called by YARN. */
  public CharonResourcesHandler() {}

  @Override
  public void init(LinuxContainerExecutor owner) {
    if (owner instanceof CharonLinuxContainerExecutor ours) {
      executor = ours;
    }
  }

  @Override
  public void preExecute(ContainerId containerId, Resource containerResource) {
    if (executor != null) {
      executor.starting(containerId);
    }
  }

  @Override
  public String getResourcesOption(ContainerId containerId) {
    return executor == null ? ResourcesOption.NONE : executor.resourcesOption(containerId);
  }

  /** Always called after {@link #preExecute}, and for recovered containers, too. */
  @Override
  public void postExecute(ContainerId containerId) {
    if (executor != null) {
      executor.ended(containerId);
    }
  }

  @Override
  public void setConf(Configuration given) {
    configuration = given;
  }

  @Override
  public Configuration getConf() {
    return configuration;
  }
}
