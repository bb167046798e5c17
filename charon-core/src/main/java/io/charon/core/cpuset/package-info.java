/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * Which processors of a machine best-effort gets: sets of cores ({@link
 * io.charon.core.cpuset.Cores}), the hardware that they share ({@link
 * io.charon.core.cpuset.Topology}), and the order in which whole physical cores are chosen ({@link
 * io.charon.core.cpuset.CoreOrder}). How many cores it gets is decided in {@code
 * io.charon.core.law}.
 *
 * <p>These are pure values and computations: nothing here reads sysfs or writes a cpuset.
 */
package io.charon.core.cpuset;
