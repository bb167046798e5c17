/** What all results of the simulator and of its tuning share as JSON. */
package io.charon.sls.json;
