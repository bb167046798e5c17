/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * Measures how soon an operator's order to stop best-effort ends its launches, on a node and in the
 * cluster.
 */
package io.charon.evaluation.stop;
