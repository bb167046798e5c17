/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.llc;

import java.util.Set;
import java.util.function.Supplier;

/**
 * The ids of the running containers of both sides.
 *
 * @param bestEffort the current best-effort containers
 * @param production the current production containers, including promoted ones
 */
public record RunningIds(Supplier<Set<String>> bestEffort, Supplier<Set<String>> production) {}
