/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Virtual time: one queue of events, one thread, no wall clock, and random numbers from named,
 * seeded streams. This package knows nothing about clusters.
 */
package io.charon.sls.engine;
