/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.nodemanager.cgroup.CgroupVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InterferenceNodeTest {
  private static final String LIMIT = Long.toString(400L << 20);

  @TempDir private Path node;

  @BeforeEach
  void unlimited() throws IOException {
    Files.writeString(node.resolve("memory.swap.max"), "max");
    Files.writeString(node.resolve("memory.memsw.limit_in_bytes"), "9223372036854771712");
  }

  @Test
  void aNodeThatMaySwapKeepsItsSwapOnVersion2() throws IOException {
    InterferenceNode.limit(node, CgroupVersion.V2, true);

    assertThat(node.resolve("memory.max")).hasContent(LIMIT);
    assertThat(node.resolve("memory.swap.max")).hasContent("max");
  }

  @Test
  void anotherNodeHasNone() throws IOException {
    InterferenceNode.limit(node, CgroupVersion.V2, false);

    assertThat(node.resolve("memory.max")).hasContent(LIMIT);
    assertThat(node.resolve("memory.swap.max")).hasContent("0");
  }

  @Test
  void version1LimitsMemoryAndSwapTogether() throws IOException {
    InterferenceNode.limit(node, CgroupVersion.V1, true);

    assertThat(node.resolve("memory.limit_in_bytes")).hasContent(LIMIT);
    assertThat(node.resolve("memory.memsw.limit_in_bytes")).hasContent(LIMIT);
  }
}
