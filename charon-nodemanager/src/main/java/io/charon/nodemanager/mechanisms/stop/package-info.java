/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * Carries out an operator's stop: {@link io.charon.nodemanager.mechanisms.stop.NodeStop} holds
 * launches back, and {@link io.charon.nodemanager.mechanisms.stop.StoppedContainers} freezes or
 * kills running containers.
 */
package io.charon.nodemanager.mechanisms.stop;
