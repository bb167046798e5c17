/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * What a ResourceManager loads: {@link io.charon.scheduler.resourcemanager.BestEffortProcessor}
 * rewrites the requests of best-effort applications to OPPORTUNISTIC ones, and {@code
 * BestEffortQuotaFilter} passes on as many as limits and shares allow, on nodes that have not just
 * evicted. The filters and pages of its web server are here as well: the stop of the cluster,
 * shared peaks, and the state of the cluster.
 *
 * <p>Whether a container starts is decided on its node, of which this package knows only what YARN
 * tells. No failure here fails an ApplicationMaster's call.
 */
package io.charon.scheduler.resourcemanager;
