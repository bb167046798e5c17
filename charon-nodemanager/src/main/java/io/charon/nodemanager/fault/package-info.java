/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Fault isolation: the parts of a loop are guarded separately, so that a failing part does not stop
 * the others, and each distinct fault is logged once.
 */
package io.charon.nodemanager.fault;
