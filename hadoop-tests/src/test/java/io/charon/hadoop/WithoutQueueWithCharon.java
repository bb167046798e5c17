/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.hadoop;

import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.apache.hadoop.yarn.server.nodemanager.ContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.DeletionService;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.ContainerManagerImpl;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.scheduler.TestContainerSchedulerBehaviorCompatibility;

/** {@link TestContainerSchedulerBehaviorCompatibility} with Charon installed. */
public class WithoutQueueWithCharon extends TestContainerSchedulerBehaviorCompatibility {

  public WithoutQueueWithCharon() throws UnsupportedFileSystemException {
    InstalledCharon.configure(conf);
  }

  @Override
  protected ContainerExecutor createContainerExecutor() {
    return InstalledCharon.executor(conf, () -> false);
  }

  @Override
  protected ContainerManagerImpl createContainerManager(DeletionService deletion) {
    InstalledCharon.init(exec, context, conf);
    return super.createContainerManager(deletion);
  }
}
