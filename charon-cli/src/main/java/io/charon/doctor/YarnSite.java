/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/**
 * The {@code yarn-site.xml} of a cluster, if one was named, and {@code core-site.xml} beside it,
 * which says whether the cluster uses Kerberos.
 */
public final class YarnSite {
  private static final String FILE = "yarn-site.xml";

  private static final String CORE_FILE = "core-site.xml";

  /** On the class path, where charon-nodemanager packs conf/charon-site.xml. */
  private static final String CHARON_DEFAULTS = "io/charon/nodemanager/config/charon-site.xml";

  private final Optional<Path> directory;

  /**
   * Reads from one directory, or from none.
   *
   * @param directory directory that holds {@code yarn-site.xml}
   */
  public YarnSite(Optional<Path> directory) {
    this.directory = directory;
  }

  /** The file to read, whether or not it exists; empty if no directory was named. */
  Optional<Path> file() {
    return directory.map(path -> path.resolve(FILE));
  }

  /**
   * Returns one value, expanded and with XIncludes.
   *
   * @param key the key
   * @return its value, else Charon's own default; empty if there is neither
   * @throws IllegalArgumentException if the file is not a readable Hadoop configuration
   */
  Optional<String> get(String key) {
    return Optional.ofNullable(configuration().getTrimmed(key));
  }

  /**
   * Reads the whole configuration, with XIncludes, on top of Charon's own defaults.
   *
   * @throws IllegalArgumentException if a file is not a readable Hadoop configuration
   */
  public Configuration configuration() {
    Configuration configuration = new Configuration(false);
    configuration.addResource(CHARON_DEFAULTS);
    directory.map(path -> path.resolve(CORE_FILE)).ifPresent(file -> add(configuration, file));
    file().ifPresent(file -> add(configuration, file));
    return configuration;
  }

  private static void add(Configuration configuration, Path file) {
    if (!Files.isRegularFile(file)) {
      return;
    }
    try {
      configuration.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
      configuration.size(); // reads the file, if that did not
    } catch (RuntimeException e) {
      // Configuration wraps every parse error into a plain RuntimeException.
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }
}
