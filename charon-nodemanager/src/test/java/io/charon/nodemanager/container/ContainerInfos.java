/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.container;

import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.JobKey;
import io.charon.core.scheduler.Owner;

/** Containers of all kinds for tests. */
public final class ContainerInfos {
  private static final Owner OWNER = new Owner("alice", "application_1_0001");

  private ContainerInfos() {}

  public static ContainerInfo bestEffort(String id, long requestedBytes) {
    return new ContainerInfo(
        id, OWNER, ExecutionType.OPPORTUNISTIC, false, new JobKey("job"), requestedBytes, 1);
  }

  public static ContainerInfo production(String id, long requestedBytes) {
    return new ContainerInfo(
        id, OWNER, ExecutionType.GUARANTEED, false, new JobKey("job"), requestedBytes, 1);
  }

  public static ContainerInfo master(String id, long requestedBytes) {
    return new ContainerInfo(
        id, OWNER, ExecutionType.GUARANTEED, true, new JobKey("job"), requestedBytes, 1);
  }
}
