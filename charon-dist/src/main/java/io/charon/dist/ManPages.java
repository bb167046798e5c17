/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Generates manual pages (man(7)) from the descriptions that {@code --help} shows, in one step.
 * Picocli's own generator writes AsciiDoc, which only asciidoctor (JRuby in a Maven build) turns
 * into a manual page.
 */
public final class ManPages {
  private final String version;
  private final LocalDate date;

  private ManPages(String version, LocalDate date) {
    this.version = version;
    this.date = date;
  }

  /**
   * Returns the pages of a command and of all commands below it.
   *
   * @param version version of Charon
   * @param date date on the pages
   * @return pages by file name, such as {@code charon-status.1}
   */
  public static SortedMap<String, String> of(CommandLine command, String version, LocalDate date) {
    SortedMap<String, String> pages = new TreeMap<>();
    new ManPages(version, date).collect(command, pages);
    return pages;
  }

  private void collect(CommandLine command, Map<String, String> pages) {
    CommandSpec spec = command.getCommandSpec();
    pages.put(spec.qualifiedName("-") + ".1", page(command));
    command.getSubcommands().values().forEach(child -> collect(child, pages));
  }

  private String page(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    UsageMessageSpec usage = spec.usageMessage();
    String name = spec.qualifiedName("-");
    List<String> summary = texts(usage.header().length > 0 ? usage.header() : usage.description());
    Roff roff = new Roff();
    roff.title(name, date, version);
    roff.section("NAME");
    roff.text(name + " - " + summary.get(0));
    roff.section("SYNOPSIS");
    roff.verbatim(new Help(spec, Help.defaultColorScheme(Ansi.OFF)).synopsis(0));
    roff.section("DESCRIPTION");
    texts(usage.description()).forEach(roff::text);
    parameters(spec, roff);
    options(spec, roff);
    commands(command, roff);
    if (!usage.exitCodeList().isEmpty()) {
      roff.section("EXIT STATUS");
      usage.exitCodeList().forEach(roff::item);
    }
    if (usage.footer().length > 0) {
      roff.section("EXAMPLES");
      roff.verbatim(lines(String.join("\n", usage.footer())));
    }
    return roff.toString();
  }

  private static void parameters(CommandSpec spec, Roff roff) {
    if (spec.positionalParameters().isEmpty()) {
      return;
    }
    roff.section("PARAMETERS");
    for (PositionalParamSpec parameter : spec.positionalParameters()) {
      if (!parameter.hidden()) {
        roff.item(parameter.paramLabel(), description(parameter));
      }
    }
  }

  private static void options(CommandSpec spec, Roff roff) {
    roff.section("OPTIONS");
    for (OptionSpec option : spec.options()) {
      if (!option.hidden()) {
        String label = option.arity().max() > 0 ? "=" + option.paramLabel() : "";
        roff.item(String.join(", ", option.names()) + label, description(option));
      }
    }
  }

  private static void commands(CommandLine command, Roff roff) {
    if (command.getSubcommands().isEmpty()) {
      return;
    }
    roff.section("COMMANDS");
    for (CommandLine child : command.getSubcommands().values()) {
      UsageMessageSpec usage = child.getCommandSpec().usageMessage();
      roff.item(
          child.getCommandSpec().qualifiedName("-") + "(1)",
          String.join(" ", texts(usage.header())));
    }
  }

  private static String description(ArgSpec argument) {
    String text = String.join(" ", texts(argument.description()));
    if (argument.defaultValue() != null) {
      text = text.replace("${DEFAULT-VALUE}", argument.defaultValue());
    }
    if (argument.completionCandidates() != null) {
      List<String> candidates = new ArrayList<>();
      argument.completionCandidates().forEach(candidates::add);
      text = text.replace("${COMPLETION-CANDIDATES}", String.join(", ", candidates));
    }
    return text;
  }

  /** Returns what picocli prints: its texts are format strings, in which %n ends a line. */
  private static String lines(String format) {
    return format.replace("%n", "\n").replace("%%", "%");
  }

  /** Returns the lines that are not empty, each of which is a paragraph. */
  private static List<String> texts(String[] formats) {
    List<String> paragraphs = new ArrayList<>();
    for (String format : formats) {
      lines(format)
          .lines()
          .map(String::strip)
          .filter(line -> !line.isEmpty())
          .forEach(paragraphs::add);
    }
    return paragraphs;
  }
}
