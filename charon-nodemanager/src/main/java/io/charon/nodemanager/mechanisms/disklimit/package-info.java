/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * The limit of best-effort's reads while production refills its page cache. {@code DiskLimit} asks
 * {@link io.charon.core.law.disklimit.RefillLaw} when, {@code DiskReads} writes the rate of each
 * disk, and {@code DiskLimitParts} puts them together. Who holds memory is a reading that the
 * memory limit takes; the mechanism itself is unknown here.
 */
package io.charon.nodemanager.mechanisms.disklimit;
