/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import org.apache.hadoop.util.VersionInfo;
import picocli.CommandLine.IVersionProvider;

/** Returns the version of Charon, and of the Hadoop with which it was built. */
final class VersionProvider implements IVersionProvider {
  /** A file that Maven puts into the jar. */
  private static final String POM_PROPERTIES =
      "/META-INF/maven/io.charon/charon-cli/pom.properties";

  @Override
  public String[] getVersion() throws IOException {
    Properties properties = new Properties();
    try (InputStream stream = Charon.class.getResourceAsStream(POM_PROPERTIES)) {
      if (stream != null) {
        properties.load(stream);
      }
    }
    return new String[] {
      "Charon " + properties.getProperty("version", "(not from a jar)"),
      "Hadoop " + VersionInfo.getVersion()
    };
  }
}
