/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * Regulators on a live node: what they observe comes from sensors, what they decide is carried out
 * by actuators, in one order, with an audit.
 */
package io.charon.nodemanager.execution;
