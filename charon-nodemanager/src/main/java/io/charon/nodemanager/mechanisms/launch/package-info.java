/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * Where it is decided on a live node when a best-effort container starts: {@code LaunchGate} puts
 * one lock, a clock and a history around {@link io.charon.core.scheduler.LocalScheduler}, which
 * decides. {@code NodeLaunches} selects the gate, the observer of mode observe, or neither; the
 * peaks that jobs were seen to have are kept and shared by {@code NodeLearning}.
 *
 * <p>No call here waits for a disk or the network, because YARN's dispatcher calls. YARN's queue
 * and containers are unknown here.
 */
package io.charon.nodemanager.mechanisms.launch;
