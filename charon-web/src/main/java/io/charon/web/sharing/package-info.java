/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * How nodes share measured peaks: the messages, which both sides check and bound, and the peaks
 * that the ResourceManager keeps. This package uses neither network nor clock.
 */
package io.charon.web.sharing;
