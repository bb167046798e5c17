/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstalledPartsTest {
  @TempDir private Path directory;
  private final List<URL> classPath = new ArrayList<>();

  @Test
  void oneVersionOfEachIsWell() throws IOException {
    jar("charon-nodemanager", "1.0");
    jar("charon-scheduler", "1.0");
    jar("kernel-ua-killer", "1.0");
    assertThat(problem()).isEmpty();
  }

  @Test
  void classesFromNoJarAreNotJudged() throws IOException {
    assertThat(problem()).isEmpty();
  }

  @Test
  void anOldJarBesideNewOnesIsNamedWithItsPlace() throws IOException {
    jar("charon-nodemanager", "2.0");
    Path old = jar("charon-scheduler", "1.0");
    assertThat(problem())
        .contains(
            "partly upgraded", "charon-nodemanager 2.0", "charon-scheduler 1.0 in " + old + ";");
  }

  @Test
  void twoOfAKindAreNamed() throws IOException {
    jar("charon-nodemanager", "1.0");
    Path first = jar("charon-scheduler", "1.0");
    Path second = jar("charon-scheduler", "1.0");
    assertThat(problem()).contains("in " + first + ",", "in " + second + ";", "install.sh --check");
  }

  private Path jar(String name, String version) throws IOException {
    Path jar = directory.resolve(classPath.size() + "-" + name + ".jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream content = new JarOutputStream(file)) {
      content.putNextEntry(new JarEntry("META-INF/maven/io.charon/" + name + "/pom.properties"));
      content.write(("version=" + version + "\n").getBytes(StandardCharsets.UTF_8));
    }
    classPath.add(jar.toUri().toURL());
    return jar;
  }

  private String problem() throws IOException {
    try (URLClassLoader loader = new URLClassLoader(classPath.toArray(new URL[0]), null)) {
      return InstalledParts.problem(loader).orElse("");
    }
  }
}
