/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * The memory limit around best-effort on this node: {@code MemoryLimit} passes one reading per
 * second to the laws of {@code io.charon.core.law.memorylimit} and asks for limits and kills,
 * {@code MovingLimit} is the kernel's limit, and {@code LimitProcess} keeps the program running
 * that moves it every 20 ms. {@code MemoryLimitParts} puts them together.
 *
 * <p>{@code MemoryBound} tells launches what they may count on. How a container is killed or
 * launched is unknown here.
 */
package io.charon.nodemanager.mechanisms.memorylimit;
