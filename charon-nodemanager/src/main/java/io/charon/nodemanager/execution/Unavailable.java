/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

import io.charon.core.law.Decision;
import java.io.IOException;
import java.util.Optional;

/**
 * Stands for an actuator that this machine cannot have.
 *
 * @param reason why, with the cure
 */
public record Unavailable(String reason) implements Actuator {
  @Override
  public Optional<String> unavailable() {
    return Optional.of(reason);
  }

  @Override
  public String apply(Decision decision) throws IOException {
    throw new IOException(reason);
  }

  @Override
  public void undo() {}
}
