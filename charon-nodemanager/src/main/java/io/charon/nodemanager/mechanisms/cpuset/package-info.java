/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * The cores on which best-effort runs. {@code BestEffortCpuset} puts the law together, {@link
 * io.charon.core.law.CoresRegulator}, which chooses the cores, with {@code CpusetWriter}, which
 * writes them. It does not know which other mechanisms limit processors.
 */
package io.charon.nodemanager.mechanisms.cpuset;
