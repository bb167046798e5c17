/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

/**
 * The pages of a node that do not fit into its memory, and the resulting slowdown of each
 * container. The shortage is taken from file pages as long as there are any, as the kernel was
 * measured to do if both kinds are used repeatedly (docs/benchmarks.md, shared limit): dropping a
 * clean page costs it nothing.
 */
final class MemoryPressure {
  private final double anonymousShort;
  private final double fileShort;
  // For a task that uses only pages of this kind: time lost per time of undisturbed run.
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
   * Sets the speed of a container. Its work on anonymous and on file pages slows down by the factor
   * of each kind, in proportion to its use of each.
   *
   * @param container the container
   * @param processorShare share of its processor demand that it gets, 0 to 1
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
        // The share of each second spent waiting for faults of this kind.
        anonymousDelay / slowdown / anonymousNanosPerFault,
        fileDelay / slowdown / fileNanosPerFault);
  }

  private static double ratio(double usedBytes, double shortBytes) {
    return usedBytes == 0 ? 1 : usedBytes / (usedBytes - shortBytes);
  }
}
