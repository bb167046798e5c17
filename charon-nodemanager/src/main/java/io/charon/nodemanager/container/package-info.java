/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * The containers of a node from their start to their end: {@code ContainerLedger} is the list of
 * those that run, {@code ContainerListener} the order of events that every part is told of, and
 * {@code ContainerCgroups} what is created and removed for each. {@code LaunchPrefix} is what a
 * container's first process does before any other code.
 *
 * <p>When a container starts, and which one ends, is decided elsewhere. Mechanisms and executor are
 * unknown here.
 */
package io.charon.nodemanager.container;
