/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune;

import java.nio.file.Path;
import java.util.List;

/**
 * The settings of an analysis.
 *
 * @param regulator the tuned regulator
 * @param files tables of usage
 * @param format format of the tables
 * @param windows windows in seconds; positive
 * @param stdFactors standard deviations reserved above the mean; not negative
 * @param budget violations that the worst series may have
 * @param leastSamples series with fewer samples are left out
 * @param strict whether the first bad row ends the analysis
 */
public record TuneRequest(
    TunedRegulator regulator,
    List<Path> files,
    TableFormat format,
    List<Double> windows,
    List<Double> stdFactors,
    long budget,
    int leastSamples,
    boolean strict) {}
