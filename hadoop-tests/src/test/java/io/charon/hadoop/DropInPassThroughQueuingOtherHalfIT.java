/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.hadoop;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The other half of the tests of {@link DropInPassThroughQueuingIT}. */
@Tag("long")
class DropInPassThroughQueuingOtherHalfIT {
  @Test
  void allPass() throws Exception {
    HadoopsTests.runPart("off", QueuingWithCharon.class, 1, 2);
  }
}
