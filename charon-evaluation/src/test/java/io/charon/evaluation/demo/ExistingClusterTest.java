/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("hadoop")
class ExistingClusterTest {
  @TempDir private Path directory;

  @Test
  void readsTheClientsFiles() throws IOException {
    write("yarn-site.xml", "yarn.resourcemanager.address", "rm.example.com:8032");
    write("mapred-site.xml", "yarn.app.mapreduce.am.staging-dir", "/user");

    ExistingCluster cluster = ExistingCluster.of(directory, List.of());

    assertThat(cluster.client().get("yarn.resourcemanager.address"))
        .isEqualTo("rm.example.com:8032");
    try (FileSystem files = cluster.fileSystem()) {
      assertThat(cluster.newDirectory(files).toUri().getPath())
          .startsWith("/user/" + System.getProperty("user.name") + "/charon-demo-");
    }
  }

  @Test
  void namesADirectoryWithoutConfiguration() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ExistingCluster.of(directory, List.of()))
        .withMessageContaining("no yarn-site.xml")
        .withMessageContaining("HADOOP_CONF_DIR");
  }

  @Test
  void namesAVariableThatIsNotSet() throws IOException {
    write("yarn-site.xml", "yarn.resourcemanager.address", "rm.example.com:8032");
    write("mapred-site.xml", "yarn.app.mapreduce.am.staging-dir", "${env.CHARON_NOT_SET_HERE}");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> ExistingCluster.of(directory, List.of()))
        .withMessageContaining("CHARON_NOT_SET_HERE")
        .withMessageContaining("not set");
  }

  private void write(String file, String name, String value) throws IOException {
    Files.writeString(
        directory.resolve(file),
        "<configuration><property><name>%s</name><value>%s</value></property></configuration>"
            .formatted(name, value));
  }
}
