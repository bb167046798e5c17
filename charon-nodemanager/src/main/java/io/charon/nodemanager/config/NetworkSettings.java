/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The network whose use is regulated.
 *
 * @param device its name; empty for that of the default route
 * @param linkBytesPerSecond what the link carries; empty for what its driver says
 * @param limit how much of it best-effort may have
 */
public record NetworkSettings(
    Optional<String> device, OptionalDouble linkBytesPerSecond, NetworkLimit limit) {}
