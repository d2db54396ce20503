/**
 * Terminates TLS inside a cell's connection, over any byte stream. The runtime's TLS has no
 * backpressure, so this module adds it.
 */
import { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";
import { createMailbox, HearthError } from "@hearth/protocol";
import { parseAddress } from "../../../policy/network/address.ts";
import type { Connection, Tls } from "../../../cells/egress/network/network.ts";
import type { Authority } from "./authority.ts";

/** Maximum number of bytes that wait for the reader or the carrier. */
const MAX_WAITING_BYTES = 256 * 1024;
const MAX_PIECE_BYTES = 64 * 1024;

export const createTls = (authority: Authority): Tls => ({
  certificate: () => authority.certificate(),

  async terminate(connection, host) {
    const { key, certificate } = await authority.leafFor(host);
    const waitingBytes = createWaitingBytes();
    const carrier = createCarrier(connection, waitingBytes.hasRoom);
    const options = {
      isServer: true,
      key,
      cert: certificate,
      ALPNProtocols: ["http/1.1"],
    } as const;
    // The types accept only sockets, but the runtime accepts any stream.
    const socket = new TLSSocket(carrier as never, options);
    const cleartext = createMailbox<Uint8Array>();
    socket.on("data", (bytes: Uint8Array) => {
      waitingBytes.add(bytes.length);
      cleartext.put(bytes);
    });
    socket.on("end", () => cleartext.close());
    const handshake = Promise.withResolvers<void>();
    const fail = (error?: Error): void => {
      const failure = new HearthError("egress.failed", "The TLS connection of the cell failed.", { cause: error });
      handshake.reject(failure);
      cleartext.close(failure);
      carrier.destroy();
    };
    socket.on("error", fail);
    socket.on("close", () => fail());
    socket.on("secure", () => handshake.resolve());
    await handshake.promise;
    const serverName = (socket as { readonly servername?: string | false }).servername;
    // For an address, clients send no server name.
    const isExpectedName =
      parseAddress(host) === undefined
        ? serverName === host
        : serverName === undefined || serverName === false || serverName === host;
    if (!isExpectedName) {
      socket.destroy();
      throw new HearthError(
        "egress.refused",
        `The connection is for ${host}, but its TLS handshake names another host.`,
      );
    }
    return toConnection(socket, carrier, cleartext, waitingBytes);
  },
});

const toConnection = (
  socket: TLSSocket,
  carrier: Duplex,
  cleartext: AsyncIterable<Uint8Array>,
  waitingBytes: WaitingBytes,
): Connection => {
  const closed = new Promise<void>((resolve) => {
    socket.once("close", () => resolve());
  });
  const read = async function* (): AsyncGenerator<Uint8Array> {
    for await (const bytes of cleartext) {
      yield bytes;
      waitingBytes.remove(bytes.length);
    }
  };
  return {
    bytes: read(),
    async write(bytes) {
      for (let offset = 0; offset < bytes.length; offset += MAX_PIECE_BYTES) {
        if (socket.destroyed) throw new HearthError("egress.failed", "The TLS connection of the cell is closed.");
        // The callback runs when the bytes are encrypted, whether or not the carrier has taken
        // them.
        const piece = bytes.subarray(offset, offset + MAX_PIECE_BYTES);
        await Promise.race([
          closed,
          new Promise<void>((resolve) => {
            socket.write(piece, () => resolve());
          }),
        ]);
        await untilDrained(carrier);
      }
    },
    end: () => {
      socket.end();
    },
    reset() {
      socket.destroy();
      carrier.destroy();
    },
  };
};

/** The stream below TLS. It passes bytes on only while the decrypted output has room. */
const createCarrier = (connection: Connection, hasRoom: () => Promise<void>): Duplex => {
  const source = connection.bytes[Symbol.asyncIterator]();
  const carrier: Duplex = new Duplex({
    read() {
      const pushNext = async (): Promise<void> => {
        await hasRoom();
        const { done, value } = await source.next();
        carrier.push(done === true ? null : value);
      };
      pushNext().catch((error: Error) => carrier.destroy(error));
    },
    write(bytes: Uint8Array, _encoding, done) {
      connection.write(bytes).then(
        () => done(),
        (error: Error) => done(error),
      );
    },
  });
  return carrier;
};

/** Resolves when the carrier has room again or is closed. */
const untilDrained = async (carrier: Duplex): Promise<void> => {
  while (carrier.writableLength > MAX_WAITING_BYTES && !carrier.destroyed) {
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        for (const name of ["drain", "close"]) carrier.off(name, wake);
        resolve();
      };
      for (const name of ["drain", "close"]) carrier.on(name, wake);
    });
  }
};

interface WaitingBytes {
  add(size: number): void;
  remove(size: number): void;
  hasRoom(): Promise<void>;
}

const createWaitingBytes = (): WaitingBytes => {
  let count = 0;
  let roomFreed: PromiseWithResolvers<void> | undefined;
  return {
    add(size) {
      count += size;
    },
    remove(size) {
      count -= size;
      if (count <= MAX_WAITING_BYTES) roomFreed?.resolve();
    },
    hasRoom() {
      if (count <= MAX_WAITING_BYTES) return Promise.resolve();
      roomFreed = Promise.withResolvers();
      return roomFreed.promise;
    },
  };
};
