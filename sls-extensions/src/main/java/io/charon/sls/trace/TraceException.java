/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import java.io.IOException;

/** Thrown if a trace or workload cannot be read or accepted; the message is for the user. */
public final class TraceException extends IOException {
  private static final long serialVersionUID = 1L;

  TraceException(String message) {
    super(message);
  }

  TraceException(String message, Throwable cause) {
    super(message, cause);
  }
}
