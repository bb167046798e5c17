/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.web;

import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The files of the page, read from the jar once. Only what is listed here can be had: a path of a
 * request is compared with names and never leads to a file.
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
   * @param body all of it
   */
  @SuppressWarnings("ArrayRecordComponent") // Written to a socket, never compared.
  public record PageFile(String type, byte[] body) {}

  /**
   * Reads the files.
   *
   * @throws IOException if the jar lacks one
   */
  public PageFiles() throws IOException {
    read("", "index.html", HTML);
    read("page.css", "page.css", CSS);
    read("page.js", "page.js", SCRIPT);
    read("icon.svg", "icon.svg", "image/svg+xml");
    read("uPlot.min.css", "uplot/dist/uPlot.min.css", CSS);
    read("uPlot.iife.min.js", "uplot/dist/uPlot.iife.min.js", SCRIPT);
  }

  private void read(String path, String name, String type) throws IOException {
    try (InputStream file = PageFiles.class.getResourceAsStream(name)) {
      if (file == null) {
        throw new IOException("the jar of Charon lacks " + name + " of its web page");
      }
      files.put(path, new PageFile(type, file.readAllBytes()));
    }
  }

  /** The file at a path below the page's own, which is the empty one; nothing for all others. */
  public Optional<PageFile> find(String path) {
    return Optional.ofNullable(files.get(path));
  }
}
