/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * {@code bench sls}: the speed of the simulator, beside Hadoop's own Scheduler Load Simulator in a
 * process of its own. {@link io.charon.evaluation.simulator.SlsBench} measures and {@link
 * io.charon.evaluation.simulator.SlsReport} reports. What the simulator decides is not judged here.
 */
package io.charon.evaluation.simulator;
