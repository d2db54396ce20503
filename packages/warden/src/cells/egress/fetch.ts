/**
 * Makes requests of host tools on behalf of an agent. The grants and checks are those of its cell.
 * Each redirect is checked again, and the size of the response is limited.
 */
import { DEFAULT_PORTS, parseAuthority, parsePath } from "../../policy/index.ts";
import { HearthError } from "@hearth/protocol";
import type { ExchangeResponse, Exchange, OutgoingRequest } from "./exchange.ts";
import { type HeaderLine, valuesOf, withoutHeaders } from "./head.ts";
import type { OutgoingBody } from "./round-trip.ts";
import type { UpstreamConnection } from "./upstream-connection.ts";
import type { EgressCaller } from "./tokens.ts";

export interface EgressRequest {
  readonly url: string;
  /** Default: GET. */
  readonly method?: string;
  readonly headers?: readonly HeaderLine[];
  readonly body?: Uint8Array;
  /** Default: 4 MiB. */
  readonly maxBytes?: number;
}

export interface EgressAnswer {
  /** The final URL after all redirects. */
  readonly url: string;
  readonly status: number;
  readonly headers: readonly HeaderLine[];
  readonly body: Uint8Array;
  /** Whether the response was longer than `maxBytes`. */
  readonly isCut: boolean;
}

/**
 * Makes the request of a tool call, whose URL the choke point has judged. Throws `egress.refused`,
 * `egress.failed`, `egress.malformed`.
 */
export type EgressFetch = (request: EgressRequest, caller: EgressCaller) => Promise<EgressAnswer>;

const MAX_REDIRECTS = 5;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/**
 * Headers that are not sent to another host after a redirect. The exchange removes
 * `Proxy-Authorization`.
 */
const PERSONAL_HEADERS = ["authorization", "cookie"];

export const createEgressFetch =
  ({
    exchange,
    openUpstream,
  }: {
    readonly exchange: Exchange;
    readonly openUpstream: () => UpstreamConnection;
  }): EgressFetch =>
  async (request, caller) => {
    const { maxBytes = MAX_ANSWER_BYTES } = request;
    let step: RequestStep = {
      url: request.url,
      method: request.method ?? "GET",
      headers: request.headers ?? [],
      body: request.body,
      chosenBy: "call",
    };
    for (let count = 0; count <= MAX_REDIRECTS; count += 1) {
      const upstream = openUpstream();
      try {
        const answer = await exchange(toOutgoing(step), caller, upstream);
        try {
          const [location] = valuesOf(answer.headers, "location");
          if (REDIRECTS.has(answer.status) && location !== undefined) {
            step = follow(step, answer, location);
            continue;
          }
          const { body, isCut } = await collect(answer.body, maxBytes);
          return { url: step.url, status: answer.status, headers: answer.headers, body, isCut };
        } finally {
          await answer.close();
        }
      } finally {
        upstream.drop();
      }
    }
    throw new HearthError("egress.failed", `The request was redirected more than ${MAX_REDIRECTS} times.`);
  };

interface RequestStep {
  readonly url: string;
  readonly method: string;
  readonly headers: readonly HeaderLine[];
  readonly body: Uint8Array | undefined;
  readonly chosenBy: "call" | "granted-page" | "public-page";
}

const toOutgoing = ({ url, method, headers, body, chosenBy }: RequestStep): OutgoingRequest => {
  const [, scheme = "", authority = "", pathAndQuery = ""] = /^(https?):\/\/([^/?#\\]*)([^#]*)/i.exec(url) ?? [];
  const hostAndPort = parseAuthority(authority);
  const path = parsePath(pathAndQuery.startsWith("/") ? pathAndQuery : `/${pathAndQuery}`);
  if (hostAndPort === undefined || path === undefined || !/^(?!CONNECT$)[A-Z]{1,20}$/.test(method))
    throw new HearthError("egress.refused", "The URL is not the address of a host on the network.");
  const kind = scheme.toLowerCase() === "https" ? "https" : "http";
  const outgoingBody: OutgoingBody | undefined =
    body === undefined || body.length === 0
      ? undefined
      : { framing: { kind: "length", size: body.length }, bytes: bytesOf(body) };
  return {
    origin: { scheme: kind, host: hostAndPort.host, port: hostAndPort.port ?? DEFAULT_PORTS[kind] },
    method,
    path,
    chosenBy,
    headers: [...withoutHeaders(headers, ["accept-encoding"]), ["Accept-Encoding", "identity"]],
    ...(outgoingBody === undefined ? {} : { body: outgoingBody }),
  };
};

/**
 * Returns the next step of a redirect, as a browser follows it, but never from HTTPS to HTTP.
 * Headers for one host are not sent to another.
 */
const follow = (step: RequestStep, { status, isFromPublicWeb }: ExchangeResponse, location: string): RequestStep => {
  const from = new URL(step.url);
  if (!URL.canParse(location, from)) throw new HearthError("egress.refused", "The redirect has no valid address.");
  const to = new URL(location, from);
  if (to.protocol !== "https:" && !(to.protocol === "http:" && from.protocol === "http:"))
    throw new HearthError("egress.refused", `The redirect from ${from.protocol} to ${to.protocol} is not followed.`);
  to.hash = "";
  const isOtherOrigin = to.origin !== from.origin;
  const becomesGet = status === 303 || ((status === 301 || status === 302) && step.method === "POST");
  return {
    url: to.href,
    method: becomesGet && step.method !== "HEAD" ? "GET" : step.method,
    headers: isOtherOrigin ? withoutHeaders(step.headers, PERSONAL_HEADERS) : step.headers,
    body: becomesGet ? undefined : step.body,
    // After a redirect from the public web, any third party may have chosen the address.
    chosenBy: isFromPublicWeb || step.chosenBy === "public-page" ? "public-page" : "granted-page",
  };
};

const collect = async (
  pieces: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<{ readonly body: Uint8Array; readonly isCut: boolean }> => {
  const received: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of pieces) {
    received.push(chunk.subarray(0, maxBytes - size));
    size += chunk.length;
    if (size > maxBytes) break;
  }
  const body = new Uint8Array(Math.min(size, maxBytes));
  let offset = 0;
  for (const chunk of received) {
    body.set(chunk, offset);
    offset += chunk.length;
  }
  return { body, isCut: size > maxBytes };
};

async function* bytesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
