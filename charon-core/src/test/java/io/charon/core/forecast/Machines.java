/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.forecast;

import java.util.ArrayList;
import java.util.List;

/** Creates samples for tests. */
final class Machines {
  private Machines() {}

  /** Returns a sample of containers that each requested 10. */
  static UseSample of(long interval, double... uses) {
    List<ContainerUse> containers = new ArrayList<>();
    for (int i = 0; i < uses.length; i++) {
      containers.add(new ContainerUse("c" + i, uses[i], 10));
    }
    return new UseSample(interval, containers);
  }
}
