/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import java.nio.file.Path;
import picocli.CommandLine;

/**
 * Provides commands that work only in a clone of the repository. {@link java.util.ServiceLoader}
 * finds the providers there; a release does not contain their modules.
 */
public interface SubcommandProvider {
  /**
   * Adds the commands.
   *
   * @param charon the complete command, with the subcommands of a release
   * @param root the repository
   */
  void addTo(CommandLine charon, Path root);
}
