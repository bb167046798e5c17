/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/** What a CPU quota costs work that comes in bursts, and what a bucket gives back of it. */
package io.charon.evaluation.burst;
