/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Whether best-effort work slows a production service down: a verdict with significance on what was
 * recorded, and the synthetic truth that it is held against.
 */
package io.charon.sls.contention;
