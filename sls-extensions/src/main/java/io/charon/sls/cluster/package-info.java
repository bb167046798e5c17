/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * A YARN cluster in virtual time: the real CapacityScheduler, RMContainerImpl and opportunistic
 * allocators, driven by heartbeats of simulated nodes and by simulated ApplicationMasters. This is
 * the only package of the simulator that depends on Hadoop.
 */
package io.charon.sls.cluster;
