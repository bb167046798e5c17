/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.freeze;

import io.charon.core.law.RegulatorMode;
import java.time.Duration;

/**
 * When best-effort containers are frozen for lack of memory, and for how long.
 *
 * @param mode what may be done
 * @param thresholdPercent share of the node's memory; while less is available, the newest is frozen
 * @param resumePercent share of the node's memory; once as much is available, the oldest goes on
 * @param limit for how long a container is frozen at most before it is killed
 */
public record PauseSettings(
    RegulatorMode mode, int thresholdPercent, int resumePercent, Duration limit) {}
