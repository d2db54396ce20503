/**
 * One connection of a cell that speaks to a proxy: requests with a whole address, or CONNECT and then TLS with the house, so that what is
 * inside can be governed as well. Decides nothing: each request goes through the exchange.
 */
import { DEFAULT_PORTS, bareHost, parseAuthority, parsePath, type Origin } from "../../policy/index.ts";
import { type ByteStream, type Clock, HearthError, isHearthError } from "@hearth/protocol";
import { framed, framingHeaders, framingOfRequest, lastOf, readBody } from "./body.ts";
import { type ByteReader, createByteReader } from "./byte-reader.ts";
import { within } from "./deadline.ts";
import type { Answer, Exchange, Outgoing } from "./exchange.ts";
import {
  endToEnd,
  formatResponseHead,
  type HeaderLine,
  listOf,
  MAX_HEAD_SIZE,
  parseRequestHead,
  type RequestHead,
  valuesOf,
  without,
} from "./head.ts";
import type { UpstreamConnection } from "./upstream-connection.ts";
import type { Connection, Tls } from "./network/network.ts";
import type { EgressCaller } from "./tokens.ts";

export interface ProxyOptions {
  readonly clock: Clock;
  readonly tls: Tls;
  readonly exchange: Exchange;
  readonly openLine: () => UpstreamConnection;
  /** Whom a token of this cell's agent stands for. */
  readonly callerOf: (token: string) => EgressCaller | undefined;
}

/** What is read and written, as the cell sees it. */
interface Talk {
  readonly reader: ByteReader;
  readonly write: (bytes: Uint8Array) => Promise<void>;
  readonly line: UpstreamConnection;
  /** Ends all of it when that turn is over. */
  readonly endWith: (caller: EgressCaller) => void;
}

/** Inside of a CONNECT: where all its requests go, and for whom. */
interface Inside {
  readonly origin: Origin;
  readonly caller: EgressCaller;
}

/** For a head, and for the next request on a connection that is kept. */
const HEAD_MS = 60_000;
const TLS_MS = 15_000;
/** For the other side to notice the end. */
const LEAVE_MS = 2000;
/** First byte of TLS: a handshake record. */
const HANDSHAKE = 22;

/** Resolves when the connection is over. Never rejects. */
export const serveProxy = async (stream: ByteStream, options: ProxyOptions): Promise<void> => {
  const line = options.openLine();
  const over = new AbortController();
  const talk: Talk = {
    reader: createByteReader(stream.bytes),
    write: (bytes) => stream.write(bytes),
    line,
    endWith: ({ signal }) => signal.addEventListener("abort", stream.reset, { once: true, signal: over.signal }),
  };
  try {
    const inside = await converse(talk, options, undefined);
    if (inside !== undefined) await serveInside(inside, talk, options);
    stream.end();
  } catch {
    // Whoever could be told was told; what is left is a connection that nobody understands.
    stream.reset();
  } finally {
    over.abort();
    line.drop();
  }
};

/** What comes after a CONNECT: TLS nearly always, else plain requests to the same place. */
const serveInside = async (inside: Inside, outer: Talk, options: ProxyOptions): Promise<void> => {
  const { clock, tls } = options;
  const { caller, origin } = inside;
  const first = await within(clock, HEAD_MS, "A first byte", outer.reader.peek(), caller.signal);
  if (first !== HANDSHAKE) {
    await converse(outer, options, { caller, origin: { ...origin, scheme: "http" } });
    return;
  }
  const carrier: Connection = { bytes: outer.reader.rest(), write: outer.write, end: () => {}, reset: () => {} };
  const plain = await within(clock, TLS_MS, "TLS", tls.terminate(carrier, bareHost(origin.host)), caller.signal);
  try {
    const talk: Talk = { ...outer, reader: createByteReader(plain.bytes), write: (bytes) => plain.write(bytes) };
    await converse(talk, options, inside);
    plain.end();
    await within(clock, LEAVE_MS, "The end", drain(talk.reader.rest())).catch(() => {});
  } finally {
    plain.reset();
  }
};

const drain = async (bytes: AsyncIterable<Uint8Array>): Promise<void> => {
  for await (const _piece of bytes) continue;
};

/** Request after request, until the last one. Returns what a CONNECT leads to. */
const converse = async (talk: Talk, options: ProxyOptions, inside: Inside | undefined): Promise<Inside | undefined> => {
  const known = new Set<EgressCaller>();
  for (;;) {
    const reading = talk.reader.head(MAX_HEAD_SIZE);
    const bytes = await within(options.clock, HEAD_MS, "A head", reading, inside?.caller.signal);
    if (bytes === undefined) return undefined;
    let isKept = false;
    let isBare = false;
    try {
      const head = parseRequestHead(bytes);
      isKept = framingOfRequest(head).kind === "none";
      isBare = head.method === "HEAD";
      const caller = inside?.caller ?? authenticate(head, options);
      if (caller === undefined) {
        await say(talk, 407, "Who is asking? This is not a proxy for everybody.", { isKept, isBare });
      } else if (head.method === "CONNECT") {
        if (inside !== undefined) throw refused("A CONNECT inside of another leads nowhere.");
        const origin = toConnectOrigin(head);
        // It leads no further than here: each request inside is asked about, and a refusal there is read by whoever asked.
        talk.endWith(caller);
        await talk.write(formatResponseHead({ status: 200, reason: "Connected", headers: [] }));
        return { origin, caller };
      } else {
        if (inside === undefined && !known.has(caller)) talk.endWith(caller);
        known.add(caller);
        isKept = await pass(talk, options, caller, toIncoming(head, talk, inside));
      }
    } catch (error) {
      if (!isHearthError(error)) throw error;
      const text = error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
      await say(talk, STATUS[error.code] ?? 502, text, { isKept, isBare });
    }
    if (!isKept) return undefined;
  }
};

const STATUS: Readonly<Record<string, number>> = {
  "egress.refused": 403,
  "egress.failed": 502,
  "egress.malformed": 400,
};

/** Sends a request on and its answer back. Whether another request may follow. Throws as long as nothing of an answer was sent. */
const pass = async (
  talk: Talk,
  { exchange }: ProxyOptions,
  caller: EgressCaller,
  given: Incoming,
): Promise<boolean> => {
  const { outgoing, isLast, body } = given;
  if (given.awaitsWord) await talk.write(formatResponseHead({ status: 100, reason: "Continue", headers: [] }));
  const answer = await exchange(outgoing, caller, talk.line);
  try {
    const isKept = !isLast;
    await talk.write(formatResponseHead({ ...answer, headers: answerHeaders(answer, outgoing.method, isKept) }));
    for await (const piece of answer.body) await talk.write(framed(answer.framing, piece));
    await talk.write(lastOf(answer.framing));
    return isKept && body.isRead();
  } catch (error) {
    // Half an answer: only the end of the connection says so.
    throw new Error("the answer broke off", { cause: error });
  } finally {
    await answer.close();
  }
};

const answerHeaders = (
  { status, headers, framing }: Answer,
  method: string,
  isKept: boolean,
): readonly HeaderLine[] => {
  const [length = ""] = valuesOf(headers, "content-length");
  // The far side speaks of other ways to reach it: there are none.
  const told = without(endToEnd(headers), ["alt-svc"]);
  const isBare = framing.kind === "none";
  const lengths: readonly HeaderLine[] =
    isBare && method === "HEAD" && /^\d{1,15}$/.test(length)
      ? [["Content-Length", length]]
      : isBare && method !== "HEAD" && status !== 204 && status !== 304
        ? [["Content-Length", "0"]]
        : framingHeaders(framing);
  return [...told, ...lengths, ...(isKept ? [] : [["Connection", "close"] as const])];
};

interface Incoming {
  readonly outgoing: Outgoing;
  /** It wants to be told that its body will be taken. */
  readonly awaitsWord: boolean;
  readonly isLast: boolean;
  readonly body: { isRead(): boolean };
}

const toIncoming = (head: RequestHead, { reader }: Talk, inside: Inside | undefined): Incoming => {
  const { method, headers, version } = head;
  if (version === 0) throw refused("Only HTTP/1.1 is spoken here.");
  if (listOf(headers, "upgrade").length > 0 || listOf(headers, "connection").includes("upgrade"))
    throw refused("No connection goes over to another protocol here.");
  const { origin, target } = inside === undefined ? readAbsolute(head) : { origin: inside.origin, target: head.target };
  const path = parsePath(target);
  if (path === undefined) throw malformed("its path is none");
  requireSameHost(head, origin);
  const framing = framingOfRequest(head);
  let isRead = framing.kind === "none";
  const bytes = async function* (): AsyncGenerator<Uint8Array> {
    yield* readBody(reader, framing);
    isRead = true;
  };
  return {
    outgoing: { origin, method, path, headers, ...(isRead ? {} : { body: { framing, bytes: bytes() } }) },
    awaitsWord: !isRead && listOf(headers, "expect").includes("100-continue"),
    isLast: listOf(headers, "connection").includes("close") || listOf(headers, "proxy-connection").includes("close"),
    body: { isRead: () => isRead },
  };
};

/** `http://host/path`. With TLS it comes by CONNECT. */
const readAbsolute = ({ target }: RequestHead): { readonly origin: Origin; readonly target: string } => {
  const [, authority = "", rest = ""] = /^http:\/\/([^/?#]*)(.*)$/i.exec(target) ?? [];
  const place = parseAuthority(authority);
  if (place === undefined) throw refused("Its address is none of a host on the network.");
  const origin: Origin = { scheme: "http", host: place.host, port: place.port ?? DEFAULT_PORTS.http };
  return { origin, target: rest.startsWith("/") ? rest : `/${rest}` };
};

const toConnectOrigin = (head: RequestHead): Origin => {
  const place = parseAuthority(head.target);
  if (place?.port === undefined) throw refused("Its address is none of a host on the network.");
  const origin: Origin = { scheme: "https", host: place.host, port: place.port };
  if (valuesOf(head.headers, "host").length > 0) requireSameHost(head, origin);
  return origin;
};

/** Two words for the place are one too many if they differ. */
const requireSameHost = ({ headers }: RequestHead, origin: Origin): void => {
  const [value = "", ...others] = valuesOf(headers, "host");
  const said = parseAuthority(value);
  const isSame = said?.host === origin.host && (said.port === undefined || said.port === origin.port);
  if (!isSame || others.length > 0) throw refused(`It is for ${origin.host} and says another host.`);
};

const authenticate = ({ headers }: RequestHead, { callerOf }: ProxyOptions): EgressCaller | undefined => {
  const [value = "", ...others] = valuesOf(headers, "proxy-authorization");
  const [, encoded] = /^basic ([A-Za-z0-9+/]{1,500}={0,2})$/i.exec(value) ?? [];
  if (encoded === undefined || others.length > 0) return undefined;
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

/** An answer of the proxy's own, in words. `isBare`: without them. */
const say = async (
  { write }: Talk,
  status: number,
  text: string,
  { isKept, isBare }: { readonly isKept: boolean; readonly isBare: boolean },
): Promise<void> => {
  const body = new TextEncoder().encode(`Hearth: ${text}\n`);
  const headers: readonly HeaderLine[] = [
    ...(status === 407 ? [["Proxy-Authenticate", 'Basic realm="hearth"'] as const] : []),
    ["Content-Type", "text/plain; charset=utf-8"],
    ["Content-Length", String(body.length)],
    ...(isKept ? [] : [["Connection", "close"] as const]),
  ];
  await write(formatResponseHead({ status, reason: REASONS[status] ?? "Refused", headers }));
  if (!isBare) await write(body);
};

const REASONS: Readonly<Record<number, string>> = {
  400: "Bad Request",
  403: "Forbidden",
  407: "Proxy Authentication Required",
  502: "Bad Gateway",
};

const refused = (message: string): HearthError => new HearthError("egress.refused", message);
const malformed = (what: string): HearthError => new HearthError("egress.malformed", `This is no HTTP/1.1: ${what}.`);
