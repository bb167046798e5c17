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
 * Tells YARN's LinuxContainerExecutor the cgroups that Charon made for a container, and Charon of
 * the container's start and end. Made by YARN for {@link CharonLinuxContainerExecutor}, which sets
 * it; with any other executor it does nothing.
 */
@SuppressWarnings("deprecation") // the interface is YARN's only one that needs no cgroups of YARN's
public final class CharonResourcesHandler implements LCEResourcesHandler {
  private Configuration configuration;
  private CharonLinuxContainerExecutor executor;

  /** Called by YARN. */
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

  /** Called whatever happened after {@link #preExecute}, also of recovered containers. */
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
