/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.disklimit;

/**
 * What a disk has done since it came.
 *
 * @param number major and minor number as the kernel writes them, such as 254:0
 * @param name such as vda
 * @param readBytes what was read from it
 * @param busyMillis how long it had something to do
 */
public record DiskCounters(String number, String name, long readBytes, long busyMillis) {}
