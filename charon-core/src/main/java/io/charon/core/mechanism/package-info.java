/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * The parts of every co-location mechanism: the readings it sees ({@link
 * io.charon.core.mechanism.Snapshot}), the actions it requests ({@link
 * io.charon.core.mechanism.Action}) and the state it reports ({@link
 * io.charon.core.mechanism.MechanismReport}). No class of this package acts: a live node passes
 * actions to its single executor, the simulator changes its model of the node.
 */
package io.charon.core.mechanism;
