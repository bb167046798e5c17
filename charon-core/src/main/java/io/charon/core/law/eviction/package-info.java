/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Eviction of best-effort containers when best-effort as a whole uses too much of a node: three
 * rules that find a shortage, one order of victims, and one evictor.
 */
package io.charon.core.law.eviction;
