/**
 * Makes one call over a wire: opens it, watches for silence, closes it, and converts every outcome
 * to events with one end. This file handles HTTP and event streams, and `read` interprets the
 * events.
 */
import { type Clock, HearthError, type ModelEvent, type Usage } from "@hearth/protocol";
import { type FailedAttempt, withUsage } from "../resilience/attempt.ts";
import { readVendorError } from "./vendor-error.ts";
import {
  describeVendorError,
  describeThrown,
  describeUnreachable,
  type Failure,
  malformedError,
  type Peer,
} from "../resilience/failure.ts";
import { asObject, parseJson } from "./json.ts";
import { readEvents, type ServerEvent } from "./sse.ts";
import { bytesOf } from "./text.ts";
import { showDuration } from "../catalog/words.ts";
import { IDLE_TIMEOUT_MS, TOTAL_TIMEOUT_MS } from "../provider.ts";
import { readStart } from "./wire.ts";

export interface Call {
  readonly peer: Peer;
  readonly clock: Clock;
  /** The caller's signal. */
  readonly signal: AbortSignal;
  /** Sends the request. Throws the errors of the vendor's client. */
  open(signal: AbortSignal): Promise<Response>;
  /**
   * Interprets the answer. A return without `end` or `error` means that the answer broke off.
   * Usage and other side data are reported as they arrive, because the vendor charges for them
   * even without an answer.
   */
  read(events: AsyncIterable<ServerEvent>, meter: UsageMeter): AsyncIterable<ModelEvent>;
}

/** Collects the usage of an answer while it arrives. */
export interface UsageMeter {
  /** Records the usage that the vendor reports. A later report replaces an earlier one. */
  setUsage(usage: Usage): void;
  /** Records output other than text, such as reasoning and arguments of tool calls. */
  addOutput(piece: string): void;
}

export const streamCall = async function* (call: Call): AsyncGenerator<ModelEvent> {
  const { clock, peer, signal } = call;
  const callAbort = new AbortController();
  const close = (): void => callAbort.abort();
  if (signal.aborted) close();
  signal.addEventListener("abort", close, { once: true });
  let expiryReason: string | undefined;
  const silenceWatch = watchSilence(clock, (why) => {
    expiryReason = why;
    close();
  });
  let usage: Usage | undefined;
  let saidBytes = 0;
  const meter: UsageMeter = {
    setUsage(counts) {
      usage = counts;
    },
    addOutput(piece) {
      saidBytes += bytesOf(piece);
    },
  };
  let stage: "calling" | "answered" | "ended" = "calling";
  let failure: Failure;
  try {
    callAbort.signal.throwIfAborted();
    const response = await call.open(callAbort.signal);
    stage = "answered";
    silenceWatch.recordData();
    const body = await checkAnswer(response, peer);
    if ("error" in body) failure = body;
    else {
      const events = readEvents({ body, clock, signal: callAbort.signal, onLine: silenceWatch.recordData });
      for await (const event of call.read(events, meter)) {
        if (signal.aborted) break;
        if (event.type === "end") stage = "ended";
        silenceWatch.pause();
        yield event.type === "error" ? withBilledUsage(event, usage, saidBytes) : event;
        if (event.type !== "text-delta") return;
        meter.addOutput(event.text);
        silenceWatch.recordData();
      }
      failure = describeThrown(new HearthError("provider.truncated", "The answer broke off before its end."), peer);
    }
  } catch (error) {
    failure = stage === "calling" ? describeRefusal(error, peer) : describeThrown(error, peer);
  } finally {
    silenceWatch.end();
    signal.removeEventListener("abort", close);
    // Only a completed call leaves its connection open for the next one.
    if (stage !== "ended") close();
  }
  if (signal.aborted) failure = describeThrown(new HearthError("provider.aborted", "The call was stopped."), peer);
  else if (expiryReason !== undefined)
    failure = describeThrown(new HearthError("provider.timeout", expiryReason), peer);
  yield withBilledUsage(toEvent(failure), usage, saidBytes);
};

const withBilledUsage = (failure: FailedAttempt, usage: Usage | undefined, saidBytes: number): FailedAttempt => ({
  ...withUsage(failure, usage),
  ...(saidBytes === 0 ? {} : { saidBytes }),
});

export const toEvent = (failure: Failure): FailedAttempt => ({ type: "error", ...failure });

/** Returns the body if it may be an event stream, or otherwise the server's error. */
const checkAnswer = async (response: Response, peer: Peer): Promise<ReadableStream<Uint8Array> | Failure> => {
  const type = response.headers.get("content-type") ?? "";
  if (response.body === null) throw new HearthError("provider.truncated", "The answer is empty.");
  if (/html/i.test(type)) throw malformedError("The answer is a web page.");
  if (!/json/i.test(type)) return response.body;
  const body = parseJson(await readStart(response));
  if (asObject(body)?.["error"] === undefined)
    throw malformedError("The answer is a single JSON document instead of a stream.");
  return describeVendorError(readVendorError(undefined, body), response.headers, peer);
};

/**
 * Describes an error of a vendor's client: the vendor's error if there was a response, or otherwise
 * the network error.
 */
export const describeRefusal = (error: unknown, peer: Peer): Failure => {
  if (!(error instanceof Error && "status" in error && typeof error.status === "number"))
    return describeUnreachable(error, peer);
  const headers = "headers" in error && error.headers instanceof Headers ? error.headers : undefined;
  const parsed = "error" in error ? error.error : undefined;
  // Without JSON, the client's message is the status and the body.
  const body = parsed ?? error.message.replace(/^\d{3} /, "").replace(/^status code \(no body\)$/, "");
  return describeVendorError(readVendorError(error.status, body), headers, peer);
};

interface SilenceWatch {
  recordData(): void;
  /** Stops the idle timer while the reader is busy. */
  pause(): void;
  end(): void;
}

const watchSilence = (clock: Clock, expire: (why: string) => void): SilenceWatch => {
  const controller = new AbortController();
  const startedAt = clock.monotonic();
  let lastDataAt = startedAt;
  let isPaused = false;
  const watch = async (): Promise<void> => {
    while (!controller.signal.aborted) {
      const idleMs = isPaused ? IDLE_TIMEOUT_MS : lastDataAt + IDLE_TIMEOUT_MS - clock.monotonic();
      const totalMs = startedAt + TOTAL_TIMEOUT_MS - clock.monotonic();
      if (totalMs <= 0) return expire(`The answer did not end within ${showDuration(TOTAL_TIMEOUT_MS)}.`);
      if (idleMs <= 0) return expire(`No data for ${showDuration(IDLE_TIMEOUT_MS)}.`);
      await clock.sleep(Math.min(idleMs, totalMs), controller.signal);
    }
  };
  watch().catch(() => expire("The time limits of the call could not be watched."));
  return {
    recordData() {
      lastDataAt = clock.monotonic();
      isPaused = false;
    },
    pause() {
      isPaused = true;
    },
    end: () => controller.abort(),
  };
};
