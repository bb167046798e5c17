/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * Asking a daemon's web server: the one way in which Charon does, for commands and for daemons,
 * with time and memory bounded, over https and with Kerberos where the cluster wants that.
 */
package io.charon.web.http;
