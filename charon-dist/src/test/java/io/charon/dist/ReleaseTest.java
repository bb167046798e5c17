/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.charon.cli.Charon;
import io.charon.cli.InstallPaths;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what a release contains, with jars and a helper that are empty. */
class ReleaseTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s#]+)[^)\\s]*\\)");
  private static final Pattern CODE = Pattern.compile("(?s)```.*?```|`[^`\\n]*`");

  /** Files for developers, which only the repository has. */
  private static final List<String> REPOSITORY =
      List.of("CONTRIBUTING.md", "pom.xml", "sls-extensions/");

  private final ObjectMapper mapper = new ObjectMapper();

  @TempDir Path home;
  private ReleaseFiles files;

  @BeforeEach
  void collect() throws IOException {
    Path lib = Files.createDirectory(home.resolve("lib"));
    ObjectNode bom = mapper.createObjectNode();
    bom.putObject("metadata").putObject("component");
    ArrayNode components = bom.putArray("components");
    bom.putArray("dependencies");
    for (String artifact :
        List.of(
            "charon-cli",
            "charon-core",
            "charon-nodemanager",
            "charon-scheduler",
            "charon-web",
            "kernel-ua-killer",
            "picocli",
            "sls-extensions",
            "snakeyaml",
            "VectorGraphics2D",
            "xchart")) {
      Files.writeString(lib.resolve(artifact + "-1.jar"), artifact);
      components.addObject().put("bom-ref", artifact).put("name", artifact).put("version", "1");
    }
    Files.writeString(home.resolve("bom.json"), bom.toString());
    Path helper = Files.writeString(home.resolve("ua-killer"), "helper");
    files =
        new Release(
                ROOT,
                home,
                Charon.commandLine(new InstallPaths(ROOT, helper, true)),
                name -> Optional.of("7"))
            .collect("1", "3.4", helper, Instant.EPOCH);
  }

  @Test
  void everyLinkOfItsPagesLeadsToAFileInIt() {
    for (Map.Entry<String, byte[]> page : files.contents().entrySet()) {
      if (page.getKey().endsWith(".md")) {
        Matcher links = LINK.matcher(CODE.matcher(text(page.getKey())).replaceAll(""));
        assertThat(links.results().map(link -> target(page.getKey(), link)))
            .as(page.getKey())
            .filteredOn(target -> !target.contains("://"))
            .filteredOn(target -> REPOSITORY.stream().noneMatch(target::startsWith))
            .allMatch(this::isInIt);
      }
    }
  }

  /** The help of {@code charon sls} and the pages name the experiments. */
  @Test
  void itHasTheExperimentsAndTheChanges() {
    assertThat(files.contents()).containsKeys("conf/experiments/quickstart.yaml", "CHANGELOG.md");
  }

  @Test
  void itsManualPagesContainNoFormats() {
    assertThat(files.contents().keySet())
        .filteredOn(path -> path.startsWith("share/man/"))
        .isNotEmpty()
        .allSatisfy(path -> assertThat(text(path)).doesNotContain("%n", "%%"));
  }

  @Test
  void itsBillOfMaterialsListsWhatIsLinkedAndWhatIsUnpacked() throws IOException {
    JsonNode bom = mapper.readTree(files.contents().get("sbom.cdx.json"));

    assertThat(bom.findValuesAsText("purl"))
        .contains("pkg:deb/debian/libc6-dev@7")
        .anyMatch(purl -> purl.startsWith("pkg:npm/uplot@"));
  }

  @Test
  void theLicenceThatTheNoticeNamesIsThere() {
    Matcher named = Pattern.compile("\\((io/charon/\\S+)\\)").matcher(text("NOTICE"));

    assertThat(named.find()).isTrue();
    assertThat(Charon.class.getClassLoader().getResource(named.group(1))).isNotNull();
  }

  private String text(String path) {
    return new String(files.contents().get(path), StandardCharsets.UTF_8);
  }

  private static String target(String page, MatchResult link) {
    String target = link.group(1);
    return target.contains("://")
        ? target
        : Path.of(page).resolveSibling(target).normalize().toString();
  }

  /** A link may lead to a directory. */
  private boolean isInIt(String target) {
    return files.contents().containsKey(target)
        || files.contents().keySet().stream().anyMatch(path -> path.startsWith(target + "/"));
  }
}
