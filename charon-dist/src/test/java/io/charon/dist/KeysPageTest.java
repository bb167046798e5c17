/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Checks that the tables of docs/keys.md match the files from which the code takes its defaults.
 * {@code -Dcharon.keys.page=write} regenerates them.
 */
class KeysPageTest {
  private static final Path PAGE = Path.of("..", "docs", "keys.md");
  private static final Path CONF = Path.of("..", "conf");
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
            + section("On a NodeManager", "charon-site.xml")
            + section("On the ResourceManager", "charon-resourcemanager-site.xml");
    if (System.getProperty("charon.keys.page", "").equals("write")) {
      Files.writeString(PAGE, wanted);
      return;
    }
    assertThat(page)
        .as(PAGE + " is not what conf/ says; -Dcharon.keys.page=write makes it anew")
        .isEqualTo(wanted);
  }

  private static String section(String title, String file) throws Exception {
    return "\n## %s\n\n| key | default | meaning, unit, range and source |\n|---|---|---|\n"
            .formatted(title)
        + rows(CONF.resolve(file));
  }

  private static String rows(Path file) throws Exception {
    NodeList properties =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(file.toFile())
            .getElementsByTagName("property");
    return IntStream.range(0, properties.getLength())
        .mapToObj(index -> row((Element) properties.item(index)))
        .collect(Collectors.joining());
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
