/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.mechanism.WorkingSet;
import io.charon.nodemanager.cgroup.ContainerClass;

/**
 * The memory of one container at one instant.
 *
 * @param containerId YARN's container id
 * @param containerClass the class whose parent cgroup it is in
 * @param workingSet its memory without reclaimable page cache
 */
public record ContainerMemory(
    String containerId, ContainerClass containerClass, WorkingSet workingSet) {}
