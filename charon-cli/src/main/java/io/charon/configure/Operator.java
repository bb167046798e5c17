/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.configure;

import java.util.Optional;

/** Who is at work, as the operating system and sudo tell it. */
public final class Operator {
  private static final String ROOT = "root";

  private Operator() {}

  /**
   * The name of a person rather than root's, where sudo was used.
   *
   * @param user as whom this process runs
   * @param sudoUser SUDO_USER of its environment, which anybody but root could have set himself
   */
  public static String name(String user, Optional<String> sudoUser) {
    return user.equals(ROOT)
        ? sudoUser.filter(name -> !name.isBlank() && !name.equals(ROOT)).orElse(ROOT)
        : user;
  }
}
