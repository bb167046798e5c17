/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

/**
 * The processing time of one production batch.
 *
 * @param startMillis when the batch arrived, milliseconds since 1970
 * @param seconds time that the task spent on the batch
 */
record BatchTime(long startMillis, double seconds) {}
