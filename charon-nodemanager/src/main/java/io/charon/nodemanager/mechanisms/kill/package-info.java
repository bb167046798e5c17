/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * The killers of a node and the books about their kills. {@code NodeKillers} has the kernel killer
 * or the user-space killer in charge, {@code KernelKillerAdapter} keeps the kernel's registrations
 * and reads its kills, {@code UserSpaceKiller} kills by free memory, and {@code KillBookkeeper}
 * records each kill with its reason, whoever decided it.
 *
 * <p>Who dies is decided in {@code io.charon.core.kill} or in the kernel, and apart from the kernel
 * only the executor sends a signal. YARN and launches are known as interfaces.
 */
package io.charon.nodemanager.mechanisms.kill;
