/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.status;

/** A node's status could not be read; the message says which node, why, and what to do. */
public final class StatusException extends Exception {
  private static final long serialVersionUID = 1L;

  StatusException(String message) {
    super(message);
  }

  StatusException(String message, Throwable cause) {
    super(message, cause);
  }
}
