import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { connect as connectPlain, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { isHearthError } from "@hearth/protocol";
import type { Connection } from "../../../cells/egress/network/network.ts";
import { createAuthority } from "./authority.ts";
import { createTls } from "./tls.ts";

/**
 * A carrier that counts bytes. As with a link's stream, bytes that the cell's side has not read are
 * not read from the house either.
 */
interface Counted extends Connection {
  /** `held`: writes wait for this promise. */
  readonly counts: { written: number; read: number; held?: Promise<void> };
}

let folder: string;
let server: Server;
const sockets: Socket[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-tls-"));
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
  rmSync(folder, { recursive: true });
});

const toCarrier = (socket: Socket): Counted => {
  const counts: Counted["counts"] = { written: 0, read: 0 };
  socket.on("error", () => {});
  return {
    counts,
    bytes: (async function* () {
      for await (const bytes of socket.iterator({ destroyOnReturn: false })) {
        counts.read += bytes.length;
        yield bytes as Uint8Array;
      }
    })(),
    async write(bytes) {
      counts.written += bytes.length;
      await counts.held;
      if (!socket.writable) throw new Error("gone");
      if (!socket.write(bytes)) await new Promise((resolve) => socket.once("drain", resolve).once("close", resolve));
    },
    end: () => void socket.end(),
    reset: () => void socket.destroy(),
  };
};

/** Connects a platform client with `servername` to the house's end for `host`. */
const meet = async (host: string, client: object) => {
  const tls = createTls(createAuthority({ folder, now: Date.now }));
  const ca = await tls.certificate();
  const carrier = Promise.withResolvers<Counted>();
  server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket);
    carrier.resolve(toCarrier(socket));
  });
  const port = await new Promise<number>((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port)),
  );
  const raw = connectPlain({ host: "127.0.0.1", port });
  sockets.push(raw);
  const socket: TLSSocket = connectTls({ socket: raw, ca, ALPNProtocols: ["h2", "http/1.1"], ...client });
  socket.on("error", () => {});
  sockets.push(socket);
  const own = await carrier.promise;
  const plain = await tls.terminate(own, host).catch((error: unknown) => (isHearthError(error) ? error.code : error));
  return { socket, plain, carrier: own };
};

const isConnection = (plain: unknown): plain is Connection =>
  typeof plain === "object" && plain !== null && "bytes" in plain;
const opened = async (host: string, client: object) => {
  const met = await meet(host, client);
  if (!isConnection(met.plain)) throw new Error(String(met.plain));
  return { ...met, plain: met.plain };
};

describe("the house's end of TLS", () => {
  test("is trusted for the requested host, and offers only HTTP/1.1", async () => {
    const { socket, plain } = await opened("a.example", { servername: "a.example" });
    socket.write("from the cell");
    const reader = plain.bytes[Symbol.asyncIterator]();
    expect(new TextDecoder().decode((await reader.next()).value)).toBe("from the cell");
    await plain.write(new TextEncoder().encode("from the house"));
    plain.end();
    let text = "";
    for await (const bytes of socket) text += String(bytes);
    expect([text, socket.alpnProtocol, socket.authorized]).toEqual(["from the house", "http/1.1", true]);
  });

  test("works for an address", async () => {
    const { socket } = await opened("93.184.216.34", { host: "93.184.216.34" });
    expect(socket.authorized).toBe(true);
  });

  test("refuses another host or none, and fails for bytes that are not TLS", async () => {
    expect((await meet("a.example", { servername: "b.example", rejectUnauthorized: false })).plain).toBe(
      "egress.refused",
    );
    server.close();
    expect((await meet("a.example", { servername: "", rejectUnauthorized: false })).plain).toBe("egress.refused");
    server.close();
    const tls = createTls(createAuthority({ folder, now: Date.now }));
    const bytes = (async function* () {
      yield new TextEncoder().encode("\x16 no hello at all, and long enough to be read as a hello that it is not");
    })();
    const failure: unknown = await tls
      .terminate({ bytes, write: async () => {}, end: () => {}, reset: () => {} }, "a.example")
      .catch((error: unknown) => error);
    expect(isHearthError(failure, "egress.failed")).toBe(true);
  });

  test("applies backpressure in both directions", async () => {
    const { socket, plain, carrier } = await opened("a.example", { servername: "a.example" });
    const size = 16 * 1024 * 1024;
    const sending = new Promise((resolve) => socket.write(new Uint8Array(size), resolve));
    const turns = async () => {
      for (let turn = 0; turn < 300; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    };
    await turns();
    expect(carrier.counts.read).toBeLessThan(2 * 1024 * 1024);
    let read = 0;
    for await (const bytes of plain.bytes) {
      read += bytes.length;
      if (read >= size) break;
    }
    await sending;
    const held = Promise.withResolvers<void>();
    carrier.counts.held = held.promise;
    let written = 0;
    const writing = (async () => {
      for (; written < 64; written += 1) await plain.write(new Uint8Array(1024 * 1024));
    })().catch(() => {});
    await turns();
    expect(written).toBe(0);
    held.resolve();
    for await (const _ of socket) if (written > 8) break;
    plain.reset();
    await writing;
  });
});
