/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import java.io.IOException;

/**
 * Thrown if containers cannot have cgroups here; the message names the path or key and the cure.
 */
public final class CgroupException extends IOException {
  private static final long serialVersionUID = 1L;

  public CgroupException(String message) {
    super(message);
  }

  public CgroupException(String message, Throwable cause) {
    super(message, cause);
  }
}
