/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import io.charon.core.law.memorylimit.Holder;
import io.charon.nodemanager.config.MemoryLimitSettings.PageCachePolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the settings of the best-effort memory limit. */
public final class MemoryLimitKeys {
  public static final String MODE = "yarn.nodemanager.charon.memory-limit.mode";
  public static final String PAGE_CACHE = "yarn.nodemanager.charon.memory-limit.page-cache";
  public static final String SERVICES = "yarn.nodemanager.charon.memory-limit.services";
  public static final String SYSTEM_PERCENT = "yarn.nodemanager.charon.memory-limit.system-percent";

  private static final String NONE = "none";
  private static final String ALL = "all";
  private static final Pattern SERVICE_RIGHT = Pattern.compile("(.+)=(all|[0-9]{1,15})");

  private final Keys keys;

  private MemoryLimitKeys(Keys keys) {
    this.keys = keys;
  }

  /** Reads the settings from {@code keys} and adds invalid values to their problems. */
  static MemoryLimitSettings read(Keys keys, Mode mode, boolean cgroups) {
    return new MemoryLimitKeys(keys).memoryLimit(mode, cgroups);
  }

  /** Reads the settings; without cgroups the mode is off. */
  private MemoryLimitSettings memoryLimit(Mode mode, boolean cgroups) {
    int dirty = keys.number("yarn.nodemanager.charon.memory-limit.dirty-percent", 0, 100);
    return new MemoryLimitSettings(
        keys.mode(MODE, mode, cgroups),
        keys.choice(PAGE_CACHE, PageCachePolicy.class),
        services(),
        keys.number(SYSTEM_PERCENT, 0, 50),
        dirty == 0 ? OptionalInt.empty() : OptionalInt.of(dirty));
  }

  private List<MemoryLimitSettings.Service> services() {
    String value = keys.value(SERVICES);
    List<MemoryLimitSettings.Service> services = new ArrayList<>();
    if (value.equals(NONE)) {
      return services;
    }
    for (String entry : value.split("\\s*,\\s*", -1)) {
      Matcher service = SERVICE_RIGHT.matcher(entry);
      if (!service.matches() || !Keys.isCgroupPattern(service.group(1))) {
        keys.wrong(
            SERVICES,
            value,
            "none, or a list of cgroups with bytes or all, such as"
                + " /system.slice/postgresql*.service=all");
        return List.of();
      }
      services.add(
          new MemoryLimitSettings.Service(
              service.group(1),
              service.group(2).equals(ALL) ? Holder.ALL : Long.parseLong(service.group(2))));
    }
    return services;
  }
}
