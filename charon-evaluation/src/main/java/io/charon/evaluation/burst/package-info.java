/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * Measures the delay that a CPU quota causes for work in bursts, and how much of it a token bucket
 * removes.
 */
package io.charon.evaluation.burst;
