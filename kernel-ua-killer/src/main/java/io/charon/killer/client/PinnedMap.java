/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.killer.client;

import com.sun.jna.LastErrorException;
import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One map of the loaded killer, opened through its pin. Keys are numbers of 4 or 8 bytes. */
final class PinnedMap implements AutoCloseable {
  /** An identifier of a cgroup. */
  static final int LONG_KEY = Long.BYTES;

  /** A place in an array. */
  static final int INDEX_KEY = Integer.BYTES;

  private static final int NOT_PERMITTED = 1;
  private static final int NO_SUCH_ENTRY = 2;
  private static final int TOO_MANY = 7;
  private static final int ACCESS_DENIED = 13;

  private final BpfSystemCall bpf;
  private final Path pin;
  private final int descriptor;
  private final int keyBytes;
  private final int valueBytes;

  private PinnedMap(BpfSystemCall bpf, Path pin, int descriptor, int keyBytes, int valueBytes) {
    this.bpf = bpf;
    this.pin = pin;
    this.descriptor = descriptor;
    this.keyBytes = keyBytes;
    this.valueBytes = valueBytes;
  }

  static PinnedMap open(BpfSystemCall bpf, Path pin, boolean writable, int keyBytes, int valueBytes)
      throws KernelKillerException {
    try {
      return new PinnedMap(bpf, pin, bpf.open(pin.toString(), writable), keyBytes, valueBytes);
    } catch (LastErrorException e) {
      throw new KernelKillerException(
          switch (e.getErrorCode()) {
            case NO_SUCH_ENTRY -> pin + " is not there: the kernel killer is not loaded";
            case NOT_PERMITTED, ACCESS_DENIED ->
                pin
                    + " may not be opened by this user: load the kernel killer with --group and this"
                    + " user's group (Linux 5.19 or newer)";
            default -> pin + " cannot be opened: " + e.getMessage();
          },
          e);
    }
  }

  Optional<ByteBuffer> get(long key) throws KernelKillerException {
    Memory place = key(key);
    Memory value = new Memory(valueBytes);
    try {
      bpf.lookup(descriptor, place, value);
      ByteBuffer copy = ByteBuffer.wrap(value.getByteArray(0, valueBytes));
      return Optional.of(copy.order(ByteOrder.nativeOrder()));
    } catch (LastErrorException e) {
      if (e.getErrorCode() == NO_SUCH_ENTRY) {
        return Optional.empty();
      }
      throw failed("read", e);
    } finally {
      Reference.reachabilityFence(place);
      Reference.reachabilityFence(value);
    }
  }

  void put(long key, ByteBuffer bytes) throws KernelKillerException {
    Memory place = key(key);
    Memory value = new Memory(valueBytes);
    value.getByteBuffer(0, valueBytes).put(bytes.duplicate().rewind());
    try {
      bpf.update(descriptor, place, value);
    } catch (LastErrorException e) {
      throw e.getErrorCode() == TOO_MANY
          ? new KernelKillerException(pin + " is full; unregister containers that have ended", e)
          : failed("write", e);
    } finally {
      Reference.reachabilityFence(place);
      Reference.reachabilityFence(value);
    }
  }

  /** Removes an entry; one that is gone already is none. */
  void remove(long key) throws KernelKillerException {
    Memory place = key(key);
    try {
      bpf.delete(descriptor, place);
    } catch (LastErrorException e) {
      if (e.getErrorCode() != NO_SUCH_ENTRY) {
        throw failed("change", e);
      }
    } finally {
      Reference.reachabilityFence(place);
    }
  }

  /** All keys of a map with 8-byte keys; some may be missing while others write. */
  List<Long> keys() throws KernelKillerException {
    List<Long> keys = new ArrayList<>();
    Memory previous = new Memory(LONG_KEY);
    Memory next = new Memory(LONG_KEY);
    Pointer from = Pointer.NULL;
    try {
      while (true) {
        bpf.nextKey(descriptor, from, next);
        keys.add(next.getLong(0));
        previous.setLong(0, next.getLong(0));
        from = previous;
      }
    } catch (LastErrorException e) {
      if (e.getErrorCode() == NO_SUCH_ENTRY) {
        return keys;
      }
      throw failed("list", e);
    }
  }

  /** A value to fill and {@link #put}. */
  ByteBuffer emptyValue() {
    return ByteBuffer.allocate(valueBytes).order(ByteOrder.nativeOrder());
  }

  @Override
  public void close() {
    bpf.close(descriptor);
  }

  private Memory key(long key) {
    Memory memory = new Memory(keyBytes);
    if (keyBytes == INDEX_KEY) {
      memory.setInt(0, (int) key);
    } else {
      memory.setLong(0, key);
    }
    return memory;
  }

  private KernelKillerException failed(String what, LastErrorException cause) {
    return new KernelKillerException(
        "cannot " + what + " " + pin + ": " + cause.getMessage(), cause);
  }
}
