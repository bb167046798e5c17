/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * {@code bench interference}: the speed of production beside best-effort that grows, reads, writes
 * or starts processes, with and without Charon's protections; and {@code bench reclaim}: what
 * proactive reclaim gives best-effort and costs production.
 */
package io.charon.evaluation.interference;
