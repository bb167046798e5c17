/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BillOfMaterialsTest {
  private static final String MAVEN =
      """
      {"bomFormat": "CycloneDX", "serialNumber": "urn:uuid:1",
       "metadata": {"timestamp": "2026-11-22T10:00:00Z",
         "component": {"type": "application", "bom-ref": "dist", "name": "charon-dist", "version": "1"}},
       "components": [
         {"type": "library", "bom-ref": "cli", "name": "charon-cli", "version": "1"},
         {"type": "library", "bom-ref": "picocli", "name": "picocli", "version": "4",
          "hashes": [{"alg": "MD5", "content": "0"}]},
         {"type": "library", "bom-ref": "hadoop", "name": "hadoop-common", "version": "3"}],
       "dependencies": [
         {"ref": "cli", "dependsOn": ["picocli", "hadoop"]},
         {"ref": "hadoop", "dependsOn": []}]}
      """;

  private final ObjectMapper mapper = new ObjectMapper();

  @Test
  void hasWhatIsShippedWithItsChecksumAndNothingElse() throws Exception {
    JsonNode bom =
        mapper.readTree(
            new BillOfMaterials(mapper.readTree(MAVEN))
                .shipping(Map.of("charon-cli-1.jar", "aa", "picocli-4.jar", "bb"))
                .toJson("1", "3.4"));

    assertThat(bom.path("components"))
        .extracting(
            part -> part.path("name").asText() + " " + part.at("/hashes/0/content").asText())
        .containsExactly("charon-cli aa", "picocli bb");
    assertThat(bom.path("dependencies").toString())
        .isEqualTo(
            "[{\"ref\":\"charon\",\"dependsOn\":[\"cli\",\"picocli\"]},"
                + "{\"ref\":\"cli\",\"dependsOn\":[\"picocli\"]}]");
    assertThat(bom.fieldNames())
        .toIterable()
        .containsOnly("bomFormat", "metadata", "components", "dependencies");
    assertThat(bom.path("metadata").has("timestamp")).isFalse();
  }

  @Test
  void saysWhatAJarContains() throws Exception {
    JsonNode bom =
        mapper.readTree(
            new BillOfMaterials(mapper.readTree(MAVEN))
                .shipping(Map.of("charon-cli-1.jar", "aa"))
                .containing("charon-cli", "npm", "uplot", "1.6")
                .toJson("1", "3.4"));

    assertThat(bom.at("/components/0/components/0/purl").asText()).isEqualTo("pkg:npm/uplot@1.6");
  }

  @Test
  void saysWhatIsLinkedIntoAProgram() throws Exception {
    JsonNode bom =
        mapper.readTree(
            new BillOfMaterials(mapper.readTree(MAVEN))
                .shipping(Map.of())
                .withProgram("ua-killer", "1", "cc", Map.of("libbpf-dev", Optional.of("1:1.1+b")))
                .toJson("1", "3.4"));

    assertThat(bom.at("/components/1/purl").asText())
        .isEqualTo("pkg:deb/debian/libbpf-dev@1:1.1%2Bb");
    assertThat(bom.at("/dependencies/1/dependsOn/0").asText()).isEqualTo("libbpf-dev");
  }

  @Test
  void aJarThatMavenDoesNotKnowIsRefused() throws Exception {
    BillOfMaterials bom = new BillOfMaterials(mapper.readTree(MAVEN));

    assertThatThrownBy(() -> bom.shipping(Map.of("other-1.jar", "aa")))
        .hasMessageContaining("other-1.jar is in the release and not in Maven's bill of materials");
  }
}
