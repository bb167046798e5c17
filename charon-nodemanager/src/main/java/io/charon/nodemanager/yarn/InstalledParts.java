/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The jars of Charon on a class path. On a node that is half upgraded they are of two versions, or
 * there are two of a kind, and which class is loaded is chance.
 */
final class InstalledParts {
  private record Part(String name, String version, String place) {}

  private InstalledParts() {}

  /**
   * What is wrong with them.
   *
   * @param loader of the classes of Charon
   * @return which versions lie where, and the cure; nothing if all are of one version, or if
   *     classes come from no jar
   */
  static Optional<String> problem(ClassLoader loader) {
    List<Part> parts = new ArrayList<>();
    try {
      for (String name :
          List.of(
              "charon-core",
              "charon-nodemanager",
              "charon-scheduler",
              "charon-web",
              "kernel-ua-killer")) {
        for (URL file : Collections.list(loader.getResources(properties(name)))) {
          parts.add(new Part(name, version(file), place(file, name)));
        }
      }
    } catch (IOException e) {
      return Optional.of("the versions of Charon's jars cannot be read: " + e.getMessage());
    }
    boolean oneVersion = parts.stream().map(Part::version).distinct().count() <= 1;
    boolean oneOfEach = parts.stream().map(Part::name).distinct().count() == parts.size();
    return oneVersion && oneOfEach
        ? Optional.empty()
        : Optional.of(
            "this node is half upgraded: "
                + parts.stream()
                    .map(part -> "%s %s in %s".formatted(part.name(), part.version(), part.place()))
                    .collect(Collectors.joining(", "))
                + "; leave one version of each jar on the class path (install.sh of the one that you"
                + " want, then install.sh --check) and restart the NodeManager");
  }

  /** Where Maven writes the version of a jar. */
  private static String properties(String name) {
    return "META-INF/maven/io.charon/" + name + "/pom.properties";
  }

  private static String version(URL file) throws IOException {
    Properties properties = new Properties();
    try (InputStream stream = file.openStream()) {
      properties.load(stream);
    }
    return properties.getProperty("version", "of no version");
  }

  /** The jar or directory, without the path inside. */
  private static String place(URL file, String name) {
    return Stream.of("!/" + properties(name), "/" + properties(name))
        .reduce(
            file.toString().replaceFirst("^(jar:)?file:", ""),
            (path, end) ->
                path.endsWith(end) ? path.substring(0, path.length() - end.length()) : path);
  }
}
