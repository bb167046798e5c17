/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

/**
 * Which pages of a node do not fit, and what that costs each container. What is short is taken from
 * file pages as long as there are any, as the kernel was measured to do where both kinds are in use
 * again and again (docs/benchmarks.md, shared limit): dropping a clean page costs it nothing.
 */
final class MemoryPressure {
  private final double anonymousShort;
  private final double fileShort;
  // Of a task that uses nothing but such pages: time lost per time of undisturbed run.
  private double anonymousLoss;
  private double fileLoss;
  private double anonymousNanosPerFault = 1;
  private double fileNanosPerFault = 1;

  MemoryPressure(ThrashModel model, double memoryBytes, double anonymousBytes, double fileBytes) {
    double shortBytes = Math.max(0, anonymousBytes + fileBytes - memoryBytes);
    fileShort = Math.min(fileBytes, shortBytes);
    anonymousShort = shortBytes - fileShort;
    if (exists()) {
      double anonymousRatio = ratio(anonymousBytes, anonymousShort);
      double fileRatio = ratio(fileBytes, fileShort);
      anonymousLoss = model.anonymous().slowdown(anonymousRatio) - 1;
      fileLoss = model.file().slowdown(fileRatio) - 1;
      anonymousNanosPerFault = model.anonymous().nanosPerFault(anonymousRatio);
      fileNanosPerFault = model.file().nanosPerFault(fileRatio);
    }
  }

  boolean exists() {
    return anonymousShort + fileShort > 0;
  }

  double anonymousShort() {
    return anonymousShort;
  }

  double fileShort() {
    return fileShort;
  }

  /**
   * Sets the pace of a container: what it does with anonymous and with file pages slows by the
   * factor of each, in proportion to what it uses of each.
   *
   * @param container the container
   * @param processorShare what it gets of the processor time it could use, 0 to 1
   */
  void pace(NodeContainer container, double processorShare) {
    double own = container.anonymous() + container.file();
    if (!exists() || own == 0) {
      container.pace(processorShare, 0, 0);
      return;
    }
    double anonymousDelay = container.anonymous() / own * anonymousLoss;
    double fileDelay = container.file() / own * fileLoss;
    double slowdown = 1 + anonymousDelay + fileDelay;
    container.pace(
        processorShare / slowdown,
        // Of each second, this part is spent waiting for faults of the kind.
        anonymousDelay / slowdown / anonymousNanosPerFault,
        fileDelay / slowdown / fileNanosPerFault);
  }

  private static double ratio(double usedBytes, double shortBytes) {
    return usedBytes == 0 ? 1 : usedBytes / (usedBytes - shortBytes);
  }
}
