/**
 * Sends one request over a connection and reads its response. Implements HTTP/1.1, and does not
 * depend on the caller or its grants.
 */
import { type Clock, HearthError, isHearthError } from "@hearth/protocol";
import { frameChunk, framingHeaders, framingOfResponse, type Framing, terminatorOf, readBody } from "./body.ts";
import { eachWithDeadline, withDeadline } from "./deadline.ts";
import {
  formatRequestHead,
  type HeaderLine,
  listOf,
  MAX_HEAD_SIZE,
  parseResponseHead,
  type ResponseHead,
} from "./head.ts";
import type { RequestConnection } from "./upstream-connection.ts";

export interface OutgoingBody {
  readonly framing: Framing;
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface RoundTrip {
  readonly head: ResponseHead;
  readonly framing: Framing;
  /** The body. Reading it throws `egress.*` if it is truncated. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Whether another request may follow on the same connection. The result is valid after the body was read. */
  isReusable(): boolean;
}

/** Maximum wait for the status line after the request was sent. Some upstreams need long. */
const ANSWER_TIMEOUT_MS = 300_000;
/** Maximum pause between two pieces, in either direction. */
export const PIECE_TIMEOUT_MS = 120_000;
/** Maximum number of interim (1xx) responses before the final one. */
const MAX_INTERIM = 10;

export const roundTrip = async (
  connection: RequestConnection,
  request: {
    readonly method: string;
    readonly target: string;
    readonly headers: readonly HeaderLine[];
    readonly body: OutgoingBody | undefined;
  },
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<RoundTrip> => {
  const { method, target, body } = request;
  const headers = [...request.headers, ...framingHeaders(body?.framing ?? { kind: "none" })];
  await connection.write(formatRequestHead({ method, target, headers }));
  // The upload runs concurrently, because an upstream may respond before it has read the whole
  // request.
  const upload = sendBody(connection, body, { clock, signal });

  const readHead = async (): Promise<ResponseHead> => {
    for (let count = 0; count <= MAX_INTERIM; count += 1) {
      const reading = Promise.race([connection.reader.readHead(MAX_HEAD_SIZE), upload.failed]);
      // The time counts from the moment when the request has been sent.
      await Promise.race([reading, upload.settled]);
      const bytes = await withDeadline(clock, ANSWER_TIMEOUT_MS, "The answer", reading, signal);
      if (bytes === undefined)
        throw new HearthError("egress.failed", "The upstream closed the connection without a response.");
      const head = parseResponseHead(bytes);
      if (head.status === 101) throw new HearthError("egress.failed", "The upstream switched to another protocol.");
      if (head.status >= 200) return head;
    }
    throw new HearthError("egress.failed", `The upstream sent more than ${MAX_INTERIM} interim responses.`);
  };

  const head = await readHead();
  const framing = framingOfResponse(method, head);
  return {
    head,
    framing,
    body: eachWithDeadline(clock, PIECE_TIMEOUT_MS, "The answer", readBody(connection.reader, framing), signal),
    isReusable: () =>
      framing.kind !== "open" &&
      head.version === 1 &&
      !listOf(head.headers, "connection").includes("close") &&
      upload.isDone() &&
      // Further bytes would be taken for the next response.
      !connection.reader.hasMore(),
  };
};

interface Upload {
  /** Resolves when sending has stopped, even if only a part of the body was sent. */
  readonly settled: Promise<void>;
  /** Rejects if the client closed its side, or may send no further bytes. */
  readonly failed: Promise<never>;
  isDone(): boolean;
}

const sendBody = (
  connection: RequestConnection,
  body: OutgoingBody | undefined,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Upload => {
  let isDone = body === undefined;
  const failed = Promise.withResolvers<never>();
  /**
   * Returns whether the upstream accepts more bytes. If it does not, it may have responded
   * already.
   */
  const write = async (bytes: Uint8Array): Promise<boolean> => {
    try {
      await connection.write(bytes);
      return true;
    } catch (error) {
      if (isHearthError(error, "egress.refused")) throw error;
      return false;
    }
  };
  const send = async ({ framing, bytes }: OutgoingBody): Promise<void> => {
    for await (const piece of eachWithDeadline(clock, PIECE_TIMEOUT_MS, "The request", bytes, signal)) {
      if (!(await write(frameChunk(framing, piece)))) return;
    }
    isDone = await write(terminatorOf(framing));
  };
  const settled = body === undefined ? Promise.resolve() : send(body).catch(failed.reject);
  return { settled, failed: failed.promise, isDone: () => isDone };
};
