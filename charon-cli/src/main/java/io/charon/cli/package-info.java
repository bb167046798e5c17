/** The subcommands of {@code bin/charon}, and their output. */
package io.charon.cli;
