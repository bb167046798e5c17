/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * The network device through which best-effort sends: which one it is, its speed and its counters
 * in sysfs. The sensor of the traffic and the limit of the traffic share it, so it knows neither of
 * them, and no cgroup.
 */
package io.charon.nodemanager.network;
