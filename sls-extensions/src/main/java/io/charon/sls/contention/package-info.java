/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Decides with a known significance, from recorded measurements, whether best-effort work slows a
 * production service down, and checks the method on synthetic services whose effect is known.
 */
package io.charon.sls.contention;
