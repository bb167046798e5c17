/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

/**
 * What a node's containers used over time, ApplicationMasters apart: sums of bytes times
 * nanoseconds.
 *
 * @param resident memory in use that fitted, ApplicationMasters included
 * @param used memory that tasks used or would have used
 * @param requested memory that tasks had asked for
 * @param productionUsed the same of production
 * @param productionRequested the same of production
 */
public record NodeUsage(
    double resident,
    double used,
    double requested,
    double productionUsed,
    double productionRequested) {
  /** Nothing yet. */
  public static final NodeUsage NONE = new NodeUsage(0, 0, 0, 0, 0);

  /** The sums of two nodes. */
  public NodeUsage plus(NodeUsage other) {
    return new NodeUsage(
        resident + other.resident,
        used + other.used,
        requested + other.requested,
        productionUsed + other.productionUsed,
        productionRequested + other.productionRequested);
  }
}
