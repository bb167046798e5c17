/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * The cgroups of a node on version 1, 2 and mixed machines: where they are ({@code CgroupLayout}),
 * what their files are called ({@code CgroupFile}), and what creates, changes and removes them
 * ({@code CgroupWriter} at the ends of a container's life, {@code CpuBandwidth}, {@code
 * CpusetWriter}, {@code ContainerFreezer} and {@code ProductionProtection} meanwhile). Only {@code
 * CgroupDirectories} writes files.
 *
 * <p>No value is chosen here: laws, keys and mechanisms decide, and none of them is known in this
 * package.
 */
package io.charon.nodemanager.cgroup;
