/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The network device whose use is regulated.
 *
 * @param device its name; empty for the device of the default route
 * @param linkBytesPerSecond bandwidth of the link; empty: as reported by its driver
 * @param limit the share of it that best-effort may use
 */
public record NetworkSettings(
    Optional<String> device, OptionalDouble linkBytesPerSecond, NetworkLimit limit) {}
