/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class RoundScriptTest {
  @Property
  void theSameSeedGivesTheSameScript(@ForAll long seed) {
    assertThat(RoundScript.of(seed)).isEqualTo(RoundScript.of(seed));
  }

  @Property
  void onlyBestEffortContainersAboveTheirShareAreGuilty(@ForAll long seed) {
    for (ScriptedContainer one : RoundScript.of(seed).containers()) {
      assertThat(one.isGuilty()).isEqualTo(one.name().startsWith("guilty"));
      if (one.role() != Role.BEST_EFFORT) {
        assertThat(one.workingSetMegabytes()).isLessThanOrEqualTo(one.shareMegabytes());
      }
    }
  }

  @Property
  void innocentsFitAndTheGuiltyDoNot(@ForAll long seed) {
    RoundScript script = RoundScript.of(seed);
    int needed =
        script.containers().stream()
            .filter(one -> one.isGuilty() || !one.behaviour().usesFile())
            .mapToInt(ScriptedContainer::workingSetMegabytes)
            .sum();
    if (script.guilty().isEmpty()) {
      assertThat(needed).isLessThanOrEqualTo(script.limitMegabytes());
    } else {
      assertThat(needed).isGreaterThan(script.limitMegabytes() + 50);
    }
  }

  @Property
  void namesAreUniqueAndTheGuiltyComeLast(@ForAll long seed) {
    List<ScriptedContainer> containers = RoundScript.of(seed).containers();
    assertThat(containers).extracting(ScriptedContainer::name).doesNotHaveDuplicates();
    int guilty = (int) containers.stream().filter(ScriptedContainer::isGuilty).count();
    assertThat(containers.subList(containers.size() - guilty, containers.size()))
        .allMatch(ScriptedContainer::isGuilty);
  }

  @Test
  void manySeedsPlayEverything() {
    List<RoundScript> scripts = LongStream.range(0, 200).mapToObj(RoundScript::of).toList();
    for (Behaviour behaviour : Behaviour.values()) {
      assertThat(scripts)
          .anyMatch(
              script -> script.containers().stream().anyMatch(c -> c.behaviour() == behaviour));
    }
    assertThat(scripts).anyMatch(script -> script.guilty().isEmpty());
    assertThat(scripts)
        .anyMatch(
            script -> script.containers().stream().noneMatch(c -> c.name().equals("production-2")));
    assertThat(scripts).anyMatch(script -> script.guilty().size() == 2);
    assertThat(scripts)
        .anyMatch(script -> script.containers().stream().anyMatch(c -> c.role() == Role.SERVICE));
  }
}
