/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import java.util.List;

/**
 * Thrown for unusable keys or values; each problem names the key, the value and the allowed values.
 */
public sealed class SettingsException extends Exception {
  private static final long serialVersionUID = 1L;

  /**
   * Thrown if former names of keys or values are all that is wrong, and the operator does not want
   * the NodeManager to stop: the node then only observes.
   */
  static final class FormerNamesException extends SettingsException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception for all former names found.
     *
     * @param names each names the key, its file if that is known, and the new name
     */
    FormerNamesException(List<String> names) {
      super(names, false);
    }
  }

  private final boolean failFast;

  /**
   * Creates an exception for all problems found.
   *
   * @param problems each names the key, the value and the allowed values
   * @param failFast whether the NodeManager must stop
   */
  public SettingsException(List<String> problems, boolean failFast) {
    super(String.join("; ", problems));
    this.failFast = failFast;
  }

  /**
   * Returns whether the operator wants the NodeManager to stop instead of starting without Charon.
   */
  public boolean failFast() {
    return failFast;
  }
}
