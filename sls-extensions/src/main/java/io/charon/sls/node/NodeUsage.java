/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

/**
 * The memory use of a node's containers over time: sums of bytes times nanoseconds. Only {@code
 * resident} includes ApplicationMasters.
 *
 * @param resident memory in use that fits into the node, ApplicationMasters included
 * @param used memory that tasks needed, whether it fits or not
 * @param requested memory that tasks had requested
 * @param productionUsed {@code used} of production alone
 * @param productionRequested {@code requested} of production alone
 */
public record NodeUsage(
    double resident,
    double used,
    double requested,
    double productionUsed,
    double productionRequested) {
  /** No use. */
  public static final NodeUsage NONE = new NodeUsage(0, 0, 0, 0, 0);

  /** Returns the sum of two uses. */
  public NodeUsage plus(NodeUsage other) {
    return new NodeUsage(
        resident + other.resident,
        used + other.used,
        requested + other.requested,
        productionUsed + other.productionUsed,
        productionRequested + other.productionRequested);
  }
}
