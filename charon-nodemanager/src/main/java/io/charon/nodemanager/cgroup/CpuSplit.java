/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

/**
 * Separate CPUs for the two classes of containers (paper, section 4: two cpusets).
 *
 * @param productionCpus CPUs of production containers in the kernel's list format, such as 0-7,12
 * @param bestEffortCpus CPUs of best-effort containers, in the same format
 */
public record CpuSplit(String productionCpus, String bestEffortCpus) {

  /**
   * Checks that both lists are given.
   *
   * @throws IllegalArgumentException if a list is blank
   */
  public CpuSplit {
    productionCpus = productionCpus.strip();
    bestEffortCpus = bestEffortCpus.strip();
    if (productionCpus.isEmpty() || bestEffortCpus.isEmpty()) {
      throw new IllegalArgumentException(
          "production CPUs '"
              + productionCpus
              + "' and best-effort CPUs '"
              + bestEffortCpus
              + "': set both lists, or none");
    }
  }

  /** Returns the CPUs of a class. */
  String cpus(ContainerClass containerClass) {
    return containerClass == ContainerClass.PRODUCTION ? productionCpus : bestEffortCpus;
  }
}
