/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.security.ContainerTokenIdentifier;
import org.apache.hadoop.yarn.server.api.ContainerType;

/**
 * Creates tokens of tasks that no ResourceManager has allocated, to run parts of a NodeManager in
 * isolation.
 */
public final class ContainerTokens {
  private ContainerTokens() {}

  /**
   * Returns the token of a task with one virtual core, valid for a day.
   *
   * @param node host and port of the task's node
   * @param user owner of the task
   * @param mebibytes memory of the task, MiB
   */
  public static ContainerTokenIdentifier of(
      ContainerId container, String node, String user, int mebibytes, ExecutionType type) {
    long now = System.currentTimeMillis();
    return new ContainerTokenIdentifier(
        container,
        0,
        node,
        user,
        Resource.newInstance(mebibytes, 1),
        now + TimeUnit.DAYS.toMillis(1),
        1,
        1,
        Priority.newInstance(1),
        now,
        null,
        null,
        ContainerType.TASK,
        type);
  }
}
