/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * Runs mechanisms on a live node: they decide by the readings of sensors, and a single executor
 * carries out all their actions, in one order and with one audit.
 */
package io.charon.nodemanager.execution;
