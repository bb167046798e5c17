/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import io.charon.cli.CommandRunner;
import io.charon.cli.InheritedCommandRunner;
import io.charon.cli.SubcommandProvider;
import io.charon.doctor.ProgramFinder;
import java.nio.file.Path;
import picocli.CommandLine;

/** Adds what developers of Charon type: package and test. */
public final class DistributionCommands implements SubcommandProvider {
  @Override
  public void addTo(CommandLine charon, Path root) {
    ProgramFinder programs = ProgramFinder.onPath(System.getenv("PATH"));
    CommandRunner runner = new InheritedCommandRunner();
    boolean superuser = System.getProperty("user.name").equals("root");
    charon
        .addSubcommand(new PackageCommand(root, System.getenv()))
        .addSubcommand(
            new TestCommand(
                root,
                runner,
                new NativeTests(
                    root,
                    runner,
                    new StreamingScriptRunner(System.out),
                    programs,
                    superuser,
                    NativeTests.KERNEL_TYPES),
                new ShellScripts(root, runner, programs, superuser)));
  }
}
