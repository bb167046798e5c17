/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Workloads for the simulator: from traces, from a generator that needs no trace, and their file
 * format. Traces are untrusted input: every reader bounds its memory, reports errors with file and
 * line, and writes only the output file.
 */
package io.charon.sls.trace;
