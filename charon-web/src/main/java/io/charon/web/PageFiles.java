/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web;

import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The files of a page, read once from the jars. Only the files listed here are served: the path of
 * a request is compared with names and never resolved to a file.
 */
public final class PageFiles {
  private static final String HTML = "text/html; charset=utf-8";
  private static final String CSS = "text/css; charset=utf-8";
  private static final String SCRIPT = "text/javascript; charset=utf-8";

  private final Map<String, PageFile> files = new LinkedHashMap<>();

  /**
   * A file as it is sent.
   *
   * @param type content type, with its character set
   * @param body complete content
   */
  @SuppressWarnings("ArrayRecordComponent") // Written to a socket, never compared.
  public record PageFile(String type, byte[] body) {}

  /**
   * Reads the files.
   *
   * @param owner class of the page, whose own files are in the folder {@code page} next to it
   * @throws IOException if a file is missing in the jars
   */
  public PageFiles(Class<?> owner) throws IOException {
    read("", owner, "page/index.html", HTML);
    read("page.js", owner, "page/page.js", SCRIPT);
    read("page.css", PageFiles.class, "page.css", CSS);
    read("parts.js", PageFiles.class, "parts.js", SCRIPT);
    read("icon.svg", PageFiles.class, "icon.svg", "image/svg+xml");
    read("uPlot.min.css", PageFiles.class, "uplot/dist/uPlot.min.css", CSS);
    read("uPlot.iife.min.js", PageFiles.class, "uplot/dist/uPlot.iife.min.js", SCRIPT);
  }

  private void read(String path, Class<?> beside, String name, String type) throws IOException {
    try (InputStream file = beside.getResourceAsStream(name)) {
      if (file == null) {
        throw new IOException("the jar of Charon lacks " + name + " of its web page");
      }
      files.put(path, new PageFile(type, file.readAllBytes()));
    }
  }

  /** The file at a path below the page's own, which is the empty path; empty if there is none. */
  public Optional<PageFile> find(String path) {
    return Optional.ofNullable(files.get(path));
  }
}
