/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/**
 * Reports what a command could not read, write or run by its message, after the name of the
 * command, and with exit code 1. Any other exception is an error of the program and keeps its stack
 * trace.
 */
final class FailureMessage implements IExecutionExceptionHandler {
  @Override
  public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed)
      throws Exception {
    if (!(failure instanceof IOException)) {
      throw failure;
    }
    command.getErr().println(command.getCommandSpec().qualifiedName() + ": " + text(failure));
    return 1;
  }

  /** The message may quote the output of a program: further lines are told by their indent. */
  private static String text(Exception failure) {
    // The message of most exceptions of this type is the file's name alone.
    boolean nameOnly = failure instanceof FileSystemException || failure.getMessage() == null;
    return (nameOnly ? failure.toString() : failure.getMessage())
        .lines()
        .map(PlainText::escape)
        .collect(Collectors.joining(System.lineSeparator() + "  "));
  }
}
