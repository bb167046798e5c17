/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;

/** Finds the id of a user by the program id, which also knows the users of a directory service. */
final class UserId {
  private UserId() {}

  /** Returns a user's id; empty if there is no such user. */
  static OptionalLong of(String user) {
    try {
      Process id =
          new ProcessBuilder("id", "-u", "--", user)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String said = new String(id.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return said.matches("\\d{1,10}")
          ? OptionalLong.of(Long.parseLong(said))
          : OptionalLong.empty();
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }
}
