/** Conformance tests of `Network`. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import type { Connection, DialRequest, Network } from "./network.ts";

export interface NetworkHarness extends AsyncDisposable {
  readonly network: Network;
  /** Creates a peer. Returns its address, and the peer's end of the next connection. */
  listen(): Promise<{ readonly at: DialRequest; readonly far: Promise<Connection> }>;
  /** An address without a peer. */
  readonly addressWithoutPeer: DialRequest;
}

export const networkConformance = (name: string, open: () => Promise<NetworkHarness>): void => {
  describe(`network: ${name}`, () => {
    let harness: NetworkHarness;
    const neverAborted = new AbortController().signal;
    beforeEach(async () => {
      harness = await open();
    });
    afterEach(() => harness[Symbol.asyncDispose]());

    const connect = async (): Promise<readonly [Connection, Connection]> => {
      const { at, far } = await harness.listen();
      const near = await harness.network.dial(at, neverAborted);
      return [near, await far];
    };

    test("bytes arrive in both directions, whole and in order, and ending one direction keeps the other", async () => {
      const [near, far] = await connect();
      const bytes = Uint8Array.from({ length: 1_000_000 }, (_, index) => (index * 7) & 255);
      const sending = near.write(bytes).then(() => near.end());
      expect(Buffer.compare(await collect(far.bytes), bytes)).toBe(0);
      await sending;
      await far.write(bytes);
      far.end();
      expect(Buffer.compare(await collect(near.bytes), bytes)).toBe(0);
    });

    test("a writer waits for a slow reader", async () => {
      const [near, far] = await connect();
      const piece = new Uint8Array(1024 * 1024);
      let written = 0;
      const writing = (async () => {
        for (let count = 0; count < 64; count += 1) {
          await near.write(piece);
          written += 1;
        }
        near.end();
      })();
      const reader = far.bytes[Symbol.asyncIterator]();
      await reader.next();
      for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      expect(written).toBeLessThan(32);
      for (let piece = await reader.next(); piece.done !== true; piece = await reader.next()) continue;
      await writing;
      expect(written).toBe(64);
    });

    test("a reset ends both directions for both sides", async () => {
      const [near, far] = await connect();
      near.reset();
      await collect(far.bytes).catch(() => undefined);
      expect(await codeOf(writeOn(near))).toBe("egress.failed");
    });

    test("an address without a peer gives no connection, and neither does an aborted dial", async () => {
      expect(await codeOf(harness.network.dial(harness.addressWithoutPeer, neverAborted))).toBe("egress.failed");
      const { at } = await harness.listen();
      expect(await codeOf(harness.network.dial(at, AbortSignal.abort()))).toBe("egress.failed");
    });
  });
};

const collect = async (pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const collected: Uint8Array[] = [];
  for await (const piece of pieces) collected.push(piece);
  return Buffer.concat(collected);
};

const writeOn = async (connection: Connection): Promise<void> => {
  for (;;) await connection.write(new Uint8Array(1024));
};

const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => "done",
    (error: unknown) => (isHearthError(error) ? error.code : error),
  );
