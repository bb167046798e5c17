/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/** What users get from the simulator: tables as CSV, pictures, and a report that they can show. */
package io.charon.sls.report;
