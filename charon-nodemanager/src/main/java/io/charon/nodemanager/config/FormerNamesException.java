/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import java.util.List;

/**
 * Thrown if former names of keys or values are all that is wrong, and the operator does not want
 * the NodeManager to stop: the node then only observes.
 */
final class FormerNamesException extends SettingsException {
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
