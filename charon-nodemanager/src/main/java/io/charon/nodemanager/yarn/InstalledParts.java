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
 * The jars of Charon on a class path. On a half-upgraded node they have two versions, or one of
 * them exists twice, and it is a matter of chance which class is loaded.
 */
final class InstalledParts {
  private record Part(String name, String version, String place) {}

  private InstalledParts() {}

  /**
   * Returns the problem with the installed jars.
   *
   * @param loader class loader of Charon's classes
   * @return the versions and their places, with the cure; empty if all have one version, or if the
   *     classes do not come from jars
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
            "this node is partly upgraded: "
                + parts.stream()
                    .map(part -> "%s %s in %s".formatted(part.name(), part.version(), part.place()))
                    .collect(Collectors.joining(", "))
                + "; leave one version of each jar on the class path (run install.sh of the version that you"
                + " want, then install.sh --check) and restart the NodeManager");
  }

  /** Returns the file in which Maven records the version of a jar. */
  private static String properties(String name) {
    return "META-INF/maven/io.charon/" + name + "/pom.properties";
  }

  private static String version(URL file) throws IOException {
    Properties properties = new Properties();
    try (InputStream stream = file.openStream()) {
      properties.load(stream);
    }
    return properties.getProperty("version", "without a version");
  }

  /** Returns the jar or directory, without the path inside it. */
  private static String place(URL file, String name) {
    return Stream.of("!/" + properties(name), "/" + properties(name))
        .reduce(
            file.toString().replaceFirst("^(jar:)?file:", ""),
            (path, end) ->
                path.endsWith(end) ? path.substring(0, path.length() - end.length()) : path);
  }
}
