/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.hadoop;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Where Charon decides, it differs from YARN where it means to. */
class DropInActiveQueuingIT {
  @Test
  void differsWhereItMeansTo() throws Exception {
    HadoopsTests.run("charon", QueuingWithCharon.class, Map.of());
  }
}
