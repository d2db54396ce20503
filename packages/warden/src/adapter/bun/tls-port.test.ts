import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect as connectPlain, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type TLSSocket } from "node:tls";
import { isHearthError } from "@hearth/protocol";
import { until } from "@hearth/protocol/until";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createTestCertificates, type TestCertificates } from "../../fixtures/certificates.ts";
import { checkAddress } from "../../http/doctor.ts";
import type { Connection } from "../../http/arrival.ts";
import type { Http } from "../../http/http.ts";
import type { ServerConfig } from "../../kernel/config/text/server-text.ts";
import { createFakeLog } from "../../kernel/log/log.ts";
import { openPort, serve } from "./serve.ts";
import { openTlsPort, RELOAD_MS } from "./tls-port.ts";
import { createBunWorld } from "./world.ts";

let folder: string;
let files: TestCertificates;
let ends: (() => unknown)[] = [];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "hearth-tls-"));
  files = createTestCertificates(folder);
  await files.renew("localhost");
});
afterEach(async () => {
  for (const end of ends.reverse()) await end();
  ends = [];
  rmSync(folder, { recursive: true });
});

/** Answers with what it knows of the connection. */
const http: Http = {
  handle: async (_request, { address, isTls = false }: Connection = {}) => Response.json({ address, isTls }),
  admit: async () => ({ refusal: new Response(null, { status: 403 }) }),
  connect: () => ({ onMessage: () => {}, onDrain: () => {}, onClose: () => {} }),
  close: () => {},
};

const placeOf = (key: string): string => `hearth.toml at ${key}`;

const CONFIG: ServerConfig = { port: 0, host: "127.0.0.1", loopbackWebhooks: false, trustedProxies: [] };

const open = async (over: Partial<ServerConfig> = {}) => {
  const world = createFakeWorld({ hash: createBunWorld().hash });
  const log = createFakeLog();
  const port = await openPort({
    server: { ...CONFIG, tls: { certificate: "fullchain.pem", key: files.key }, ...over },
    ...{ home: folder, http, log, clock: { now: Date.now, sleep: world.clock.sleep }, placeOf },
  });
  ends.push(() => port.stop());
  const url = new URL(port.reach.publicUrl ?? "");
  const ca = await files.authority();
  const dial = async (): Promise<TLSSocket> => {
    const socket = connect({ host: "127.0.0.1", port: Number(url.port), servername: "localhost", ca });
    ends.push(() => socket.destroy());
    await new Promise<void>((resolve, reject) => {
      socket.once("secureConnect", resolve);
      socket.once("error", reject);
    });
    return socket;
  };
  return {
    ...{ world, log, port, dial, ca },
    problem: () => port.reach.certificate?.().problem,
    fetch: (path = "/") => fetch(`https://localhost:${url.port}${path}`, { tls: { ca } }),
  };
};

/** Sends a request on an open connection and returns the body of its answer. */
const ask = (socket: Socket): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = "";
    const listen = (chunk: Buffer): void => {
      text += chunk.toString();
      const body = /\r\n\r\n(\{.*\})$/.exec(text)?.[1];
      if (body === undefined) return;
      socket.off("data", listen);
      resolve(body);
    };
    socket.on("data", listen);
    socket.once("close", () => reject(new Error(`the connection closed: ${text}`)));
    socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  });

const serialOf = (socket: TLSSocket): string => socket.getPeerCertificate().serialNumber;

test("a request over TLS has its client's address, and one to the local port has none of it", async () => {
  const { port, fetch: ask } = await open();
  expect(await (await ask()).json()).toEqual({ address: "127.0.0.1", isTls: true });
  expect(port.reach.localUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(await (await fetch(port.reach.localUrl)).json()).toEqual({ address: "127.0.0.1", isTls: false });
});

test("a connection from another loopback address is not taken for a client of the TLS port", async () => {
  const clients = new Map<number, string>();
  const plain = serve({ hostname: "127.0.0.1", port: 0, http, clients });
  ends.push(plain.stop);
  const from = async (localAddress: string): Promise<unknown> => {
    const socket = connectPlain({ host: "127.0.0.1", port: plain.port, localAddress });
    ends.push(() => socket.destroy());
    await new Promise<void>((resolve) => void socket.once("connect", () => resolve()));
    clients.set(socket.localPort ?? 0, "203.0.113.7");
    return JSON.parse(await ask(socket));
  };
  expect(await from("127.0.0.1")).toEqual({ address: "203.0.113.7", isTls: true });
  expect(await from("127.0.0.2")).toEqual({ address: "127.0.0.2", isTls: false });
});

test("changed files take effect for new connections, and open ones stay", async () => {
  const { world, log, port, dial, fetch: once } = await open();
  const before = await dial();
  await ask(before);
  await files.renew("localhost");
  const asked = Array.from({ length: 40 }, async () => (await once()).status);
  await world.advance(RELOAD_MS);
  await until(() => log.lines.some((line) => line.includes("another certificate")));
  const after = await dial();
  expect(serialOf(after)).not.toBe(serialOf(before));
  expect(JSON.parse(await ask(before)).isTls).toBe(true);
  expect(await Promise.all(asked)).toEqual(Array(40).fill(200));
  expect(port.reach.certificate?.().problem).toBeUndefined();
});

describe("a bad new pair", () => {
  const breakWith: { readonly [what: string]: () => Promise<void> } = {
    "the key does not belong to the certificate": async () => {
      const old = readFileSync(files.key);
      await files.renew("localhost");
      writeFileSync(files.key, old);
    },
    "the file does not begin with a certificate": async () => writeFileSync(files.certificate, "no certificate"),
    "the file is not a private key": async () => writeFileSync(files.key, ""),
    "cannot read": async () => rmSync(files.key),
    "the certificate expired on": () => files.renew("localhost", Date.now() - 30 * 24 * 60 * 60_000),
  };
  test.each(Object.keys(breakWith))("leaves the last good one in force and says so: %s", async (what) => {
    const { world, log, port, dial, problem } = await open();
    const good = serialOf(await dial());
    await breakWith[what]?.();
    await world.advance(RELOAD_MS);
    await until(() => problem() !== undefined);
    expect(serialOf(await dial())).toBe(good);
    expect(problem()).toContain(what);
    expect(checkAddress(port.reach, Date.now())).toMatchObject({
      ok: false,
      detail: expect.stringContaining("the changed files are not used"),
      fix: expect.stringContaining("tls_cert and tls_key"),
    });
    // Reported once, however often it is read.
    const refusals = () => log.lines.filter((line) => line.includes("certificate files are not used")).length;
    await files.renew("localhost");
    await world.advance(RELOAD_MS);
    await until(() => problem() === undefined);
    expect(refusals()).toBe(1);
    expect(serialOf(await dial())).not.toBe(good);
  });
});

test("a start with a bad pair is refused with the key of the file", async () => {
  writeFileSync(files.key, "no key");
  const refused = await open().catch((error: unknown) => error);
  expect(isHearthError(refused, "config.invalid") && refused.message).toBe(
    "server.tls_key: the file is not a private key in PEM without a passphrase; hearth.toml at tls_key",
  );
});

test("a port that another program uses is named", async () => {
  const { port } = await open({ host: "127.0.0.1" });
  const taken = Number(new URL(port.reach.publicUrl ?? "").port);
  const refused = await open({ host: "127.0.0.1", port: taken }).catch((error: unknown) => error);
  expect(isHearthError(refused, "server.port-taken") && refused.message).toContain(`Port ${taken} on 127.0.0.1`);
});

test("a client that does not finish its handshake is disconnected", async () => {
  const tls = await openTlsPort({
    ...{ hostname: "127.0.0.1", port: 0, files, home: folder, target: 1, clients: new Map() },
    ...{ log: createFakeLog(), clock: createBunWorld().clock, handshakeMs: 50, placeOf },
  });
  ends.push(() => tls.stop());
  for (const first of ["", "GET / HTTP/1.1\r\n\r\n", "\x16\x03\x01"]) {
    const silent = connectPlain({ host: "127.0.0.1", port: tls.port });
    const closed = new Promise<void>((resolve) => void silent.once("close", () => resolve()));
    silent.on("error", () => {});
    silent.resume();
    silent.write(first);
    await closed;
  }
});

test("the addresses follow from the config", async () => {
  const reachOf = async (over: Partial<ServerConfig>) => {
    const { port } = await open(over);
    const { publicUrl, onlyProxies, outside, certificate } = port.reach;
    return { publicUrl, onlyProxies, isOutside: outside !== undefined, isTls: certificate !== undefined };
  };
  const publicUrl = "https://house.example";
  expect(await reachOf({ host: "0.0.0.0", publicUrl })).toEqual({
    ...{ publicUrl, onlyProxies: false, isOutside: true, isTls: true },
  });
  expect((await reachOf({ host: "127.0.0.1" })).publicUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  const { tls: _, ...plain } = { ...CONFIG, host: "0.0.0.0", publicUrl, trustedProxies: ["10.0.0.2"] };
  const port = await openPort({
    ...{ server: plain, home: folder, http, log: createFakeLog(), clock: createBunWorld().clock, placeOf },
  });
  ends.push(() => port.stop());
  expect(port.reach).toMatchObject({ publicUrl, onlyProxies: true });
  expect((await fetch(port.reach.localUrl)).status).toBe(200);
});

test("the doctor says who can connect, and when the certificate ends", async () => {
  const now = Date.now();
  const local = { localUrl: "http://127.0.0.1:1", trustedProxies: [], onlyProxies: false };
  expect(checkAddress(local, now)).toEqual({
    ...{ name: "address", ok: true, detail: "only this machine can connect: http://127.0.0.1:1" },
  });
  const proxied = { ...local, publicUrl: "https://house.example", trustedProxies: ["10.0.0.2"], onlyProxies: true };
  expect(checkAddress({ ...proxied, outside: "0.0.0.0:1" }, now).detail).toBe(
    "https://house.example through 10.0.0.2, and http://127.0.0.1:1 on this machine; 0.0.0.0:1 takes plain connections of other machines",
  );
  const day = 24 * 60 * 60_000;
  for (const [days, ok, words] of [
    [60, true, "is valid for 60 days"],
    [13, false, "is valid for 13 days"],
    [-2, false, "expired 2 days ago"],
  ] as const) {
    const certificate = () => ({ names: "house.example", validUntil: now + days * day });
    const { trustedProxies: _, ...rest } = proxied;
    const check = checkAddress({ ...rest, trustedProxies: [], outside: "0.0.0.0:443", certificate }, now);
    expect([check.ok, check.detail]).toEqual([ok, expect.stringContaining(`for house.example ${words}`)]);
  }
});
