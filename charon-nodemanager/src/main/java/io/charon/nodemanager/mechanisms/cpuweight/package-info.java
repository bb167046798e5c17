/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * The CPU weight of ApplicationMasters of best-effort applications, which run among production and
 * yield to it. {@code MasterWeights} chooses the weight of each, or idleness, from the key and from
 * whether one starves. Which application is best-effort it is told, and the file is written by the
 * {@code Weigher} that its caller hands in.
 */
package io.charon.nodemanager.mechanisms.cpuweight;
