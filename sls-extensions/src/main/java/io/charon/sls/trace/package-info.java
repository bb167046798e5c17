/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Workloads for the simulator: from traces, from a generator that needs none, and the file format
 * in between. Traces are untrusted input: every reader bounds what it keeps, names file and line,
 * and writes nothing but the output file.
 */
package io.charon.sls.trace;
