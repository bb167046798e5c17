/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

/**
 * How many processors the containers of a node could use. While it stays, so do the shares of nodes
 * that use the same processors.
 *
 * @param production cores
 * @param bestEffort cores
 */
public record ProcessorDemand(double production, double bestEffort) {}
