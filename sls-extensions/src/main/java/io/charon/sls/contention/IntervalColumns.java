/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.contention;

import io.charon.sls.tune.TimeUnitOfTable;
import java.util.Optional;

/**
 * What the user says about the columns of a table of intervals; what is empty is found by the
 * columns' names.
 *
 * @param time column of the time
 * @param timeUnit unit of a time that is a number
 * @param value column of what may suffer
 * @param load column of what the service does
 * @param bestEffort column of what best-effort uses
 * @param service column that tells services apart; empty: all rows are one service
 */
public record IntervalColumns(
    Optional<String> time,
    Optional<TimeUnitOfTable> timeUnit,
    Optional<String> value,
    Optional<String> load,
    Optional<String> bestEffort,
    Optional<String> service) {}
