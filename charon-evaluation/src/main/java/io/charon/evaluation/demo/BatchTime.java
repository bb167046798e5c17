/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

/**
 * A batch of production.
 *
 * @param startMillis when it arrived, milliseconds since 1970
 * @param seconds how long the task worked on it
 */
record BatchTime(long startMillis, double seconds) {}
