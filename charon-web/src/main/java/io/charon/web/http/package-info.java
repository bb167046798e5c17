/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * Requests to a daemon's web server. All of Charon's commands and daemons send them this way:
 * bounded in time and memory, over https and with Kerberos if the cluster demands it.
 */
package io.charon.web.http;
