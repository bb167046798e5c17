/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.util.Objects;

/**
 * The owner of a container; a fair queue shares memory between owners.
 *
 * @param user the user who submitted the application
 * @param application YARN's application id
 */
public record Owner(String user, String application) {
  /** Checks that both are present. */
  public Owner {
    Objects.requireNonNull(user, "user");
    Objects.requireNonNull(application, "application");
  }
}
