/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * Token buckets for production containers that have a CPU quota. {@link
 * io.charon.core.law.CpuBurst} decides; {@code CpuBurstParts} puts it together, and {@code
 * ProductionQuotas} reads and writes quota, period and burst, and keeps the values found for their
 * return. Best-effort and other mechanisms are unknown here.
 */
package io.charon.nodemanager.mechanisms.cpuburst;
