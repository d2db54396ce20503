/** The targets that need the machine: a file, and syslog servers with and without TLS. */
import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createEncryptedServer } from "node:tls";
import { createTestCertificates } from "../../../fixtures/certificates.ts";
import { auditTargetConformance } from "../../../kernel/audit/forward/target.conformance.ts";
import { openFileTarget, openSyslogTarget } from "./targets.ts";

const { signal } = new AbortController();
const LINE = '{"kind":"row","offset":1,"type":"step","at":1700000000000}\n';

const openFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-audit-target-"));
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
};

describe("a file", () => {
  test("is created for this user only, and continued after it was moved away", async () => {
    using place = openFolder();
    const path = join(place.folder, "audit.jsonl");
    const target = openFileTarget(path);
    await target.send([LINE], signal);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    renameSync(path, `${path}.1`);
    await target.send([LINE], signal);
    expect([readFileSync(path, "utf8"), readFileSync(`${path}.1`, "utf8")]).toEqual([LINE, LINE]);
  });

  test("with an incomplete last line gets whole lines after it", async () => {
    using place = openFolder();
    const path = join(place.folder, "audit.jsonl");
    writeFileSync(path, LINE);
    appendFileSync(path, LINE.slice(0, 10));
    await openFileTarget(path).send([LINE], signal);
    expect(readFileSync(path, "utf8")).toBe(`${LINE}${LINE.slice(0, 10)}\n${LINE}`);
  });

  test("that is a link is refused, and its target stays as it is", async () => {
    using place = openFolder();
    const [path, other] = [join(place.folder, "audit.jsonl"), join(place.folder, "other")];
    writeFileSync(other, "mine");
    symlinkSync(other, path);
    await expect(openFileTarget(path).send([LINE], signal)).rejects.toThrow();
    expect(readFileSync(other, "utf8")).toBe("mine");
  });
});

auditTargetConformance("file", async () => {
  const place = openFolder();
  const path = join(place.folder, "audit.jsonl");
  return {
    target: openFileTarget(path),
    receivedLines: async () => readFileSync(path, "utf8").trimEnd().split("\n"),
    async breakDown(isBroken) {
      if (isBroken) {
        renameSync(path, `${path}.away`);
        mkdirSync(path);
      } else {
        rmSync(path, { recursive: true });
        renameSync(`${path}.away`, path);
      }
    },
    [Symbol.asyncDispose]: async () => place[Symbol.dispose](),
  };
});

/** Takes messages that are framed by their length. `closes`: it closes its side after the sender. */
const startSyslogServer = async (options: {
  readonly tls?: { cert: string; key: string };
  readonly closes?: boolean;
}) => {
  const { tls, closes = true } = options;
  const messages: string[] = [];
  const sockets = new Set<Socket>();
  const take = (socket: Socket): void => {
    sockets.add(socket);
    let waiting = Buffer.alloc(0);
    socket.on("data", (bytes: Buffer) => {
      waiting = Buffer.concat([waiting, bytes]);
      for (;;) {
        const space = waiting.indexOf(" ");
        const size = Number(waiting.subarray(0, space).toString());
        if (space < 1 || waiting.length < space + 1 + size) return;
        messages.push(waiting.subarray(space + 1, space + 1 + size).toString());
        waiting = waiting.subarray(space + 1 + size);
      }
    });
    socket.on("error", () => {});
    if (closes) socket.on("end", () => socket.end());
  };
  const server =
    tls === undefined
      ? createServer({ allowHalfOpen: true }, take)
      : createEncryptedServer({ ...tls, allowHalfOpen: true }, take);
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve()));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    messages,
    port,
    /** Whether it refuses connections. */
    async breakDown(isBroken: boolean): Promise<void> {
      if (!isBroken) return listen(port);
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
};

const MESSAGE = /^<110>1 (\S+Z) \S+ hearth \d+ step - (\{.*\})$/;
const jsonOf = (message: string): string => MESSAGE.exec(message)?.[2] ?? `not of RFC 5424: ${message}`;

auditTargetConformance("syslog over TCP", async () => {
  const server = await startSyslogServer({});
  return {
    target: openSyslogTarget({ kind: "syslog", host: "127.0.0.1", port: server.port, isEncrypted: false }),
    receivedLines: async () => server.messages.map(jsonOf),
    breakDown: server.breakDown,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
});

const openEncrypted = async () => {
  const place = openFolder();
  const certificates = createTestCertificates(place.folder);
  await certificates.renew("localhost");
  const read = (path: string): string => readFileSync(path, "utf8");
  const server = await startSyslogServer({
    tls: { cert: read(certificates.certificate), key: read(certificates.key) },
  });
  const authority = join(place.folder, "ca.pem");
  writeFileSync(authority, await certificates.authority());
  return {
    ...server,
    config: { kind: "syslog", host: "localhost", port: server.port, isEncrypted: true } as const,
    authority,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      place[Symbol.dispose]();
    },
  };
};

auditTargetConformance("syslog over TLS", async () => {
  const server = await openEncrypted();
  const { config, authority, messages, breakDown } = server;
  return {
    target: openSyslogTarget({ ...config, authority }),
    receivedLines: async () => messages.map(jsonOf),
    breakDown,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
});

describe("syslog", () => {
  test("sends nothing to a server whose certificate is of an unknown authority", async () => {
    await using server = await openEncrypted();
    await expect(openSyslogTarget(server.config).send([LINE], signal)).rejects.toThrow();
    expect(server.messages).toEqual([]);
  });

  test("does not wait for a server that keeps the connection open", async () => {
    await using server = await startSyslogServer({ closes: false });
    const target = { kind: "syslog", host: "127.0.0.1", port: server.port, isEncrypted: false } as const;
    await openSyslogTarget(target, { closeMs: 50 }).send([LINE], signal);
    expect(server.messages.map(jsonOf)).toEqual([LINE.trimEnd()]);
  });

  test("ends a connection when the house stops", async () => {
    await using server = await startSyslogServer({ closes: false });
    const stop = new AbortController();
    const target = { kind: "syslog", host: "127.0.0.1", port: server.port, isEncrypted: false } as const;
    const sent = openSyslogTarget(target).send([LINE], stop.signal);
    stop.abort();
    await expect(sent).rejects.toThrow("the house stops");
  });
});
