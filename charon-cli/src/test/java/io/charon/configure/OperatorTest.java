/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.configure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class OperatorTest {
  @Test
  void theCallerOfSudoIsNamedRatherThanRoot() {
    assertThat(Operator.name("root", Optional.of("alice"))).isEqualTo("alice");
    assertThat(Operator.name("root", Optional.of(" "))).isEqualTo("root");
    assertThat(Operator.name("root", Optional.empty())).isEqualTo("root");
  }

  @Test
  void onlyRootMayNameAnotherUser() {
    assertThat(Operator.name("yarn", Optional.of("alice"))).isEqualTo("yarn");
  }
}
