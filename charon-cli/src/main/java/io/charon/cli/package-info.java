/** The subcommands of {@code bin/charon}, and how they print. */
package io.charon.cli;
