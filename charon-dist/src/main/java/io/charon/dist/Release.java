/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.AutoComplete;
import picocli.CommandLine;

/**
 * The content of a release, collected from a built repository: everything for a cluster's machines
 * except the jars that Hadoop provides.
 */
public final class Release {
  /** Jars on the class path of a Hadoop daemon, NodeManager or ResourceManager. */
  private static final List<String> PLUG_INS =
      List.of(
          "charon-core",
          "charon-nodemanager",
          "charon-scheduler",
          "charon-web",
          "kernel-ua-killer");

  /** Further jars that the command needs and that no Hadoop contains. */
  private static final List<String> COMMAND =
      List.of("charon-cli", "sls-extensions", "picocli", "snakeyaml", "xchart", "VectorGraphics2D");

  /**
   * Debian packages of the libraries that kernel-ua-killer's Makefile links statically into the
   * helper.
   */
  private static final List<String> LINKED =
      List.of("libbpf-dev", "libelf-dev", "zlib1g-dev", "libc6-dev");

  private static final Pattern PLOTTING = Pattern.compile("<uplot\\.version>([^<]+)<");

  private final Path root;
  private final Path home;
  private final CommandLine command;
  private final Function<String, Optional<String>> packageVersion;

  /**
   * Creates a release.
   *
   * @param root root directory of the repository
   * @param home output directory of {@code charon-dist} for one Hadoop version
   * @param command command of an installed release, for manual pages and completion
   * @param packageVersion returns the version of an installed package of this system, if known
   */
  public Release(
      Path root,
      Path home,
      CommandLine command,
      Function<String, Optional<String>> packageVersion) {
    this.root = root;
    this.home = home;
    this.command = command;
    this.packageVersion = packageVersion;
  }

  /**
   * Collects the files of the release.
   *
   * @param version version of Charon
   * @param hadoopLine Hadoop line for which it was built, such as 3.4
   * @param helper the program ua-killer
   * @param time time of the release
   * @throws IOException if a file is missing or cannot be read
   */
  public ReleaseFiles collect(String version, String hadoopLine, Path helper, Instant time)
      throws IOException {
    ReleaseFiles files = new ReleaseFiles();
    Map<String, String> jars = new TreeMap<>();
    for (String plugIn : PLUG_INS) {
      addJar(plugIn, "share/hadoop/yarn/lib/", files, jars);
    }
    for (String library : COMMAND) {
      addJar(library, "lib/", files, jars);
    }
    files.addProgram("sbin/ua-killer", helper);
    files.addTree("", root.resolve("charon-dist/src/main/release"));
    files.addTree("conf/", root.resolve("conf"));
    files.addTree("docs/", root.resolve("docs"));
    for (String text : List.of("LICENSE", "NOTICE", "README.md", "CHANGELOG.md")) {
      files.add(text, root.resolve(text));
    }
    files.add("RELEASE", "version=" + version + "\nhadoop=" + hadoopLine + "\n");
    LocalDate date = LocalDate.ofInstant(time, ZoneOffset.UTC);
    ManPages.of(command, version, date)
        .forEach((name, page) -> files.add("share/man/man1/" + name, page));
    files.add("share/bash-completion/completions/charon", AutoComplete.bash("charon", command));
    files.add("sbom.cdx.json", billOfMaterials(version, hadoopLine, files, jars));
    return files;
  }

  /** Adds a jar under its name without the version, so that an upgrade replaces it. */
  private void addJar(
      String artifact, String directory, ReleaseFiles files, Map<String, String> jars)
      throws IOException {
    Path jar = find(artifact);
    String path = directory + artifact + ".jar";
    files.add(path, jar);
    jars.put(jar.getFileName().toString(), Checksums.sha256(files.contents().get(path)));
  }

  private Path find(String artifact) throws IOException {
    String pattern = Pattern.quote(artifact) + "-[0-9].*\\.jar";
    for (Path directory : List.of(home.resolve("lib"), home)) {
      try (Stream<Path> jars = Files.list(directory)) {
        Optional<Path> found =
            jars.filter(jar -> jar.getFileName().toString().matches(pattern)).sorted().findFirst();
        if (found.isPresent()) {
          return found.get();
        }
      }
    }
    throw new IOException("no " + artifact + "-<version>.jar in " + home + ": build Charon again");
  }

  /** Maven unpacks the library into the jar of charon-web, and does not list it. */
  private String plottingVersion() throws IOException {
    Matcher version = PLOTTING.matcher(Files.readString(root.resolve("pom.xml")));
    if (!version.find()) {
      throw new IOException(root.resolve("pom.xml") + " contains no uplot.version");
    }
    return version.group(1);
  }

  private String billOfMaterials(
      String version, String hadoopLine, ReleaseFiles files, Map<String, String> jars)
      throws IOException {
    Path bom = home.resolve("bom.json");
    if (!Files.isRegularFile(bom)) {
      throw new IOException("no " + bom + ", which the build writes: build Charon again");
    }
    Map<String, Optional<String>> linked = new LinkedHashMap<>();
    LINKED.forEach(name -> linked.put(name, packageVersion.apply(name)));
    return new BillOfMaterials(
            new ObjectMapper().readTree(Files.readString(bom, StandardCharsets.UTF_8)))
        .shipping(jars)
        .containing("charon-web", "npm", "uplot", plottingVersion())
        .withProgram(
            "ua-killer", version, Checksums.sha256(files.contents().get("sbin/ua-killer")), linked)
        .toJson(version, hadoopLine);
  }
}
