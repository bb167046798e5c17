/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;

/**
 * The parts that the processor of an active ResourceManager shares with its web server. The
 * ResourceManager creates both by class name and shares only its context with them, so the parts
 * are found by the context. A failover makes a new context, so this keeps nothing of the old one
 * alive: the parts refer to their context and are held by the processor alone. This is the only
 * static state on the ResourceManager.
 *
 * @param evictions counts the containers that nodes killed or refused
 * @param reload reads the keys again
 */
record ActiveParts(Evictions evictions, KeysReload reload) {
  private static final Map<RMContext, WeakReference<ActiveParts>> BY_CONTEXT =
      Collections.synchronizedMap(new WeakHashMap<>());

  /**
   * Sets the parts of a ResourceManager that has become active, and replaces earlier ones.
   *
   * @param parts held by the caller, for as long as they are to be found
   */
  static void start(RMContext context, ActiveParts parts) {
    BY_CONTEXT.put(context, new WeakReference<>(parts));
  }

  /** Returns the parts of a ResourceManager; empty if it runs without Charon's processor. */
  static Optional<ActiveParts> find(RMContext context) {
    return Optional.ofNullable(BY_CONTEXT.get(context)).map(WeakReference::get);
  }
}
