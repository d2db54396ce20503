/**
 * A network that a test controls: each dial reaches a peer that the test plays. A TLS handshake of
 * this network is only a host name that is sent first.
 */
import { createMailbox, HearthError } from "@hearth/protocol";
import { createByteReader } from "../byte-reader.ts";
import type { Connection, DialRequest, Network, Tls } from "./network.ts";

export interface FakeNetwork extends Network {
  /** The dialled addresses, in order. */
  readonly dialRequests: readonly DialRequest[];
}

/**
 * Creates the network. `answer` plays the peer. It throws to simulate a missing peer, or a
 * certificate for another host.
 */
export const createFakeNetwork = (answer: (far: Connection, request: DialRequest) => void): FakeNetwork => {
  const dialRequests: DialRequest[] = [];
  return {
    dialRequests,
    async dial(request, signal) {
      dialRequests.push(request);
      const [near, far] = createConnectionPair();
      if (signal.aborted) throw new HearthError("egress.failed", `The connection to ${request.address} was aborted.`);
      answer(far, request);
      return near;
    },
  };
};

/** Maximum number of bytes in one direction that a writer sends before it waits. */
const WINDOW_BYTES = 64 * 1024;

/** Creates the two ends of a connection in memory. */
export const createConnectionPair = (): readonly [Connection, Connection] => {
  const [first, second] = [createDirection(), createDirection()];
  const reset = (): void => {
    for (const direction of [first, second]) direction.fail();
  };
  return [
    { bytes: first.bytes, write: second.write, end: second.end, reset },
    { bytes: second.bytes, write: first.write, end: first.end, reset },
  ];
};

const createDirection = () => {
  const mailbox = createMailbox<Uint8Array>();
  let unreadBytes = 0;
  let isOver = false;
  let space = Promise.withResolvers<void>();
  const read = async function* (): AsyncGenerator<Uint8Array> {
    for await (const bytes of mailbox) {
      yield bytes;
      unreadBytes -= bytes.length;
      space.resolve();
    }
  };
  return {
    bytes: read(),
    async write(bytes: Uint8Array): Promise<void> {
      while (unreadBytes > WINDOW_BYTES && !isOver) {
        space = Promise.withResolvers();
        await space.promise;
      }
      if (isOver) throw lostError();
      unreadBytes += bytes.length;
      mailbox.put(bytes.slice());
    },
    end(): void {
      isOver = true;
      mailbox.close();
    },
    fail(): void {
      isOver = true;
      mailbox.close(lostError());
      space.resolve();
    },
  };
};

const lostError = (): HearthError => new HearthError("egress.failed", "The connection was reset.");

/** Returns the bytes that a client of the fake sends instead of a handshake. */
export const fakeHandshake = (name: string): Uint8Array => new TextEncoder().encode(`\x16${name}\n`);

/** Creates a fake of TLS: all bytes after the host name are plain text. */
export const createFakeTls = (): Tls => ({
  certificate: async () => "-----BEGIN CERTIFICATE-----\nfake\n-----END CERTIFICATE-----\n",
  async terminate(connection, host) {
    const reader = createByteReader(connection.bytes);
    let handshake = "";
    while (!handshake.endsWith("\n")) {
      const byte = await reader.readSome(1);
      if (byte === undefined) throw new HearthError("egress.failed", "The client does not use TLS.");
      handshake += String.fromCharCode(byte[0] ?? 0);
    }
    if (handshake !== `\x16${host}\n`)
      throw new HearthError(
        "egress.refused",
        `The connection is for ${host}, but its TLS handshake names another host.`,
      );
    return { ...connection, bytes: reader.remainingBytes() };
  },
});
