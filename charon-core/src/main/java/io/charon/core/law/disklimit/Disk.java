/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.disklimit;

import java.util.OptionalLong;

/**
 * The state of a whole disk at the last sample.
 *
 * @param number major and minor number in the kernel's format, such as 254:0
 * @param name such as vda
 * @param speedBytesPerSecond the highest recent read rate while the disk was busy; empty if it was
 *     not busy
 * @param busy whether it was busy for at least half of the time since the previous sample
 */
public record Disk(String number, String name, OptionalLong speedBytesPerSecond, boolean busy) {}
