/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import io.charon.core.law.RegulatorMode;
import java.util.List;
import java.util.OptionalInt;

/**
 * Settings of the best-effort memory limit.
 *
 * @param mode what the mechanism may do
 * @param pageCache the page cache to which a production container is entitled
 * @param services services outside YARN that are entitled to memory
 * @param systemPercent page cache that all other processes on the node may keep, percent of the
 *     node's memory
 * @param dirtyPercent share of the limit that best-effort's dirty pages may take, 1 to 100; empty:
 *     no such limit
 */
public record MemoryLimitSettings(
    RegulatorMode mode,
    PageCachePolicy pageCache,
    List<Service> services,
    int systemPercent,
    OptionalInt dirtyPercent) {
  /**
   * The page cache to which a production container is entitled; values of {@code
   * yarn.nodemanager.charon.memory-limit.page-cache}.
   */
  public enum PageCachePolicy {
    /** All of its page cache, within its reservation. */
    RESERVED,
    /** None: page cache counts as free, as in the paper. */
    NONE
  }

  /** Copies the list. */
  public MemoryLimitSettings {
    services = List.copyOf(services);
  }

  /**
   * One or several services outside YARN.
   *
   * @param pattern pattern of their cgroups, such as /system.slice/postgresql*.service
   * @param rightBytes entitlement of each, including page cache, bytes; Long.MAX_VALUE: all that it
   *     uses
   */
  public record Service(String pattern, long rightBytes) {}
}
