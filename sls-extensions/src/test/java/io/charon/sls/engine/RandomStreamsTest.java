/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RandomStreamsTest {
  private static List<Integer> draws(Random random) {
    return random.ints(5).boxed().toList();
  }

  @Test
  void aStreamDependsOnItsSeedAndNameOnly() {
    RandomStreams disturbed = new RandomStreams(7);
    disturbed.stream("other").nextLong();
    assertThat(draws(disturbed.stream("kill delay")))
        .isEqualTo(draws(new RandomStreams(7).stream("kill delay")));
    assertThat(draws(new RandomStreams(7).stream("other")))
        .isNotEqualTo(draws(new RandomStreams(7).stream("kill delay")));
    assertThat(draws(new RandomStreams(8).stream("kill delay")))
        .isNotEqualTo(draws(new RandomStreams(7).stream("kill delay")));
  }

  @Test
  void theChecksumSeesOrderAndIsTheSameEverywhere() {
    EventChecksum forward = new EventChecksum();
    forward.add(1);
    forward.add(2);
    EventChecksum backward = new EventChecksum();
    backward.add(2);
    backward.add(1);
    assertThat(forward.value()).isNotEqualTo(backward.value());
    EventChecksum again = new EventChecksum();
    again.add(1);
    again.add(2);
    assertThat(again.value()).isEqualTo(forward.value());
    assertThat(EventChecksum.hex(10)).isEqualTo("000000000000000a");
  }
}
