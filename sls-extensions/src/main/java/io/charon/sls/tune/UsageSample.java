/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune;

import java.util.OptionalDouble;

/**
 * One value of one series.
 *
 * @param series name of the series
 * @param nanos time of the sample; increases within a series
 * @param value usage of the foreground; empty if the table has none for this time
 * @param capacity total capacity; empty if it is the peak of the series
 */
record UsageSample(String series, long nanos, OptionalDouble value, OptionalDouble capacity) {}
