/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import java.nio.file.Path;
import picocli.CommandLine;

/**
 * Brings commands that work in a clone of the repository only: {@link java.util.ServiceLoader}
 * finds them there, and a release does not hold their modules.
 */
public interface SubcommandProvider {
  /**
   * Adds its commands.
   *
   * @param charon the whole command, with what a release has
   * @param root the repository
   */
  void addTo(CommandLine charon, Path root);
}
