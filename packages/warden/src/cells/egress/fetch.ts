/**
 * Makes requests of host tools on behalf of an agent. The grants and checks are those of its cell.
 * Each redirect is checked again, and the size of the response is limited.
 */
import { DEFAULT_PORTS, parseAuthority, parsePath } from "../../policy/index.ts";
import { HearthError } from "@hearth/protocol";
import type { Answer, Exchange, Outgoing } from "./exchange.ts";
import { type HeaderLine, valuesOf, withoutHeaders } from "./head.ts";
import type { OutgoingBody } from "./round-trip.ts";
import type { UpstreamConnection } from "./upstream-connection.ts";
import type { EgressCaller } from "./tokens.ts";

export interface EgressRequest {
  readonly url: string;
  /** Default GET. */
  readonly method?: string;
  readonly headers?: readonly HeaderLine[];
  readonly body?: Uint8Array;
  /** Default 4 MiB. */
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
const MAX_ANSWER = 4 * 1024 * 1024;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/**
 * Headers that are not sent to another host after a redirect. The exchange removes
 * `Proxy-Authorization`.
 */
const PERSONAL_HEADERS = ["authorization", "cookie"];

export const createEgressFetch =
  ({ exchange, openLine }: { readonly exchange: Exchange; readonly openLine: () => UpstreamConnection }): EgressFetch =>
  async (request, caller) => {
    const { maxBytes = MAX_ANSWER } = request;
    let step: Step = {
      url: request.url,
      method: request.method ?? "GET",
      headers: request.headers ?? [],
      body: request.body,
      chosenBy: "call",
    };
    for (let count = 0; count <= MAX_REDIRECTS; count += 1) {
      const line = openLine();
      try {
        const answer = await exchange(toOutgoing(step), caller, line);
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
        line.drop();
      }
    }
    throw new HearthError("egress.failed", `The request was redirected more than ${MAX_REDIRECTS} times.`);
  };

interface Step {
  readonly url: string;
  readonly method: string;
  readonly headers: readonly HeaderLine[];
  readonly body: Uint8Array | undefined;
  readonly chosenBy: "call" | "granted-page" | "public-page";
}

const toOutgoing = ({ url, method, headers, body, chosenBy }: Step): Outgoing => {
  const [, scheme = "", authority = "", rest = ""] = /^(https?):\/\/([^/?#\\]*)([^#]*)/i.exec(url) ?? [];
  const place = parseAuthority(authority);
  const path = parsePath(rest.startsWith("/") ? rest : `/${rest}`);
  if (place === undefined || path === undefined || !/^(?!CONNECT$)[A-Z]{1,20}$/.test(method))
    throw new HearthError("egress.refused", "The URL is not the address of a host on the network.");
  const kind = scheme.toLowerCase() === "https" ? "https" : "http";
  const sent: OutgoingBody | undefined =
    body === undefined || body.length === 0
      ? undefined
      : { framing: { kind: "length", size: body.length }, bytes: once(body) };
  return {
    origin: { scheme: kind, host: place.host, port: place.port ?? DEFAULT_PORTS[kind] },
    method,
    path,
    chosenBy,
    headers: [...withoutHeaders(headers, ["accept-encoding"]), ["Accept-Encoding", "identity"]],
    ...(sent === undefined ? {} : { body: sent }),
  };
};

/**
 * Returns the next step of a redirect, as a browser follows it, but never from HTTPS to HTTP.
 * Headers for one host are not sent to another.
 */
const follow = (step: Step, { status, isFromPublicWeb }: Answer, location: string): Step => {
  const from = new URL(step.url);
  if (!URL.canParse(location, from)) throw new HearthError("egress.refused", "The redirect has no valid address.");
  const to = new URL(location, from);
  if (to.protocol !== "https:" && !(to.protocol === "http:" && from.protocol === "http:"))
    throw new HearthError("egress.refused", `The redirect from ${from.protocol} to ${to.protocol} is not followed.`);
  to.hash = "";
  const isOther = to.origin !== from.origin;
  const isRead = status === 303 || ((status === 301 || status === 302) && step.method === "POST");
  return {
    url: to.href,
    method: isRead && step.method !== "HEAD" ? "GET" : step.method,
    headers: isOther ? withoutHeaders(step.headers, PERSONAL_HEADERS) : step.headers,
    body: isRead ? undefined : step.body,
    // After one step in the public web, the address may be any stranger's choice.
    chosenBy: isFromPublicWeb || step.chosenBy === "public-page" ? "public-page" : "granted-page",
  };
};

const collect = async (
  pieces: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<{ readonly body: Uint8Array; readonly isCut: boolean }> => {
  const received: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    received.push(piece.subarray(0, maxBytes - size));
    size += piece.length;
    if (size > maxBytes) break;
  }
  const body = new Uint8Array(Math.min(size, maxBytes));
  let at = 0;
  for (const piece of received) {
    body.set(piece, at);
    at += piece.length;
  }
  return { body, isCut: size > maxBytes };
};

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
