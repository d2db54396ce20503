/** A network in a test's hand: who dials meets whatever the test plays there. TLS is a name that is said at the beginning. */
import { createMailbox, HearthError } from "@hearth/protocol";
import { createByteReader } from "../byte-reader.ts";
import type { Connection, DialRequest, Network, Tls } from "./network.ts";

export interface FakeNetwork extends Network {
  /** In order. */
  readonly dialled: readonly DialRequest[];
}

/** `answer` plays the far side; it throws where there is nobody, or where its certificate is for somebody else. */
export const createFakeNetwork = (answer: (far: Connection, request: DialRequest) => void): FakeNetwork => {
  const dialled: DialRequest[] = [];
  return {
    dialled,
    async dial(request, signal) {
      dialled.push(request);
      const [near, far] = createConnectionPair();
      if (signal.aborted) throw new HearthError("egress.failed", `${request.address} was given up.`);
      answer(far, request);
      return near;
    },
  };
};

/** Bytes under way in one direction that a writer does not wait for. */
const WINDOW = 64 * 1024;

/** Two ends of one connection in memory. */
export const createConnectionPair = (): readonly [Connection, Connection] => {
  const [one, other] = [createWay(), createWay()];
  const reset = (): void => {
    for (const way of [one, other]) way.fail();
  };
  return [
    { bytes: one.bytes, write: other.write, end: other.end, reset },
    { bytes: other.bytes, write: one.write, end: one.end, reset },
  ];
};

const createWay = () => {
  const mailbox = createMailbox<Uint8Array>();
  let waiting = 0;
  let isOver = false;
  let room = Promise.withResolvers<void>();
  const read = async function* (): AsyncGenerator<Uint8Array> {
    for await (const bytes of mailbox) {
      yield bytes;
      waiting -= bytes.length;
      room.resolve();
    }
  };
  return {
    bytes: read(),
    async write(bytes: Uint8Array): Promise<void> {
      while (waiting > WINDOW && !isOver) {
        room = Promise.withResolvers();
        await room.promise;
      }
      if (isOver) throw lost();
      waiting += bytes.length;
      mailbox.put(bytes.slice());
    },
    end(): void {
      isOver = true;
      mailbox.close();
    },
    fail(): void {
      isOver = true;
      mailbox.close(lost());
      room.resolve();
    },
  };
};

const lost = (): HearthError => new HearthError("egress.failed", "The connection was given up.");

/** What a client of the fake says instead of a handshake. */
export const fakeHandshake = (name: string): Uint8Array => new TextEncoder().encode(`\x16${name}\n`);

/** After the name everything is plain. */
export const createFakeTls = (): Tls => ({
  certificate: async () => "-----BEGIN CERTIFICATE-----\nfake\n-----END CERTIFICATE-----\n",
  async terminate(connection, host) {
    const reader = createByteReader(connection.bytes);
    let said = "";
    while (!said.endsWith("\n")) {
      const byte = await reader.some(1);
      if (byte === undefined) throw new HearthError("egress.failed", "It speaks no TLS.");
      said += String.fromCharCode(byte[0] ?? 0);
    }
    if (said !== `\x16${host}\n`)
      throw new HearthError("egress.refused", `It is for ${host} and asks for another host.`);
    return { ...connection, bytes: reader.rest() };
  },
});
