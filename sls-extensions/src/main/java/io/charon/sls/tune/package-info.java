/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Sensitivity analysis of the regulators: replays recorded usage through the classes that decide on
 * a node, over a grid of windows and std-factors, as Scavenger does in section 6.1.
 *
 * <p>{@link io.charon.sls.tune.UsageTables} reads the tables twice: once for the statistics of the
 * series ({@link io.charon.sls.tune.SeriesSurvey}) and once for the replay ({@link
 * io.charon.sls.tune.GridReplay}). The needed memory grows with the number of series and of cells
 * of the grid, not with the rows.
 */
package io.charon.sls.tune;
