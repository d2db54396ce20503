/**
 * Terminates TLS in front of the plain port on loopback, and passes bytes on unread. When the
 * certificate files change, new connections use the new certificate, and open connections keep
 * theirs.
 */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { isAbsolute, join } from "node:path";
import { createServer, type TLSSocket } from "node:tls";
import { type Clock, HearthError } from "@hearth/protocol";
import type { CertificateState } from "../../http/reach.ts";
import type { Log } from "../../kernel/log/log.ts";
import { observe } from "../../kernel/supervisor.ts";

/** PEM files. Relative paths are relative to the home. */
export interface TlsFiles {
  readonly certificate: string;
  readonly key: string;
}

export interface TlsPortOptions {
  readonly hostname: string;
  readonly port: number;
  readonly files: TlsFiles;
  readonly home: string;
  /** The plain port on loopback that takes the decrypted bytes. */
  readonly target: number;
  /** Client addresses by the local port of the connection to `target`. The plain port looks them up. */
  readonly clients: Map<number, string>;
  readonly log: Log;
  readonly clock: Pick<Clock, "now" | "sleep">;
  /** The place of a key of `[server]`, such as "hearth.toml line 5". */
  readonly placeOf: (key: string) => string;
  /** Default: `HANDSHAKE_MS`. Tests pass less, because the TLS library measures this time itself. */
  readonly handshakeMs?: number;
}

export interface TlsPort {
  readonly port: number;
  certificate(): CertificateState;
  /** Stops accepting connections. Each open connection ends with its connection to the plain port. */
  stop(): Promise<void>;
}

/** Interval at which the files are read again. */
export const RELOAD_MS = 10_000;
/**
 * Maximum duration of a handshake. It equals the time that a plain connection may wait before its
 * first request.
 */
const HANDSHAKE_MS = 10_000;
/**
 * Maximum number of concurrent handshakes. They cost the most work before a credential is checked.
 */
const MAX_HANDSHAKES = 256;
const TARGET_HOST = "127.0.0.1";

/** Throws `config.invalid` if the files are not a certificate and its key. */
export const openTlsPort = async (options: TlsPortOptions): Promise<TlsPort> => {
  const { hostname, port, log, clock, handshakeMs = HANDSHAKE_MS } = options;
  const pairs = await openPairs(options);
  const stopped = new AbortController();
  const handshakes = new Set<TLSSocket>();

  const server = createServer({
    ...pairs.current().pem,
    ALPNProtocols: ["http/1.1"],
    minVersion: "TLSv1.2",
    handshakeTimeout: handshakeMs,
  });
  server.on("connection", (socket: TLSSocket) => {
    if (handshakes.size >= MAX_HANDSHAKES) {
      socket.destroy();
      return;
    }
    handshakes.add(socket);
    socket.once("close", () => handshakes.delete(socket));
  });
  server.on("tlsClientError", (_error, socket) => {
    handshakes.delete(socket);
    socket.destroy();
  });
  server.on("secureConnection", (socket) => {
    handshakes.delete(socket);
    forwardClient(socket, options);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, hostname, resolve);
  });

  const renew = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(RELOAD_MS, stopped.signal);
      if (stopped.signal.aborted) return;
      const renewed = await pairs.readAgain();
      if (renewed === undefined) continue;
      server.setSecureContext(renewed.pem);
      log.write("info", "another certificate is in use", { names: renewed.names, validUntil: renewed.validUntil });
    }
  };
  observe(renew(), log, "the certificate files are no longer read");

  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    certificate: pairs.state,
    async stop() {
      stopped.abort();
      server.close();
      for (const socket of handshakes) socket.destroy();
    },
  };
};

/** Connects a client to the plain port. Each side waits while the other one does not read. */
const forwardClient = (client: TLSSocket, { target, clients, log }: TlsPortOptions): void => {
  const plainSocket = connect({ host: TARGET_HOST, port: target });
  const { remoteAddress = "" } = client;
  let localPort: number | undefined;
  plainSocket.once("connect", () => {
    localPort = plainSocket.localPort;
    // Registers the client before the first byte, so that the plain port knows the client of each request.
    if (localPort !== undefined) clients.set(localPort, remoteAddress);
    client.pipe(plainSocket);
    plainSocket.pipe(client);
  });
  plainSocket.once("close", () => {
    if (localPort !== undefined) clients.delete(localPort);
    client.destroySoon();
  });
  client.once("close", () => plainSocket.destroy());
  client.on("error", () => plainSocket.destroy());
  plainSocket.on("error", (error) => {
    log.write("debug", "a TLS connection lost its plain one", { error });
    client.destroy();
  });
};

interface Pair {
  readonly pem: { readonly cert: string; readonly key: string };
  readonly names: string;
  readonly validUntil: number;
}

const openPairs = async ({ files, home, log, clock, placeOf }: TlsPortOptions) => {
  const fail = failFor(placeOf);
  const toPath = (path: string): string => (isAbsolute(path) ? path : join(home, path));
  const read = async (): Promise<Pair["pem"]> => ({
    cert: await readPem(fail, "tls_cert", toPath(files.certificate)),
    key: await readPem(fail, "tls_key", toPath(files.key)),
  });
  let current = toPair(fail, await read());
  /** The problem that was logged last, so that each problem is logged once. */
  let reportedProblem = "";
  let problem: string | undefined;

  const readChangedPair = async (): Promise<Pair | undefined> => {
    const pem = await read();
    const text = pem.cert + pem.key;
    if (text === current.pem.cert + current.pem.key) return undefined;
    const pair = toPair(fail, pem);
    if (pair.validUntil > clock.now()) return pair;
    throw fail("tls_cert", `the certificate expired on ${dayOf(pair.validUntil)}`);
  };

  return {
    current: () => current,
    state: (): CertificateState => ({
      names: current.names,
      validUntil: current.validUntil,
      ...(problem === undefined ? {} : { problem }),
    }),
    /** Returns the pair to use from now on, or undefined if the pair is unchanged or invalid. */
    async readAgain(): Promise<Pair | undefined> {
      try {
        const newPair = await readChangedPair();
        problem = undefined;
        reportedProblem = "";
        if (newPair !== undefined) current = newPair;
        return newPair;
      } catch (error) {
        problem = error instanceof Error ? error.message : String(error);
        if (problem !== reportedProblem) {
          log.write("error", "the changed certificate files are not used; the previous certificate stays in use", {
            error,
          });
        }
        reportedProblem = problem;
        return undefined;
      }
    },
  };
};

type Key = "tls_cert" | "tls_key";
/** Creates the error for the file of a key of the config. */
type Fail = (key: Key, what: string, cause?: unknown) => HearthError;

const failFor =
  (placeOf: (key: string) => string): Fail =>
  (key, problem, cause) =>
    new HearthError("config.invalid", `server.${key}: ${problem}; ${placeOf(key)}`, {
      hint: "tls_cert must name the certificate with its chain, and tls_key its private key.",
      cause,
    });

const readPem = async (fail: Fail, key: Key, path: string): Promise<string> => {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw fail(key, `cannot read ${path}`, cause);
  }
};

/** Throws unless the key belongs to the certificate. */
const toPair = (fail: Fail, pem: Pair["pem"]): Pair => {
  const parse = <Value>(key: Key, subject: string, read: () => Value): Value => {
    try {
      return read();
    } catch (cause) {
      throw fail(key, subject, cause);
    }
  };
  const certificate = parse(
    "tls_cert",
    "the file does not begin with a certificate in PEM",
    () => new X509Certificate(pem.cert),
  );
  const key = parse("tls_key", "the file is not a private key in PEM without a passphrase", () =>
    createPrivateKey(pem.key),
  );
  if (!certificate.checkPrivateKey(key)) throw fail("tls_key", "the key does not belong to the certificate");
  return {
    pem,
    names: (certificate.subjectAltName ?? certificate.subject).replaceAll(/DNS:|IP Address:/g, ""),
    validUntil: Date.parse(certificate.validTo),
  };
};

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
