/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Checks that the tables of docs/keys.md match the files from which the code takes its defaults,
 * and that the keys of these files can be found in the code. {@code -Dcharon.keys.page=write}
 * regenerates the tables.
 */
class KeysPageTest {
  private static final Path PAGE = Path.of("..", "docs", "keys.md");
  private static final Path CONF = Path.of("..", "conf");
  private static final String NODE_MANAGER = "charon-site.xml";
  private static final String RESOURCE_MANAGER = "charon-resourcemanager-site.xml";
  private static final String BEGIN = "<!-- begin of the generated tables -->\n";

  /** Text for a key with the tag {@code live}, the only tag that exists. */
  private static final String LIVE = " Changes at run time.";

  @Test
  void thePageHasEveryKeyAsTheCodeHasIt() throws Exception {
    String page = Files.readString(PAGE);
    assertThat(page).contains(BEGIN);
    String head = page.substring(0, page.indexOf(BEGIN) + BEGIN.length());
    String wanted =
        head
            + section("On a NodeManager", NODE_MANAGER)
            + section("On the ResourceManager", RESOURCE_MANAGER);
    if (System.getProperty("charon.keys.page", "").equals("write")) {
      Files.writeString(PAGE, wanted);
      return;
    }
    assertThat(page)
        .as(PAGE + " is not what conf/ says; -Dcharon.keys.page=write makes it anew")
        .isEqualTo(wanted);
  }

  /** A search for a key leads to the class that reads it, and from there to all that use it. */
  @Test
  void everyKeyIsWrittenOutInTheSourcesOfTheDaemons() throws Exception {
    String sources = sources();
    assertThat(Stream.concat(properties(NODE_MANAGER), properties(RESOURCE_MANAGER)))
        .hasSizeGreaterThan(100)
        .extracting(property -> text(property, "name"))
        .filteredOn(key -> !sources.contains('"' + key + '"'))
        .as("keys that are composed, or that nothing reads")
        .isEmpty();
  }

  /** The commands and the laboratory only use keys that a daemon reads. */
  private static String sources() throws IOException {
    StringBuilder sources = new StringBuilder();
    for (String module :
        List.of("charon-nodemanager", "charon-scheduler", "charon-web", "charon-core")) {
      try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main", "java"))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          sources.append(Files.readString(file));
        }
      }
    }
    return sources.toString();
  }

  private static String section(String title, String file) throws Exception {
    return "\n## %s\n\n| key | default | meaning, unit, range and source |\n|---|---|---|\n"
            .formatted(title)
        + properties(file).map(KeysPageTest::row).collect(Collectors.joining());
  }

  private static Stream<Element> properties(String file) throws Exception {
    NodeList properties =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(CONF.resolve(file).toFile())
            .getElementsByTagName("property");
    return IntStream.range(0, properties.getLength())
        .mapToObj(index -> (Element) properties.item(index));
  }

  private static String row(Element property) {
    return "| `%s` | `%s` | %s%s |\n"
        .formatted(
            text(property, "name"),
            text(property, "value"),
            text(property, "description").replace("|", "\\|").replace("*", "\\*"),
            property.getElementsByTagName("tag").getLength() > 0 ? LIVE : "");
  }

  private static String text(Element property, String tag) {
    return property
        .getElementsByTagName(tag)
        .item(0)
        .getTextContent()
        .strip()
        .replaceAll("\\s+", " ");
  }
}
