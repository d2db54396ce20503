/**
 * One call over a wire: opens it, watches the silence, closes it, and turns whatever happens into events that end once.
 * It knows HTTP and event streams; what the events mean is `read`'s affair.
 */
import { type Clock, HearthError, type ModelEvent } from "@hearth/protocol";
import { readComplaint } from "./complaint.ts";
import {
  describeComplaint,
  describeThrown,
  describeUnreachable,
  type Failure,
  malformed,
  type Peer,
} from "./failure.ts";
import { asObject, parseJson } from "./json.ts";
import { readEvents, type ServerEvent } from "./sse.ts";
import { readStart } from "./wire.ts";

const DEFAULT_IDLE_TIMEOUT_MS = 120_000;

export interface Call {
  readonly peer: Peer;
  readonly clock: Clock;
  readonly idleTimeoutMs: number | undefined;
  /** Whoever asked. */
  readonly signal: AbortSignal;
  /** Sends the request. Throws what the vendor's client throws. */
  open(signal: AbortSignal): Promise<Response>;
  /** Understands the answer. Returning without an `end` or `error` means that the answer broke off. */
  read(events: AsyncIterable<ServerEvent>): AsyncIterable<ModelEvent>;
}

export const streamCall = async function* (call: Call): AsyncGenerator<ModelEvent> {
  const { clock, peer, signal, idleTimeoutMs = DEFAULT_IDLE_TIMEOUT_MS } = call;
  const closing = new AbortController();
  const close = (): void => closing.abort();
  if (signal.aborted) close();
  signal.addEventListener("abort", close, { once: true });
  let expired = false;
  const silence = watchSilence(clock, idleTimeoutMs, () => {
    expired = true;
    close();
  });
  let stage: "calling" | "answered" | "ended" = "calling";
  let failure: Failure;
  try {
    closing.signal.throwIfAborted();
    const response = await call.open(closing.signal);
    stage = "answered";
    silence.heard();
    const body = await checkAnswer(response, peer);
    if ("error" in body) failure = body;
    else {
      const events = readEvents({ body, clock, signal: closing.signal, heard: silence.heard });
      for await (const event of call.read(events)) {
        if (signal.aborted) break;
        if (event.type === "end") stage = "ended";
        silence.pause();
        yield event;
        if (event.type !== "text-delta") return;
        silence.heard();
      }
      failure = describeThrown(new HearthError("provider.truncated", "The answer broke off before its end."), peer);
    }
  } catch (error) {
    failure = stage === "calling" ? describeRefusal(error, peer) : describeThrown(error, peer);
  } finally {
    silence.end();
    signal.removeEventListener("abort", close);
    // Only a call that ended well leaves its connection to the next one.
    if (stage !== "ended") close();
  }
  if (signal.aborted) failure = describeThrown(new HearthError("provider.aborted", "The call was stopped."), peer);
  else if (expired)
    failure = describeThrown(new HearthError("provider.timeout", `No word for ${idleTimeoutMs / 1000} s.`), peer);
  yield toEvent(failure);
};

export const toEvent = (failure: Failure): ModelEvent => ({ type: "error", ...failure });

/** The body, if it may be an event stream, or what the server said instead. */
const checkAnswer = async (response: Response, peer: Peer): Promise<ReadableStream<Uint8Array> | Failure> => {
  const type = response.headers.get("content-type") ?? "";
  if (response.body === null) throw new HearthError("provider.truncated", "The answer is empty.");
  if (/html/i.test(type)) throw malformed("The answer is a web page.");
  if (!/json/i.test(type)) return response.body;
  const body = parseJson(await readStart(response));
  if (asObject(body)?.["error"] === undefined) throw malformed("The answer came whole, and a stream was asked for.");
  return describeComplaint(readComplaint(undefined, body), response.headers, peer);
};

/** What a vendor's client throws: with a status if there was an answer, else whatever kept it from the server. */
const describeRefusal = (error: unknown, peer: Peer): Failure => {
  if (!(error instanceof Error && "status" in error && typeof error.status === "number"))
    return describeUnreachable(error, peer);
  const headers = "headers" in error && error.headers instanceof Headers ? error.headers : undefined;
  const parsed = "error" in error ? error.error : undefined;
  // Without JSON the client's message is the status and the body.
  const body = parsed ?? error.message.replace(/^\d{3} /, "").replace(/^status code \(no body\)$/, "");
  return describeComplaint(readComplaint(error.status, body), headers, peer);
};

interface Silence {
  heard(): void;
  /** Whoever reads is busy; that is not the wire's silence. */
  pause(): void;
  end(): void;
}

const watchSilence = (clock: Clock, limitMs: number, expire: () => void): Silence => {
  const over = new AbortController();
  let heardAt = clock.monotonic();
  let paused = false;
  const watch = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const leftMs = paused ? limitMs : heardAt + limitMs - clock.monotonic();
      if (leftMs <= 0) return expire();
      await clock.sleep(leftMs, over.signal);
    }
  };
  void watch();
  return {
    heard() {
      heardAt = clock.monotonic();
      paused = false;
    },
    pause() {
      paused = true;
    },
    end: () => over.abort(),
  };
};
