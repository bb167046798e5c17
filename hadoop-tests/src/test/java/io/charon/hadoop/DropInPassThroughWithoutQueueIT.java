/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.hadoop;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** In pass-through, a node without a queue is YARN's. */
@Tag("long")
class DropInPassThroughWithoutQueueIT {
  @Test
  void allPass() throws Exception {
    HadoopsTests.run("off", WithoutQueueWithCharon.class, Map.of());
  }
}
