/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * An operator stops best-effort: what an order says, and which of several counts. Launches stop
 * with any order; orders differ in what becomes of the containers that run.
 */
package io.charon.core.stop;
