/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.disklimit;

import java.util.OptionalLong;

/**
 * A whole disk, as the last look found it.
 *
 * @param number major and minor number as the kernel writes them, such as 254:0
 * @param name such as vda
 * @param speedBytesPerSecond the highest rate that it was read with lately while it was busy; empty
 *     if it was not busy
 * @param busy whether it had something to do for at least half of the time since the look before
 */
public record Disk(String number, String name, OptionalLong speedBytesPerSecond, boolean busy) {}
