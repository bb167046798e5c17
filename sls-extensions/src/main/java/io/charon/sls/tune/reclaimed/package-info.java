/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * What predictors of production's use would have promised to best-effort on recorded series, and
 * how often that was too much.
 *
 * <p>{@link io.charon.sls.tune.reclaimed.UsageTable} names the tables, {@link
 * io.charon.sls.tune.reclaimed.SeriesReader} makes five-minute series of one, {@link
 * io.charon.sls.tune.reclaimed.ReclaimedTuning} replays them. One table is in memory at a time.
 */
package io.charon.sls.tune.reclaimed;
