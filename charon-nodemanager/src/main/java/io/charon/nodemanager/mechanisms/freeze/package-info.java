/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * Freeze before kill: {@link io.charon.core.freeze.FreezeRule}, a pure function, decides, and
 * {@link io.charon.nodemanager.mechanisms.freeze.BestEffortFreeze} carries out its decisions.
 */
package io.charon.nodemanager.mechanisms.freeze;
