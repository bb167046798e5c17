/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

/** Reads the keys of a mechanism, or of several that share some. */
@FunctionalInterface
public interface MechanismKeys {
  /**
   * What the keys say; what is wrong goes to their problems.
   *
   * @param keys those of the node
   * @param mode of the node, which no mechanism exceeds
   * @param cgroups whether containers have cgroups of their own
   * @return a record of its own class, by which it is found ({@link RegulatorSettings#of})
   */
  Record read(Keys keys, Mode mode, boolean cgroups);
}
