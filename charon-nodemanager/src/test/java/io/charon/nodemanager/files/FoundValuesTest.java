/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FoundValuesTest {
  @TempDir private Path root;
  private final Map<Path, Integer> restored = new TreeMap<>();
  private Path file;
  private Path cgroup;
  private FoundValues<Integer> store;

  @BeforeEach
  void anEarlierNodeManagerLeftAValue() throws IOException {
    file = root.resolve("found.properties");
    cgroup = Files.createDirectory(root.resolve("container_1"));
    store().keep(cgroup, 7);
    store = store();
  }

  private FoundValues<Integer> store() {
    return new FoundValues<>(Optional.of(file), "values", String::valueOf, Integer::valueOf);
  }

  private void putBack() throws IOException {
    store.putBack(List.of(root), restored::put, String::valueOf);
  }

  @Test
  void valuesOfAnEarlierNodeManagerAreRestoredOnce() throws IOException {
    putBack();
    assertThat(restored).containsOnly(Map.entry(cgroup, 7));
    assertThat(file).doesNotExist();
  }

  @Test
  void whatCannotBeReadOnceIsNeitherForgottenNorReplaced() throws IOException {
    Path elsewhere = root.resolve("elsewhere");
    Files.move(file, elsewhere);
    Files.createDirectory(file); // in the place of a file that cannot be opened for a moment
    assertThatThrownBy(this::putBack).isInstanceOf(IOException.class);
    Files.delete(file);
    Files.move(elsewhere, file);
    store.keep(root.resolve("container_2"), 8);
    putBack();
    assertThat(restored)
        .containsOnly(Map.entry(cgroup, 7), Map.entry(root.resolve("container_2"), 8));
  }

  @Test
  void whatCannotBeParsedIsSaidOnceAndKeptAside() throws IOException {
    String content = Files.readString(file) + root.resolve("container_2") + "=many\n";
    Files.writeString(file, content);
    Path aside = root.resolve("found.properties.unusable");
    assertThatThrownBy(this::putBack)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("was moved to " + aside);
    assertThat(Files.readString(aside)).isEqualTo(content);
    assertThat(store.all()).as("no half of the values").isEmpty();
    store.keep(cgroup, 9);
    putBack();
    assertThat(restored).containsOnly(Map.entry(cgroup, 9));
  }

  @Test
  void endedCgroupsAreForgottenIfTheyMayHaveEnded() throws IOException {
    Path ended = root.resolve("container_2");
    Path excluded = root.resolve("container_3");
    store.keep(Map.of(ended, 8, excluded, 9));
    store.forgetEnded(maybe -> !maybe.equals(excluded));
    assertThat(store().all()).containsOnlyKeys(cgroup, excluded);
  }
}
