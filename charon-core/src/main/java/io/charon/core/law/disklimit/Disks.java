/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.disklimit;

import io.charon.core.mechanism.Reading;
import java.util.List;

/**
 * The disks of a machine.
 *
 * @param all all whole disks, in the order of the kernel
 */
public record Disks(List<Disk> all) implements Reading {
  /** Copies the list. */
  public Disks {
    all = List.copyOf(all);
  }
}
