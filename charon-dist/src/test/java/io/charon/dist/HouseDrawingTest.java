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
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Checks that the drawing of the modules in CONTRIBUTING.md matches the poms. */
class HouseDrawingTest {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
  private static final Pattern ARROW = Pattern.compile("(?m)^ *([a-z-]+) --> ([a-z-]+)$");
  private static final Pattern BOX = Pattern.compile("(?m)^ *([a-z-]+)\\[");

  /**
   * Compares all arrows that do not follow from two others; dependencies of tests alone do not
   * count.
   */
  @Test
  void arrowsAreTheDependenciesOfThePoms() throws Exception {
    Map<String, Set<String>> poms = modulesWithMainSources();
    String drawing = Files.readString(ROOT.resolve("CONTRIBUTING.md"));

    assertThat(BOX.matcher(drawing).results().map(match -> match.group(1)))
        .containsExactlyInAnyOrderElementsOf(poms.keySet());
    assertThat(ARROW.matcher(drawing).results().map(HouseDrawingTest::arrow))
        .containsExactlyInAnyOrderElementsOf(arrows(poms));
  }

  private static String arrow(MatchResult match) {
    return match.group(1) + " -> " + match.group(2);
  }

  private static Set<String> arrows(Map<String, Set<String>> poms) {
    Set<String> arrows = new TreeSet<>();
    poms.forEach(
        (module, needed) ->
            needed.stream()
                .filter(
                    one ->
                        needed.stream()
                            .noneMatch(other -> !other.equals(one) && reaches(other, one, poms)))
                .forEach(one -> arrows.add(module + " -> " + one)));
    return arrows;
  }

  private static boolean reaches(String from, String to, Map<String, Set<String>> poms) {
    return poms.get(from).stream().anyMatch(next -> next.equals(to) || reaches(next, to, poms));
  }

  private static Map<String, Set<String>> modulesWithMainSources() throws Exception {
    Map<String, Set<String>> modules = new TreeMap<>();
    for (String module : texts(pom(ROOT), "module")) {
      if (Files.isDirectory(ROOT.resolve(module).resolve("src/main/java"))
          && !module.contains("/")) {
        modules.put(module, new TreeSet<>());
      }
    }
    for (String module : modules.keySet()) {
      NodeList dependencies = pom(ROOT.resolve(module)).getElementsByTagName("dependency");
      for (int i = 0; i < dependencies.getLength(); i++) {
        Element dependency = (Element) dependencies.item(i);
        String artifact = texts(dependency, "artifactId").iterator().next();
        if (modules.containsKey(artifact) && !texts(dependency, "scope").contains("test")) {
          modules.get(module).add(artifact);
        }
      }
    }
    return modules;
  }

  private static Element pom(Path directory) throws Exception {
    try (var stream = Files.newInputStream(directory.resolve("pom.xml"))) {
      Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(stream);
      return document.getDocumentElement();
    } catch (IOException e) {
      throw new IOException("no pom of a module in " + directory, e);
    }
  }

  private static Set<String> texts(Element parent, String name) {
    NodeList found = parent.getElementsByTagName(name);
    return IntStream.range(0, found.getLength())
        .mapToObj(i -> found.item(i).getTextContent().strip())
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
