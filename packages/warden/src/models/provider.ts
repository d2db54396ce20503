/**
 * The interface of a language model behind a wire. It does not depend on rooms, agents or secrets:
 * its caller passes a key and a request.
 */
import type { Clock, Fetch, FileKind, FilePart, ModelEvent, ModelRequest } from "@hearth/protocol";
import type { PictureLimits } from "@hearth/protocol/picture-sizes";
import type { ChargeGate } from "./resilience/charge.ts";

/** Returns the bytes of a file, or undefined if they are no longer stored. */
export type ReadFile = (part: FilePart) => Promise<Uint8Array | undefined>;

/**
 * Returns the text of a document, between marks and at most this long, or a sentence that says why
 * there is no text. Returns undefined if the file is not a document.
 */
export type ReadText = (part: FilePart, maxLength: number) => Promise<FileText | undefined>;
/**
 * A document's text. `omitted` describes the part of the document that the text lacks, as the end
 * of a sentence. `why` says why there is no text.
 */
export type FileText = { readonly text: string; readonly omitted?: string } | { readonly why: string };

/**
 * Returns a picture within these limits, or a sentence with the reason why it cannot. Returns undefined
 * if the picture is no longer stored, or its original belongs to no message.
 */
export type ScalePart = (part: FilePart, limits: PictureLimits) => Promise<ScaledPart | undefined>;
export type ScaledPart =
  | { readonly type: string; readonly width: number; readonly height: number; readonly bytes: Uint8Array }
  | { readonly why: string };

/** The parts of the house that a call may use. */
export interface CallContext {
  readonly chargeGate?: ChargeGate | undefined;
  /** Reads the files of the request. Absent: the model gets their descriptions. */
  readonly readFile?: ReadFile | undefined;
  /** Reads documents for a model that does not accept them. Absent: the model gets their descriptions. */
  readonly readText?: ReadText | undefined;
  /** Scales pictures down. Absent: the model gets only pictures within its limits. */
  readonly scale?: ScalePart | undefined;
}

export interface Provider {
  readonly kind: string;
  readonly traits: {
    /** The provider answers without a network and without a key. */
    readonly offline: boolean;
    /** The kinds of files whose bytes it sends to a model that accepts them. */
    readonly carries: readonly FileKind[];
  };
  /**
   * Streams one assistant message.
   *
   * Contract, checked by `providerConformance`:
   * - never throws; a failure is the final `error` event, with a `provider.*` code and a message
   *   for a person
   * - ends with exactly one `end` or `error`, and nothing follows it
   * - `retry` is sent before the pause, and only before the first text delta
   * - the text deltas, joined, equal `end.message.text`
   * - `end` only after the wire's own terminal event: a stream cut at any byte is an `error`
   *   (`provider.truncated`)
   * - every tool call of `end` has a name and an object as input, complete as the model wrote it;
   *   ids are unique
   * - arguments that are not a JSON object do not fail the stream: the call has `{}` as input, and
   *   the text as `unreadable`
   * - usage is what the wire reported; missing or negative counts are 0. Reported usage of a failed
   *   answer is passed on
   * - an aborted signal ends the stream with `provider.aborted` and closes the connection
   * - a provider from a catalog makes no vendor request without a charge from `chargeGate`; a refusal of
   *   `chargeGate` is the final `error`, unchanged
   * - the bytes of a loaded file are in the request, and a file that is not loaded never is
   * - silence for `IDLE_TIMEOUT_MS` ends the stream with `provider.timeout`, and so does any answer
   *   longer than `TOTAL_TIMEOUT_MS`
   */
  stream(request: ModelRequest, signal: AbortSignal, context?: CallContext): AsyncIterable<ModelEvent>;
  /**
   * Returns the names of its models, in its own order.
   *
   * Contract, checked by `providerConformance`:
   * - a failure is a `provider.*` error with a message for a person
   * - it takes at most seconds: a list that does not arrive is `provider.timeout`
   * - an aborted signal ends it with `provider.aborted` and closes the connection
   */
  models(signal: AbortSignal): Promise<readonly string[]>;
}

/** Maximum silence on the wire. */
export const IDLE_TIMEOUT_MS = 120_000;
/** Maximum duration of one answer, even while it streams. Long, because a local model may be slow. */
export const TOTAL_TIMEOUT_MS = 30 * 60_000;

export interface ProviderOptions {
  /** The API's base URL, for proxies, compatible servers and tests. Default: the vendor's. */
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly fetch: Fetch;
  readonly clock: Clock;
}

export type ProviderFactory = (options: ProviderOptions) => Provider | Promise<Provider>;
