/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.container;

import java.util.Optional;

/**
 * One part of what moves a container to another class, such as its cgroup or its OOM scores. A part
 * may fail for a while; repeating it does no harm.
 */
@FunctionalInterface
public interface PlacementPart {
  /**
   * Applies this part to the running processes of a container that was promoted or demoted.
   *
   * @return why it is not complete; empty if it is
   */
  Optional<String> apply(ContainerInfo container);
}
