/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.launch;

/** Who starts a container: each round has one of each, in an order of its own. */
enum LaunchVariant {
  STOCK,
  CHARON,

  /** The same executor as {@link #STOCK}: what differs between the two is chance. */
  STOCK_AGAIN
}
