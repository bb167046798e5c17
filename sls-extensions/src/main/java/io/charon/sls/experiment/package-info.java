/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/** Experiment files as users write them: reading, checking, and the runs that follow from them. */
package io.charon.sls.experiment;
