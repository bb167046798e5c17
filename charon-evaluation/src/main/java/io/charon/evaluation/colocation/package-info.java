/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * {@code bench colocation}: a foreground together with best-effort work on the real kernel, without
 * limits, with static limits and with regulators. A scenario owns one node with its foreground and
 * background. The benchmark alternates between modes, and the report says what each mode cost the
 * foreground and left to the background.
 */
package io.charon.evaluation.colocation;
