/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.configure.Part;
import java.time.Duration;
import java.util.Iterator;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** Base class of the commands that turn a part of a running node on or off. */
abstract class PartCommand extends ConfiguringCommand {
  @Parameters(
      paramLabel = "PART",
      converter = Parts.class,
      completionCandidates = Parts.class,
      description = "One of ${COMPLETION-CANDIDATES}.")
  private Part part;

  /** The names of the parts, looked up only when they are needed. */
  static final class Parts implements Iterable<String>, ITypeConverter<Part> {
    @Override
    public Iterator<String> iterator() {
      return Part.labels().iterator();
    }

    @Override
    public Part convert(String value) {
      try {
        return Part.of(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  PartCommand(Duration timeout) {
    super(timeout);
  }

  final Part part() {
    return part;
  }

  /** Sets the part's key to a value. */
  final int set(String value) throws InterruptedException {
    return change(
        overrides -> overrides.put(part.key(), value), "%s is %s".formatted(part.label(), value));
  }
}
