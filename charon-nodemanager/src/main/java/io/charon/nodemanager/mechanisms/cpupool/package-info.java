/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/** Quotas of production containers that share processors, adjusted to the processors' use. */
package io.charon.nodemanager.mechanisms.cpupool;
