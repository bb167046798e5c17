/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import java.util.OptionalLong;

/**
 * What the killer itself knows of a kill, CLOCK_MONOTONIC nanoseconds.
 *
 * @param decisionNanos when it decided
 * @param lastSignalNanos when its last SIGKILL had been sent; empty if it does not tell
 */
record KillTimes(long decisionNanos, OptionalLong lastSignalNanos) {}
