/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * The agent of one node. {@code CharonNode} is its interface to YARN's side. {@code NodeParts}
 * assembles its parts and defines the steps of a tick, which {@code Ticker} runs. {@code
 * ContainerLifecycle} notifies the parts of the events of containers. {@code SettingsFollower}
 * changes the parts while the node runs. {@code YarnSide} is the only dependency on YARN. The class
 * is called {@code CharonNode} because it stands for the node that the NodeManager manages; the
 * word agent is the package's.
 */
package io.charon.nodemanager.agent;
