/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

/** The approaches that {@code bench reclaim} compares. */
enum ReclaimApproach {
  /** Only the memory limit of best-effort is active. */
  LIMIT("limit alone"),
  /** The same once more, to show how much two runs of the same approach differ. */
  LIMIT_AGAIN("limit alone, again"),
  /** Cold memory of production is reclaimed as well. */
  RECLAIM("limit and reclaim");

  private final String label;

  ReclaimApproach(String label) {
    this.label = label;
  }

  /** Returns the name of the approach for the table. */
  String label() {
    return label;
  }
}
