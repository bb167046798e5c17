/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.hadoop;

import org.junit.jupiter.api.Test;

/**
 * In pass-through, containers are queued, started, killed and promoted as YARN does: one half of
 * Hadoop's tests, so that the other can run in another process at the same time.
 */
class DropInPassThroughQueuingIT {
  @Test
  void allPass() throws Exception {
    HadoopsTests.runPart("off", QueuingWithCharon.class, 0, 2);
  }
}
