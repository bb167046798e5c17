/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * {@code charon bench cluster}: compares Charon, a threshold policy and stock YARN on a real
 * cluster of several NodeManagers, and measures their effect on production.
 */
package io.charon.evaluation.clusterbench;
