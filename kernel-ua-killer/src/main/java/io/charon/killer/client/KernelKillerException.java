/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.killer.client;

import java.io.IOException;

/** The kernel killer cannot be used; the message is one line with the reason and the cure. */
public final class KernelKillerException extends IOException {
  private static final long serialVersionUID = 1L;

  private final boolean refused;

  /** Creates an exception with a reason and the cure. */
  public KernelKillerException(String message) {
    super(message);
    this.refused = false;
  }

  KernelKillerException(String message, Throwable cause) {
    super(message, cause);
    this.refused = false;
  }

  private KernelKillerException(String message, boolean refused) {
    super(message);
    this.refused = refused;
  }

  static KernelKillerException refused(String message) {
    return new KernelKillerException(message, true);
  }

  /** Returns whether the helper runs but does not allow this process the request. */
  public boolean refused() {
    return refused;
  }
}
