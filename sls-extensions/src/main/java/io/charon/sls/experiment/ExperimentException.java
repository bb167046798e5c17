/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.experiment;

import java.io.IOException;

/**
 * Thrown if an experiment file cannot be used; the message names the file, the line and the cure.
 */
public final class ExperimentException extends IOException {
  private static final long serialVersionUID = 1L;

  ExperimentException(String message) {
    super(message);
  }

  ExperimentException(String message, Throwable cause) {
    super(message, cause);
  }
}
