/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * {@code bench colocation}: a foreground beside best-effort work on the real kernel, without
 * limits, with static ones and with regulators. A scenario owns one node, its foreground and its
 * background; the bench takes turns among modes; the report says what each mode cost the foreground
 * and left to the background.
 */
package io.charon.evaluation.colocation;
