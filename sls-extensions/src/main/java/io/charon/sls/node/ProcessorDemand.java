/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

/**
 * The number of processors that the containers of a node could use. While it is unchanged, the
 * shares of other nodes on the same processors are unchanged, too.
 *
 * @param production demand of production, cores
 * @param bestEffort demand of best-effort, cores
 */
public record ProcessorDemand(double production, double bestEffort) {}
