/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * What the web pages of a node and of the cluster share: who may see them, their files, the parts
 * that they are built from, and the stream of their status. Knows servlets and Hadoop's web server,
 * not YARN.
 */
package io.charon.web;
