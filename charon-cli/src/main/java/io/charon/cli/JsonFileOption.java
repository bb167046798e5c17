/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The option of all commands that print a result and can also write it to a file. */
public final class JsonFileOption {
  @Option(names = "--json", paramLabel = "FILE", description = "Also write the result as JSON.")
  private Path file;

  /** Returns the file to write; empty if none is wanted. */
  public Optional<Path> file() {
    return Optional.ofNullable(file);
  }
}
