/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import io.charon.web.trust.TrustedProperties;
import java.nio.file.Path;

/**
 * The file in which an operator changes keys on one node at run time ({@code bin/charon enable,
 * stop}). It stands above {@code yarn-site.xml}.
 */
public final class OverridesFile extends TrustedProperties {
  /**
   * A file that need not exist.
   *
   * @param file absolute
   * @param user whom to trust beside root: the one as whom this program runs
   */
  public OverridesFile(Path file, String user) {
    super(file, user, SettingsReader.PREFIX);
  }
}
