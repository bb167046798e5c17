/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * The CPU quota of best-effort as a whole. {@code CfsQuota} chooses the signal of the foreground's
 * health and puts it together with the law, {@link io.charon.core.law.CpuQuotaRegulator}, and with
 * what sets the quota. The same law can limit the ways of the last-level cache instead; what sets
 * these is in {@code mechanisms.llc}, which is unknown here.
 */
package io.charon.nodemanager.mechanisms.cfsquota;
