/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * The agent of one node. {@code CharonNode} is what YARN's side holds; {@code NodeParts} says of
 * what it is made and what a tick does; {@code Ticker} goes through those steps; {@code
 * ContainerLifecycle} tells the parts what happens to containers; {@code SettingsFollower} changes
 * them while the node runs; and {@code YarnSide} is all that they know of YARN.
 */
package io.charon.nodemanager.agent;
