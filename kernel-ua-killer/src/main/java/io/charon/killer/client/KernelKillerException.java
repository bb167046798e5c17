/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.killer.client;

import java.io.IOException;

/** The kernel killer cannot be used; the message is one line that says why and what helps. */
public final class KernelKillerException extends IOException {
  private static final long serialVersionUID = 1L;

  KernelKillerException(String message) {
    super(message);
  }

  KernelKillerException(String message, Throwable cause) {
    super(message, cause);
  }
}
