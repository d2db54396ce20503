/**
 * Runs one model call for a client. Returns its events, a `silence` event during long pauses, and
 * the usage, even if the client disconnects before the end.
 */
import { truncatedAttempt, type Provider } from "../../models/index.ts";
import {
  type Clock,
  type ErrorBody,
  MAX_MESSAGE_LENGTH,
  type ModelEvent,
  type ModelRequest,
  type Usage,
} from "@hearth/protocol";

export type ModelStreamEvent = Exclude<ModelEvent, { type: "retry" }> | { readonly type: "silence" };

export interface ModelStream {
  /** Returns the next event. Must not be called after an `end` or an `error`. */
  next(): Promise<ModelStreamEvent>;
  /**
   * Ends the call if it is still running, and returns its known cost. Must not be called while
   * `next` is pending.
   */
  close(): Promise<Usage | undefined>;
}

export interface ModelStreamOptions {
  readonly provider: Provider;
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Called once, when the call has ended or failed. */
  readonly onEnd?: (end: CallEnd) => void;
}

/** How a call ended. */
export interface CallEnd {
  readonly usage?: Usage | undefined;
  readonly error?: ErrorBody | undefined;
}

/**
 * Pause after which the client gets a keep-alive event, because programs time out after minutes.
 */
export const KEEP_ALIVE_PAUSE_MS = 15_000;

export const createModelStream = ({ provider, request, signal, clock, onEnd }: ModelStreamOptions): ModelStream => {
  const clientLeft = new AbortController();
  const events = provider.stream(request, AbortSignal.any([signal, clientLeft.signal]))[Symbol.asyncIterator]();
  let pending: Promise<IteratorResult<ModelEvent>> | undefined;
  let length = 0;
  let hasEnded = false;
  let usage: Usage | undefined;

  const end = (outcome: CallEnd): void => {
    if (!hasEnded) onEnd?.(outcome);
    hasEnded = true;
  };

  const recordEvent = (event: ModelEvent): ModelEvent => {
    if (event.type === "text-delta" || event.type === "retry") return event;
    usage = event.usage;
    end({ usage, error: event.type === "error" ? event.error : undefined });
    return event;
  };

  const close = async (): Promise<Usage | undefined> => {
    clientLeft.abort();
    while (!hasEnded) {
      const result = await (pending ?? events.next());
      pending = undefined;
      if (result.done === true) end({});
      else recordEvent(result.value);
    }
    return usage;
  };

  const next: ModelStream["next"] = async () => {
    pending ??= events.next();
    const result = await raceSilence(clock, pending);
    if (result === "silence") return { type: "silence" };
    pending = undefined;
    const event = recordEvent(result.done === true ? truncatedAttempt : result.value);
    // The vendors' APIs have no retry event, so the client sees a pause.
    if (event.type === "retry") return next();
    if (event.type !== "text-delta") return event;
    length += event.text.length;
    if (length <= MAX_MESSAGE_LENGTH) return event;
    await close();
    return tooLongEvent;
  };

  return { close, next };
};

const raceSilence = async <Value>(clock: Clock, pending: Promise<Value>): Promise<Value | "silence"> => {
  const controller = new AbortController();
  const silence = clock.sleep(KEEP_ALIVE_PAUSE_MS, controller.signal).then(() => "silence" as const);
  try {
    return await Promise.race([pending, silence]);
  } finally {
    controller.abort();
  }
};

const tooLongEvent: ModelStreamEvent = {
  type: "error",
  error: {
    code: "provider.failed",
    message: `The model's answer exceeded ${MAX_MESSAGE_LENGTH} characters and was cut off.`,
    hint: "Ask for something shorter.",
  },
};
