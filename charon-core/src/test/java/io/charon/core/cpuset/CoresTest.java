/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.cpuset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CoresTest {
  @ParameterizedTest
  @CsvSource({
    "'0-3,8', '0-3,8', 5",
    "'8,0,1,2-3,1-2\n', '0-3,8', 5",
    "'5', '5', 1",
    "'0,2,4', '0,2,4', 3",
    "' ', '', 0",
    "'', '', 0",
    "'99999', '99999', 1"
  })
  void listsAreReadAndWrittenAsTheKernelWritesThem(String list, String written, int count) {
    Cores cores = Cores.parse(list);
    assertThat(cores).hasToString(written);
    assertThat(cores.count()).isEqualTo(count);
    assertThat(cores.isEmpty()).isEqualTo(count == 0);
    assertThat(cores).isEqualTo(Cores.parse(written)).hasSameHashCodeAs(Cores.parse(written));
  }

  @ParameterizedTest
  @ValueSource(strings = {"3-1", "x", "0-", "-1", "0,,1", ",", "1-2-3", "100000", "0 1", "٣"})
  void whatIsNoListIsRefused(String list) {
    assertThatThrownBy(() -> Cores.parse(list))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(list)
        .hasMessageContaining("not a list of CPUs");
  }
}
