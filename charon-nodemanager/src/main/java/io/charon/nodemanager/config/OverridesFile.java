/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import io.charon.web.trust.TrustedProperties;
import java.nio.file.Path;

/**
 * The file in which an operator changes keys of one node at run time ({@code bin/charon enable,
 * stop}). It overrides {@code yarn-site.xml}.
 */
public final class OverridesFile extends TrustedProperties {
  /**
   * Creates the file object; the file need not exist.
   *
   * @param file absolute path
   * @param user the user to trust besides root, as which this process runs
   */
  public OverridesFile(Path file, String user) {
    super(file, user, SettingsReader.PREFIX);
  }
}
