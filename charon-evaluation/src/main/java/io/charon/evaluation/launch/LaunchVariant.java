/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.launch;

/** The variants of a container start; each round has one of each, in random order. */
enum LaunchVariant {
  STOCK,
  CHARON,

  /** The same executor as {@link #STOCK}; the difference between the two is chance. */
  STOCK_AGAIN
}
