/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.hadoop;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Where Charon decides, a NodeManager that starts again loses nothing either. */
@Tag("long")
class DropInActiveRecoveryIT {
  @Test
  void differsWhereItMeansTo() throws Exception {
    HadoopsTests.run(
        "enforce",
        RecoveryWithCharon.class,
        Map.of(
            "testContainerSchedulerRecovery",
            "recovers the container, and tells YARN's preemption that no reservation is in use"));
  }
}
