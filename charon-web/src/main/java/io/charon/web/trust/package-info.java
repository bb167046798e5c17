/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * Files by which an operator tells a daemon what to do at run time. They are trusted only if no
 * other user could have written them.
 */
package io.charon.web.trust;
