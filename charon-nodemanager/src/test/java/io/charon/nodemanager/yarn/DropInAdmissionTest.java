/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import org.junit.jupiter.api.Tag;

/** Tests the drop-in: YARN's own container scheduler. */
@Tag("hadoop")
class DropInAdmissionTest extends AdmissionContract {
  @Override
  StockYarn yarn(int queueLimit) {
    return new StockYarn(queueLimit);
  }
}
