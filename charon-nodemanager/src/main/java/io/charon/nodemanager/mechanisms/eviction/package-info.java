/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * The three evictions of a node: by a memory line, by memory pressure and by CPU satisfaction.
 * {@code EvictionParts} gives {@link io.charon.core.law.eviction.Eviction} its keys and the
 * readings that only it needs. Which containers go is decided in {@code
 * io.charon.core.law.eviction}, and the executor ends them.
 */
package io.charon.nodemanager.mechanisms.eviction;
