/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.contention;

import io.charon.sls.tune.TimeUnitOfTable;
import java.util.Optional;

/**
 * The columns that the user named for a table of intervals; an empty one is found by its usual
 * names.
 *
 * @param time column of the time
 * @param timeUnit unit of a numeric time
 * @param value column of the value that may suffer
 * @param load column of the service's load
 * @param bestEffort column of best-effort's use
 * @param service column that distinguishes services; if empty, all rows belong to one service
 */
public record IntervalColumns(
    Optional<String> time,
    Optional<TimeUnitOfTable> timeUnit,
    Optional<String> value,
    Optional<String> load,
    Optional<String> bestEffort,
    Optional<String> service) {}
