/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * The changes that demo and benchmarks make to this machine, and their reliable removal: swap, the
 * kernel UA killer, and everything else registered with {@link
 * io.charon.evaluation.machine.Cleanup}.
 */
package io.charon.evaluation.machine;
