/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * One node in virtual time: what containers use, how far they are, how memory pressure slows them,
 * who dies. Pure: time and randomness come in as arguments; no Hadoop.
 */
package io.charon.sls.node;
