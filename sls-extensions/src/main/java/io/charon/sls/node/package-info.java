/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * One node in virtual time: the memory use and progress of its containers, their slowdown by memory
 * pressure, and kills. The code is pure: time and random numbers are arguments, and it does not
 * depend on Hadoop.
 */
package io.charon.sls.node;
