/**
 * Serves one proxy connection of a cell: requests with an absolute URL, or CONNECT followed by TLS
 * with the house, so that the requests inside are checked too. It decides nothing itself: each
 * request goes through the exchange.
 */
import { DEFAULT_PORTS, bareHost, parseAuthority, parsePath, type Origin } from "../../policy/index.ts";
import { type ByteStream, type Clock, HearthError, isHearthError } from "@hearth/protocol";
import { frameChunk, type Framing, framingHeaders, framingOfRequest, terminatorOf, readBody } from "./body.ts";
import { type ByteReader, createByteReader } from "./byte-reader.ts";
import { withDeadline } from "./deadline.ts";
import type { ExchangeResponse, Exchange, OutgoingRequest } from "./exchange.ts";
import {
  endToEnd,
  formatResponseHead,
  type HeaderLine,
  listOf,
  MAX_HEAD_SIZE,
  parseRequestHead,
  type RequestHead,
  valuesOf,
  withoutHeaders,
} from "./head.ts";
import type { UpstreamConnection } from "./upstream-connection.ts";
import type { Connection, Tls } from "./network/network.ts";
import type { EgressCaller } from "./tokens.ts";

export interface ProxyOptions {
  readonly clock: Clock;
  readonly tls: Tls;
  readonly exchange: Exchange;
  readonly openUpstream: () => UpstreamConnection;
  /** Returns the caller for a token if the token belongs to this cell's agent. */
  readonly callerOf: (token: string) => EgressCaller | undefined;
}

/** The connection as the cell sees it. */
interface ClientConnection {
  readonly reader: ByteReader;
  readonly write: (bytes: Uint8Array) => Promise<void>;
  readonly upstream: UpstreamConnection;
  /** Ends the connection when this caller's turn ends. */
  readonly endWith: (caller: EgressCaller) => void;
}

/** The state inside a CONNECT: the caller, and the target of all requests. */
interface ConnectTunnel {
  readonly origin: Origin;
  readonly caller: EgressCaller;
}

/** Maximum time for a head, and for the next request on a persistent connection. */
const HEAD_TIMEOUT_MS = 60_000;
const TLS_TIMEOUT_MS = 15_000;
/** Time that a client has to notice the end of the connection. */
const CLOSE_WAIT_MS = 2000;
/** The first byte of TLS, which begins a handshake record. */
const TLS_HANDSHAKE = 22;

/** Serves the connection. Resolves when it has ended. Never rejects. */
export const serveProxy = async (stream: ByteStream, options: ProxyOptions): Promise<void> => {
  const upstream = options.openUpstream();
  const controller = new AbortController();
  const connection: ClientConnection = {
    reader: createByteReader(stream.bytes),
    write: (bytes) => stream.write(bytes),
    upstream,
    endWith: ({ signal }) => signal.addEventListener("abort", stream.reset, { once: true, signal: controller.signal }),
  };
  try {
    const tunnel = await serveRequests(connection, options, undefined);
    if (tunnel !== undefined) await serveTunnel(tunnel, connection, options);
    stream.end();
  } catch {
    // The client has its response, and the rest of the connection cannot be parsed.
    stream.reset();
  } finally {
    controller.abort();
    upstream.drop();
  }
};

/**
 * Serves the connection after a CONNECT: nearly always TLS, and otherwise plain requests to the
 * same host.
 */
const serveTunnel = async (tunnel: ConnectTunnel, client: ClientConnection, options: ProxyOptions): Promise<void> => {
  const { clock, tls } = options;
  const { caller, origin } = tunnel;
  const firstByte = await withDeadline(clock, HEAD_TIMEOUT_MS, "A first byte", client.reader.peek(), caller.signal);
  if (firstByte !== TLS_HANDSHAKE) {
    await serveRequests(client, options, { caller, origin: { ...origin, scheme: "http" } });
    return;
  }
  const carrier: Connection = {
    bytes: client.reader.remainingBytes(),
    write: client.write,
    end: () => {},
    reset: () => {},
  };
  const decrypted = await withDeadline(
    clock,
    TLS_TIMEOUT_MS,
    "TLS",
    tls.terminate(carrier, bareHost(origin.host)),
    caller.signal,
  );
  try {
    const connection: ClientConnection = {
      ...client,
      reader: createByteReader(decrypted.bytes),
      write: (bytes) => decrypted.write(bytes),
    };
    await serveRequests(connection, options, tunnel);
    decrypted.end();
    await withDeadline(clock, CLOSE_WAIT_MS, "The end", drain(connection.reader.remainingBytes())).catch(() => {});
  } finally {
    decrypted.reset();
  }
};

const drain = async (bytes: AsyncIterable<Uint8Array>): Promise<void> => {
  for await (const _piece of bytes) continue;
};

/** Serves requests until the last one. Returns the target of a CONNECT. */
const serveRequests = async (
  client: ClientConnection,
  options: ProxyOptions,
  tunnel: ConnectTunnel | undefined,
): Promise<ConnectTunnel | undefined> => {
  const seenCallers = new Set<EgressCaller>();
  for (;;) {
    const reading = client.reader.readHead(MAX_HEAD_SIZE);
    const bytes = await withDeadline(options.clock, HEAD_TIMEOUT_MS, "A head", reading, tunnel?.caller.signal);
    if (bytes === undefined) return undefined;
    let isKeptAlive = false;
    let omitsBody = false;
    try {
      const head = parseRequestHead(bytes);
      isKeptAlive = framingOfRequest(head).kind === "none";
      omitsBody = head.method === "HEAD";
      const caller = tunnel?.caller ?? authenticate(head, options);
      if (caller === undefined) {
        await sendText(client, 407, "The proxy token is missing or invalid.", { isKeptAlive, omitsBody });
      } else if (head.method === "CONNECT") {
        if (tunnel !== undefined) throw refusedError("A CONNECT inside another CONNECT is not supported.");
        const origin = toConnectOrigin(head);
        // A CONNECT is accepted without a check, because each request inside is checked, and the
        // client can read a refusal there.
        client.endWith(caller);
        await client.write(formatResponseHead({ status: 200, reason: "Connected", headers: [] }));
        return { origin, caller };
      } else {
        if (tunnel === undefined && !seenCallers.has(caller)) client.endWith(caller);
        seenCallers.add(caller);
        isKeptAlive = await forward(client, options, caller, toIncoming(head, client, tunnel));
      }
    } catch (error) {
      if (!isHearthError(error)) throw error;
      const text = error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
      await sendText(client, STATUS[error.code] ?? 502, text, { isKeptAlive, omitsBody });
    }
    if (!isKeptAlive) return undefined;
  }
};

const STATUS: Readonly<Record<string, number>> = {
  "egress.refused": 403,
  "egress.failed": 502,
  "egress.malformed": 400,
};

/**
 * Forwards a request and its response. Returns whether another request may follow. Throws only
 * while nothing of a response has been sent.
 */
const forward = async (
  client: ClientConnection,
  { exchange }: ProxyOptions,
  caller: EgressCaller,
  incoming: Incoming,
): Promise<boolean> => {
  const { outgoing, isLast, body } = incoming;
  if (incoming.expectsContinue)
    await client.write(formatResponseHead({ status: 100, reason: "Continue", headers: [] }));
  const answer = await exchange(outgoing, caller, client.upstream);
  try {
    const isKeptAlive = !isLast;
    await client.write(formatResponseHead({ ...answer, headers: answerHeaders(answer, outgoing.method, isKeptAlive) }));
    for await (const piece of answer.body) await client.write(frameChunk(answer.framing, piece));
    await client.write(terminatorOf(answer.framing));
    return isKeptAlive && body.isRead();
  } catch (error) {
    // The response is truncated. Only the end of the connection shows this to the client.
    throw new Error("the answer broke off", { cause: error });
  } finally {
    await answer.close();
  }
};

const answerHeaders = (
  { status, headers, framing }: ExchangeResponse,
  method: string,
  isKeptAlive: boolean,
): readonly HeaderLine[] => {
  const [length = ""] = valuesOf(headers, "content-length");
  // The upstream's alternative routes are not available here.
  const forwarded = withoutHeaders(endToEnd(headers), ["alt-svc"]);
  const lengths = method === "HEAD" ? lengthOfHead(length) : lengthsOf(status, framing);
  return [...forwarded, ...lengths, ...(isKeptAlive ? [] : [["Connection", "close"] as const])];
};

/** The response to a HEAD names the length that the response to a GET would have. */
const lengthOfHead = (length: string): readonly HeaderLine[] =>
  /^\d{1,15}$/.test(length) ? [["Content-Length", length]] : [];

const lengthsOf = (status: number, framing: Framing): readonly HeaderLine[] => {
  const mayBeEmpty = status !== 204 && status !== 304;
  return framing.kind === "none" && mayBeEmpty ? [["Content-Length", "0"]] : framingHeaders(framing);
};

interface Incoming {
  readonly outgoing: OutgoingRequest;
  /** Whether the client expects `100 Continue` before it sends its body. */
  readonly expectsContinue: boolean;
  readonly isLast: boolean;
  readonly body: { isRead(): boolean };
}

const toIncoming = (head: RequestHead, { reader }: ClientConnection, tunnel: ConnectTunnel | undefined): Incoming => {
  const { method, headers, version } = head;
  if (version === 0) throw refusedError("Only HTTP/1.1 is supported.");
  if (listOf(headers, "upgrade").length > 0 || listOf(headers, "connection").includes("upgrade"))
    throw refusedError("Protocol upgrades are not supported.");
  const { origin, target } = tunnel === undefined ? readAbsolute(head) : { origin: tunnel.origin, target: head.target };
  const path = parsePath(target);
  if (path === undefined) throw malformedError("its path is invalid");
  requireSameHost(head, origin);
  const framing = framingOfRequest(head);
  let isRead = framing.kind === "none";
  const bytes = async function* (): AsyncGenerator<Uint8Array> {
    yield* readBody(reader, framing);
    isRead = true;
  };
  return {
    outgoing: { origin, method, path, headers, ...(isRead ? {} : { body: { framing, bytes: bytes() } }) },
    expectsContinue: !isRead && listOf(headers, "expect").includes("100-continue"),
    isLast: listOf(headers, "connection").includes("close") || listOf(headers, "proxy-connection").includes("close"),
    body: { isRead: () => isRead },
  };
};

/** Reads an absolute target: `http://host/path`. Requests for HTTPS use CONNECT. */
const readAbsolute = ({ target }: RequestHead): { readonly origin: Origin; readonly target: string } => {
  const [, authority = "", pathAndQuery = ""] = /^http:\/\/([^/?#]*)(.*)$/i.exec(target) ?? [];
  const hostAndPort = parseAuthority(authority);
  if (hostAndPort === undefined) throw refusedError("The URL is not the address of a host on the network.");
  const origin: Origin = { scheme: "http", host: hostAndPort.host, port: hostAndPort.port ?? DEFAULT_PORTS.http };
  return { origin, target: pathAndQuery.startsWith("/") ? pathAndQuery : `/${pathAndQuery}` };
};

const toConnectOrigin = (head: RequestHead): Origin => {
  const hostAndPort = parseAuthority(head.target);
  if (hostAndPort?.port === undefined) throw refusedError("The URL is not the address of a host on the network.");
  const origin: Origin = { scheme: "https", host: hostAndPort.host, port: hostAndPort.port };
  if (valuesOf(head.headers, "host").length > 0) requireSameHost(head, origin);
  return origin;
};

/** The target and the `Host` header must name the same host. */
const requireSameHost = ({ headers }: RequestHead, origin: Origin): void => {
  const [value = "", ...otherValues] = valuesOf(headers, "host");
  const authority = parseAuthority(value);
  const isSame = authority?.host === origin.host && (authority.port === undefined || authority.port === origin.port);
  if (!isSame || otherValues.length > 0)
    throw refusedError(`The request is for ${origin.host}, but its Host header names another host.`);
};

const authenticate = ({ headers }: RequestHead, { callerOf }: ProxyOptions): EgressCaller | undefined => {
  const [value = "", ...otherValues] = valuesOf(headers, "proxy-authorization");
  const [, encoded] = /^basic ([A-Za-z0-9+/]{1,500}={0,2})$/i.exec(value) ?? [];
  if (encoded === undefined || otherValues.length > 0) return undefined;
  const [user, token] = fromBase64(encoded).split(":");
  return user === "hearth" && token !== undefined ? callerOf(token) : undefined;
};

const fromBase64 = (text: string): string => {
  try {
    return atob(text);
  } catch {
    return "";
  }
};

/** Sends a response of the proxy itself, with a text unless `omitsBody`. */
const sendText = async (
  { write }: ClientConnection,
  status: number,
  text: string,
  { isKeptAlive, omitsBody }: { readonly isKeptAlive: boolean; readonly omitsBody: boolean },
): Promise<void> => {
  const body = new TextEncoder().encode(`Hearth: ${text}\n`);
  const headers: readonly HeaderLine[] = [
    ...(status === 407 ? [["Proxy-Authenticate", 'Basic realm="hearth"'] as const] : []),
    ["Content-Type", "text/plain; charset=utf-8"],
    ["Content-Length", String(body.length)],
    ...(isKeptAlive ? [] : [["Connection", "close"] as const]),
  ];
  await write(formatResponseHead({ status, reason: REASONS[status] ?? "Refused", headers }));
  if (!omitsBody) await write(body);
};

const REASONS: Readonly<Record<number, string>> = {
  400: "Bad Request",
  403: "Forbidden",
  407: "Proxy Authentication Required",
  502: "Bad Gateway",
};

const refusedError = (message: string): HearthError => new HearthError("egress.refused", message);
const malformedError = (problem: string): HearthError =>
  new HearthError("egress.malformed", `This is not valid HTTP/1.1: ${problem}.`);
