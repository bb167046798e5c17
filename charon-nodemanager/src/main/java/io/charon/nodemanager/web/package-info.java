/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * What browsers and scrapers get from a node: files of the page and the stream of its status. Knows
 * servlets, not YARN.
 */
package io.charon.nodemanager.web;
