/**
 * Sends one request, limits the size of its answer, and converts every failure to a `provider.*`
 * error.
 */
import { type Clock, type ErrorBody, type Fetch, fromErrorBody, HearthError, isHearthError } from "@hearth/protocol";
import { createDeadline } from "../resilience/deadline.ts";
import {
  describeThrown,
  describeUnreachable,
  describeVendorError,
  type Failure,
  malformedError,
  type Peer,
} from "../resilience/failure.ts";
import { parseJson } from "./json.ts";
import { readVendorError } from "./vendor-error.ts";
import { guardFetch, hostOf, readStart } from "./wire.ts";

/** Default maximum duration of one call. */
export const VENDOR_CALL_TIMEOUT_MS = 120_000;

export interface WireOptions {
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** The base URL without a slash at the end. Absent for the vendor's. */
  readonly baseUrl?: string;
  readonly apiKey?: string;
  /** The model. Absent for the default of the kind. */
  readonly model?: string;
}

export interface VendorCall {
  readonly url: string;
  /** The headers, including the key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: RequestInit["body"];
  readonly maxBytes: number;
  /** Maximum duration of the call. Absent for two minutes. */
  readonly limitMs?: number;
}

export interface VendorAnswer {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The media type, without parameters. */
  readonly type: string;
}

/**
 * Makes the call. `read` interprets the answer, and throws `provider.*` for one that it cannot use.
 */
export const callVendor = async <Result>(
  { fetch, clock, apiKey }: WireOptions,
  { url, headers, body, maxBytes, limitMs = VENDOR_CALL_TIMEOUT_MS }: VendorCall,
  signal: AbortSignal,
  read: (answer: VendorAnswer) => Result,
): Promise<Result> => {
  const peer: Peer = { host: hostOf(url), apiKey, now: clock.now };
  using deadline = createDeadline({ clock, ms: limitMs, signal });
  let hasResponse = false;
  let failure: Failure;
  try {
    deadline.signal.throwIfAborted();
    const response = await guardFetch(fetch)(url, {
      method: "POST",
      headers,
      ...(body === undefined ? {} : { body }),
      signal: deadline.signal,
    });
    hasResponse = true;
    if (response.ok) {
      const bytes = await readAll(response, maxBytes);
      return read({ bytes, type: (response.headers.get("content-type") ?? "").replace(/\s*;.*/s, "").toLowerCase() });
    }
    const text = await readStart(response);
    failure = describeVendorError(readVendorError(response.status, parseJson(text) ?? text), response.headers, peer);
  } catch (error) {
    failure = hasResponse && isHearthError(error) ? describeThrown(error, peer) : describeUnreachable(error, peer);
  }
  if (signal.aborted) failure = describeThrown(new HearthError("provider.aborted", "The call was stopped."), peer);
  else if (deadline.hasExpired())
    failure = describeThrown(
      new HearthError("provider.timeout", `The answer did not arrive within ${limitMs / 1000} s.`),
      peer,
    );
  throw fromErrorBody(withRetryTime(failure));
};

/** Adds to the error when the vendor accepts the next call, if the vendor names a time. */
const withRetryTime = ({ error, retryAfterMs }: Failure): ErrorBody =>
  retryAfterMs === undefined
    ? error
    : {
        ...error,
        hint: `Try again in ${Math.max(1, Math.ceil(retryAfterMs / 1000))} s. ${error.hint ?? ""}`.trimEnd(),
      };

const readAll = async (response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> => {
  const announcedBytes = Number(response.headers.get("content-length") ?? 0);
  if (announcedBytes > maxBytes) {
    await response.body?.cancel();
    throw malformedError(`The answer has more than ${maxBytes} bytes.`);
  }
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.length;
    // Leaving the loop cancels the body.
    if (size > maxBytes) throw malformedError(`The answer has more than ${maxBytes} bytes.`);
    pieces.push(piece);
  }
  const joinedBytes = new Uint8Array(size);
  let offset = 0;
  for (const piece of pieces) {
    joinedBytes.set(piece, offset);
    offset += piece.length;
  }
  return joinedBytes;
};
