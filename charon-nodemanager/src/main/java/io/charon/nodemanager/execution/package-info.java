/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * Mechanisms on a live node: they decide by what sensors read, and one executor carries out what
 * all of them want, in one order, with one audit.
 */
package io.charon.nodemanager.execution;
