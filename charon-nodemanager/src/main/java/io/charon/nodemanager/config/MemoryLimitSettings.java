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
 * How the memory limit around best-effort is moved.
 *
 * @param mode what the mechanism may do
 * @param pageCache what of its page cache a production container has a right to
 * @param services who outside YARN has a right to memory
 * @param systemPercent what of the boundary the rest of the machine may keep as page cache
 * @param dirtyPercent what of the limit best-effort's dirty pages may take, 1 to 100; empty: as
 *     much as they like
 */
public record MemoryLimitSettings(
    RegulatorMode mode,
    PageCachePolicy pageCache,
    List<Service> services,
    int systemPercent,
    OptionalInt dirtyPercent) {
  /** Copies the list. */
  public MemoryLimitSettings {
    services = List.copyOf(services);
  }

  /**
   * A service outside YARN, or several.
   *
   * @param pattern of its cgroup, such as /system.slice/postgresql*.service
   * @param rightBytes what each may keep, page cache included; Long.MAX_VALUE: all that it has
   */
  public record Service(String pattern, long rightBytes) {}
}
