/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * What demo and benchmarks change on this machine, and the certain removal of all of it: swap, the
 * kernel UA killer, and whatever else is registered with {@link
 * io.charon.evaluation.machine.Cleanup}.
 */
package io.charon.evaluation.machine;
