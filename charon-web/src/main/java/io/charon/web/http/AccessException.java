/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web.http;

import java.io.IOException;

/**
 * A web server and this process do not know or trust each other, or the user of this process is not
 * permitted to make the request. The message contains the cure.
 */
public final class AccessException extends IOException {
  private static final long serialVersionUID = 1;

  AccessException(String message, Throwable cause) {
    super(message, cause);
  }
}
