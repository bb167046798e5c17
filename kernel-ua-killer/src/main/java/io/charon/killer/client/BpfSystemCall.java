/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.killer.client;

import com.sun.jna.LastErrorException;
import com.sun.jna.Library;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import com.sun.jna.Platform;
import com.sun.jna.Pointer;
import java.lang.ref.Reference;

/**
 * The system call bpf(2), as far as a process without privileges may use it: opening pinned maps
 * and reading and writing their entries. Since Linux 5.19 the file permissions of the pin decide,
 * whatever kernel.unprivileged_bpf_disabled says.
 */
final class BpfSystemCall {
  private interface LibC extends Library {
    NativeLong syscall(NativeLong number, Object... arguments) throws LastErrorException;

    int close(int descriptor);
  }

  private static final int MAP_LOOKUP_ELEMENT = 1;
  private static final int MAP_UPDATE_ELEMENT = 2;
  private static final int MAP_DELETE_ELEMENT = 3;
  private static final int MAP_GET_NEXT_KEY = 4;
  private static final int OBJECT_GET = 7;
  private static final int READ_ONLY = 1 << 3;

  private static final int NUMBER_X86_64 = 321;
  private static final int NUMBER_AARCH64 = 280;

  /** Attributes of an element call: descriptor, key, value or next key, flags. */
  private static final int ELEMENT_ATTRIBUTES = 32;

  private static final int KEY = 8;
  private static final int VALUE = 16;

  /** Attributes of opening a pin: path, descriptor, flags. */
  private static final int OPEN_ATTRIBUTES = 16;

  private static final int OPEN_FLAGS = 12;

  private final LibC libc;
  private final NativeLong number;

  private BpfSystemCall(LibC libc, int number) {
    this.libc = libc;
    this.number = new NativeLong(number);
  }

  /**
   * Binds to the C library of this process.
   *
   * @throws KernelKillerException if this machine has none that is known
   */
  static BpfSystemCall bind() throws KernelKillerException {
    if (!Platform.isLinux() || !(Platform.isIntel() || Platform.isARM()) || !Platform.is64Bit()) {
      throw new KernelKillerException(
          "the kernel killer is for Linux on x86-64 and arm64, not for "
              + Platform.RESOURCE_PREFIX);
    }
    try {
      return new BpfSystemCall(
          Native.load("c", LibC.class), Platform.isARM() ? NUMBER_AARCH64 : NUMBER_X86_64);
    } catch (LinkageError e) { // the first time unsatisfied, later a class that is not there
      throw new KernelKillerException(
          "JNA cannot unpack its native part, mostly because the temporary directory is mounted"
              + " noexec; set -Djna.tmpdir to another one: "
              + e.getMessage(),
          e);
    }
  }

  int open(String pin, boolean writable) throws LastErrorException {
    byte[] text = Native.toByteArray(pin, "UTF-8");
    Memory path = new Memory(text.length);
    path.write(0, text, 0, text.length);
    Memory attributes = cleared(OPEN_ATTRIBUTES);
    attributes.setPointer(0, path);
    attributes.setInt(OPEN_FLAGS, writable ? 0 : READ_ONLY);
    try {
      return call(OBJECT_GET, attributes);
    } finally {
      Reference.reachabilityFence(path); // the kernel reads it through the bare address
    }
  }

  void close(int descriptor) {
    libc.close(descriptor);
  }

  void lookup(int map, Pointer key, Pointer value) throws LastErrorException {
    element(MAP_LOOKUP_ELEMENT, map, key, value);
  }

  void update(int map, Pointer key, Pointer value) throws LastErrorException {
    element(MAP_UPDATE_ELEMENT, map, key, value);
  }

  void delete(int map, Pointer key) throws LastErrorException {
    element(MAP_DELETE_ELEMENT, map, key, Pointer.NULL);
  }

  /** Writes the key that follows; the first one if there is no previous one. */
  void nextKey(int map, Pointer previous, Pointer next) throws LastErrorException {
    element(MAP_GET_NEXT_KEY, map, previous, next);
  }

  private void element(int command, int map, Pointer key, Pointer value) throws LastErrorException {
    Memory attributes = cleared(ELEMENT_ATTRIBUTES);
    attributes.setInt(0, map);
    attributes.setPointer(KEY, key);
    attributes.setPointer(VALUE, value);
    call(command, attributes);
  }

  private int call(int command, Memory attributes) throws LastErrorException {
    return libc.syscall(number, command, attributes, (int) attributes.size()).intValue();
  }

  private static Memory cleared(int bytes) {
    Memory memory = new Memory(bytes);
    memory.clear();
    return memory;
  }
}
