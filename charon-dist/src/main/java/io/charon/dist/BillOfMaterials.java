/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The CycloneDX bill of materials of a release. Of the artifacts that Maven resolved, it contains
 * the jars of the archive with the checksums that they have there. It also contains the native
 * helper with the libraries that are linked into it.
 */
public final class BillOfMaterials {
  private static final String COMPONENTS = "components";

  private final ObjectMapper mapper = new ObjectMapper();
  private final ObjectNode bom;
  private final Set<String> kept = new HashSet<>();

  /**
   * Starts from the document that the build wrote.
   *
   * @param mavenBom the document of the CycloneDX plugin for module {@code charon-dist}
   * @throws IllegalArgumentException if it is not a CycloneDX document with components
   */
  public BillOfMaterials(JsonNode mavenBom) {
    if (!mavenBom.path("metadata").path("component").isObject()
        || !mavenBom.path(COMPONENTS).isArray()) {
      throw new IllegalArgumentException("not a CycloneDX document with components");
    }
    this.bom = mavenBom.deepCopy();
  }

  /**
   * Keeps only the components that are shipped, and sets their checksums.
   *
   * @param jars SHA-256 of each shipped jar, by the file name that Maven gives it
   * @throws IllegalArgumentException if Maven did not resolve one of the jars
   */
  public BillOfMaterials shipping(Map<String, String> jars) {
    ArrayNode all = (ArrayNode) bom.path(COMPONENTS);
    ArrayNode shipped = mapper.createArrayNode();
    Set<String> found = new HashSet<>();
    for (JsonNode component : all) {
      String jar =
          component.path("name").asText() + "-" + component.path("version").asText() + ".jar";
      if (jars.containsKey(jar) && found.add(jar)) {
        ObjectNode part = component.deepCopy();
        part.put("type", "library");
        part.set("hashes", sha256(jars.get(jar)));
        shipped.add(part);
        kept.add(part.path("bom-ref").asText());
      }
    }
    for (String jar : jars.keySet()) {
      if (!found.contains(jar)) {
        throw new IllegalArgumentException(
            jar + " is in the release and not in Maven's bill of materials: build Charon again");
      }
    }
    bom.set(COMPONENTS, shipped);
    return this;
  }

  /**
   * Adds a library whose files one of the shipped jars contains.
   *
   * @param artifact artifact of the jar
   * @param type type of the library's package URL, such as npm
   */
  public BillOfMaterials containing(String artifact, String type, String name, String version) {
    for (JsonNode component : components()) {
      if (component.path("name").asText().equals(artifact)) {
        ((ObjectNode) component)
            .withArray(COMPONENTS)
            .add(
                component("library", name, Optional.of(version))
                    .put("purl", "pkg:%s/%s@%s".formatted(type, name, version)));
      }
    }
    return this;
  }

  /**
   * Adds a program that is not a jar.
   *
   * @param sha256 checksum of the program
   * @param libraries libraries that are linked into it: Debian packages and their versions, if
   *     known
   */
  public BillOfMaterials withProgram(
      String name, String version, String sha256, Map<String, Optional<String>> libraries) {
    ObjectNode program = component("application", name, Optional.of(version));
    program.set("hashes", sha256(sha256));
    ObjectNode uses = mapper.createObjectNode().put("ref", name);
    ArrayNode dependsOn = uses.putArray("dependsOn");
    components().add(program);
    libraries.forEach(
        (library, libraryVersion) -> {
          ObjectNode part = component("library", library, libraryVersion);
          libraryVersion.ifPresent(
              known ->
                  part.put("purl", "pkg:deb/debian/" + library + "@" + known.replace("+", "%2B")));
          components().add(part);
          dependsOn.add(library);
        });
    kept.add(name);
    kept.addAll(libraries.keySet());
    dependencies().add(uses);
    return this;
  }

  /**
   * Returns the document about the whole release.
   *
   * @param version version of Charon
   * @param hadoopLine Hadoop line of the release, such as 3.4
   */
  public String toJson(String version, String hadoopLine) {
    ObjectNode release = component("application", "charon", Optional.of(version));
    release.put("description", "Charon for Hadoop " + hadoopLine + "; Hadoop is not included");
    ((ObjectNode) bom.path("metadata")).set("component", release);
    // Removes the time and the serial number, which differ between builds.
    ((ObjectNode) bom.path("metadata")).remove("timestamp");
    bom.remove("serialNumber");
    bom.set("dependencies", keptDependencies());
    try {
      return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(bom) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of JSON cannot be written", e);
    }
  }

  private ArrayNode keptDependencies() {
    ArrayNode result = mapper.createArrayNode();
    ObjectNode whole = result.addObject().put("ref", "charon");
    ArrayNode parts = whole.putArray("dependsOn");
    components().forEach(part -> parts.add(part.path("bom-ref").asText()));
    for (JsonNode dependency : dependencies()) {
      if (kept.contains(dependency.path("ref").asText())) {
        ObjectNode entry = result.addObject().put("ref", dependency.path("ref").asText());
        ArrayNode targets = entry.putArray("dependsOn");
        for (JsonNode target : dependency.path("dependsOn")) {
          if (kept.contains(target.asText())) {
            targets.add(target);
          }
        }
      }
    }
    return result;
  }

  private ArrayNode components() {
    return (ArrayNode) bom.path(COMPONENTS);
  }

  private ArrayNode dependencies() {
    return (ArrayNode) bom.path("dependencies");
  }

  private ObjectNode component(String type, String name, Optional<String> version) {
    ObjectNode component =
        mapper.createObjectNode().put("type", type).put("bom-ref", name).put("name", name);
    version.ifPresent(known -> component.put("version", known));
    return component;
  }

  private ArrayNode sha256(String checksum) {
    ArrayNode hashes = mapper.createArrayNode();
    hashes.addObject().put("alg", "SHA-256").put("content", checksum);
    return hashes;
  }
}
