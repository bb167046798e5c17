/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

import io.charon.core.law.Decision;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * An actuator in place of another one for the same resource, of which an earlier process may have
 * left something behind.
 *
 * @param chosen carries decisions out
 * @param other carries nothing out, and is undone, too
 */
public record InsteadOf(Actuator chosen, Actuator other) implements Actuator {
  @Override
  public Optional<String> unavailable() {
    return chosen.unavailable();
  }

  @Override
  public String apply(Decision decision) throws IOException {
    return chosen.apply(decision);
  }

  @Override
  public List<Effect> takeBack(Decision decision) {
    return chosen.takeBack(decision);
  }

  @Override
  public void undo() throws IOException {
    try {
      other.undo();
    } catch (IOException e) {
      try {
        chosen.undo();
      } catch (IOException both) {
        e.addSuppressed(both);
      }
      throw e;
    }
    chosen.undo();
  }
}
