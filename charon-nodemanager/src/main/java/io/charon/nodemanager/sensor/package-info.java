/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * What a node reads of itself: the files of /proc, sysfs and cgroups, turned into the readings of
 * {@code io.charon.core.mechanism}. Start with {@code NodeSensors}, which launches and killers use,
 * and {@code NodeSnapshotReader}, which mechanisms use.
 *
 * <p>A sensor decides nothing and writes nothing. A value that cannot be read is missing with a
 * reason. Mechanisms, executor and YARN are unknown here.
 */
package io.charon.nodemanager.sensor;
