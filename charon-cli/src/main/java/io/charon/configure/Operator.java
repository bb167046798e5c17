/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.configure;

import java.util.Optional;

/** The operator who runs a command, according to the operating system and sudo. */
public final class Operator {
  private static final String ROOT = "root";

  private Operator() {}

  /**
   * Returns the operator's own name instead of root's if sudo was used.
   *
   * @param user user that runs this process
   * @param sudoUser {@code SUDO_USER} of its environment, used only for root, because any other
   *     user could have set it
   */
  public static String name(String user, Optional<String> sudoUser) {
    return user.equals(ROOT)
        ? sudoUser.filter(name -> !name.isBlank() && !name.equals(ROOT)).orElse(ROOT)
        : user;
  }
}
