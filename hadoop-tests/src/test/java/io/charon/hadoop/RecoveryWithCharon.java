/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.hadoop;

import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.apache.hadoop.yarn.server.nodemanager.ContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.TestContainerManagerRecovery;

/** {@link TestContainerManagerRecovery} with Charon installed. */
public class RecoveryWithCharon extends TestContainerManagerRecovery {
  public RecoveryWithCharon() throws UnsupportedFileSystemException {
    InstalledCharon.configure(conf);
  }

  @Override
  protected ContainerExecutor createContainerExecutor() {
    ContainerExecutor executor = InstalledCharon.executor(conf, () -> false);
    InstalledCharon.init(executor, context, conf);
    return executor;
  }
}
