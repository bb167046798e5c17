/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.disklimit;

/**
 * The counters of a disk since it was attached.
 *
 * @param number major and minor number in the kernel's format, such as 254:0
 * @param name such as vda
 * @param readBytes bytes read from it
 * @param busyMillis the time for which it was busy
 */
public record DiskCounters(String number, String name, long readBytes, long busyMillis) {}
