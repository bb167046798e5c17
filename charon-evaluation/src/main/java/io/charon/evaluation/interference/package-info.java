/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * {@code bench interference}: production's speed beside best-effort that grows, reads, writes or
 * starts processes, with and without what Charon puts around best-effort.
 */
package io.charon.evaluation.interference;
