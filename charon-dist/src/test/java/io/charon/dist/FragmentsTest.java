/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.evaluation.cluster.CharonConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks conf/charon-nodemanager.xml and conf/charon-resourcemanager.xml, included as
 * docs/install.md says.
 */
@Tag("hadoop")
class FragmentsTest {
  private static final Path CONF = Path.of("../conf");
  private static final String SERVICES = "yarn.nodemanager.aux-services";

  @TempDir Path directory;
  private String include;

  @BeforeEach
  void readPage() throws IOException {
    Matcher block =
        Pattern.compile("```xml\\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(Path.of("../docs/install.md")));
    assertThat(block.find()).isTrue();
    include = block.group(1);
  }

  @Test
  void theyHoldWhatTheClustersOfTestsAreGiven() throws IOException {
    copyFragments();
    Configuration site = yarnSite("");

    Map<String, String> nodeManager = CharonConfiguration.nodeManager("charon");
    assertThat(nodeManager)
        .allSatisfy(
            (key, value) -> {
              if (!key.startsWith("yarn.nodemanager.charon.")) {
                assertThat(site.get(key)).as(key).isEqualTo(value);
              }
            });
    String processors = "yarn.resourcemanager.application-master-service.processors";
    assertThat(site.get(processors))
        .isEqualTo(CharonConfiguration.resourceManager(List.of("any")).get(processors));
  }

  @Test
  void whatYarnSiteSetsBelowThemWins() throws IOException {
    copyFragments();

    assertThat(
            yarnSite(
                    "<property><name>%s</name><value>spark_shuffle,charon</value></property>"
                        .formatted(SERVICES))
                .get(SERVICES))
        .isEqualTo("spark_shuffle,charon");
  }

  @Test
  void whereTheyAreMissingHadoopStaysStock() throws IOException {
    assertThat(yarnSite("").get(SERVICES)).isNull();
  }

  private void copyFragments() throws IOException {
    for (String fragment : List.of("charon-nodemanager.xml", "charon-resourcemanager.xml")) {
      Files.copy(CONF.resolve(fragment), directory.resolve(fragment));
    }
  }

  private Configuration yarnSite(String properties) throws IOException {
    Path file = directory.resolve("yarn-site.xml");
    Files.writeString(file, "<configuration>\n" + include + properties + "</configuration>");
    Configuration configuration = new Configuration(false);
    configuration.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
    return configuration;
  }
}
