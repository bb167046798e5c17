/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import java.util.OptionalLong;

/**
 * Times of a kill as the killer itself knows them, CLOCK_MONOTONIC nanoseconds.
 *
 * @param decisionNanos time of the decision
 * @param lastSignalNanos time after the last SIGKILL was sent; empty if the killer does not report
 *     it
 */
record KillTimes(long decisionNanos, OptionalLong lastSignalNanos) {}
