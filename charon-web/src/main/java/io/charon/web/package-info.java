/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * The common parts of the web pages of a node and of the cluster: access control, their files, the
 * elements that they are built from, and the stream of their status. Depends on servlets and
 * Hadoop's web server, not on YARN.
 */
package io.charon.web;
