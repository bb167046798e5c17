/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * What every co-location mechanism is made of: what it sees ({@link
 * io.charon.core.mechanism.Snapshot}), what it wants done ({@link io.charon.core.mechanism.Action})
 * and what it shows ({@link io.charon.core.mechanism.MechanismReport}). Nothing here acts: a live
 * node hands actions to its one executor, the simulator changes its modelled node.
 */
package io.charon.core.mechanism;
