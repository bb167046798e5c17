/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

/** Reads the keys of one mechanism, or of several that share keys. */
@FunctionalInterface
public interface MechanismKeys {
  /**
   * Reads the settings and adds invalid values to the problems of {@code keys}.
   *
   * @param keys the keys of the node
   * @param mode the mode of the node, which no mechanism exceeds
   * @param cgroups whether containers have cgroups of their own
   * @return a record of a distinct class, by which {@link RegulatorSettings#of} finds it
   */
  Record read(Keys keys, Mode mode, boolean cgroups);
}
