/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import io.charon.cli.SubcommandProvider;
import java.nio.file.Path;
import picocli.CommandLine;

/**
 * Adds the command for developers of Charon, {@code package}. Tests are run by a script, bin/charon
 * test.
 */
public final class DistributionCommands implements SubcommandProvider {
  @Override
  public void addTo(CommandLine charon, Path root) {
    charon.addSubcommand(new PackageCommand(root, System.getenv()));
  }
}
