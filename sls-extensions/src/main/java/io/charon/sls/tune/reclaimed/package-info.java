/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Evaluates predictors of production's use on recorded series: how much they would have given to
 * best-effort, and how often that was too much.
 *
 * <p>{@link io.charon.sls.tune.reclaimed.UsageTable} names the tables, {@link
 * io.charon.sls.tune.reclaimed.SeriesReader} turns one into five-minute series, and {@link
 * io.charon.sls.tune.reclaimed.ReclaimedTuning} replays them. One table is in memory at a time.
 */
package io.charon.sls.tune.reclaimed;
