/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("hadoop")
class RenamedKeysTest {
  private final Set<String> keys = keys();

  private static Set<String> keys() {
    Configuration defaults = new Configuration(false);
    defaults.addResource(SettingsReader.class.getResource("charon-site.xml"));
    return defaults.getPropsWithPrefix(SettingsReader.PREFIX).keySet();
  }

  @Test
  void aFormerNameIsNoKeyAndItsNewNameIsOne() {
    assertThat(RenamedKeys.formerNames())
        .isNotEmpty()
        .allSatisfy(
            former -> {
              assertThat(keys).doesNotContain(former);
              assertThat(RenamedKeys.newName(SettingsReader.PREFIX + former))
                  .map(name -> name.substring(SettingsReader.PREFIX.length()))
                  .hasValueSatisfying(name -> assertThat(keys).contains(name));
            });
  }

  @Test
  void onlyFormerNamesHaveANewOne() {
    assertThat(keys).allSatisfy(key -> assertThat(RenamedKeys.newName(key)).isEmpty());
    assertThat(RenamedKeys.newName("pause.mode")).isEmpty();
  }
}
