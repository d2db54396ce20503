/**
 * Runs one model call for a client: returns events and silences, and the cost even if the client
 * leaves before the end.
 */
import { truncatedAttempt, type Provider } from "../../models/index.ts";
import { type Clock, MAX_MESSAGE_LENGTH, type ModelEvent, type ModelRequest, type Usage } from "@hearth/protocol";

export type ListenEvent = Exclude<ModelEvent, { type: "retry" }> | { readonly type: "silence" };

export interface Listening {
  /** Returns the next event. Must not be called after an `end` or an `error`. */
  next(): Promise<ListenEvent>;
  /**
   * Ends the call if it is still running, and returns its known cost. Must not be called while
   * `next` is pending.
   */
  close(): Promise<Usage | undefined>;
}

export interface ListeningOptions {
  readonly provider: Provider;
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/**
 * Duration of a silence after which the client gets a sign of life, because programs time out after
 * minutes.
 */
export const SILENCE_MS = 15_000;

export const createModelStream = ({ provider, request, signal, clock }: ListeningOptions): Listening => {
  const left = new AbortController();
  const events = provider.stream(request, AbortSignal.any([signal, left.signal]))[Symbol.asyncIterator]();
  let coming: Promise<IteratorResult<ModelEvent>> | undefined;
  let length = 0;
  let isOver = false;
  let usage: Usage | undefined;

  const take = (event: ModelEvent): ModelEvent => {
    if (event.type === "text-delta" || event.type === "retry") return event;
    isOver = true;
    usage = event.usage;
    return event;
  };

  const close = async (): Promise<Usage | undefined> => {
    left.abort();
    while (!isOver) {
      const rest = await (coming ?? events.next());
      coming = undefined;
      if (rest.done === true) isOver = true;
      else take(rest.value);
    }
    return usage;
  };

  const next: Listening["next"] = async () => {
    coming ??= events.next();
    const first = await raceSilence(clock, coming);
    if (first === "silence") return { type: "silence" };
    coming = undefined;
    const event = take(first.done === true ? truncatedAttempt : first.value);
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

const raceSilence = async <Value>(clock: Clock, coming: Promise<Value>): Promise<Value | "silence"> => {
  const controller = new AbortController();
  const silence = clock.sleep(SILENCE_MS, controller.signal).then(() => "silence" as const);
  try {
    return await Promise.race([coming, silence]);
  } finally {
    controller.abort();
  }
};

const tooLongEvent: ListenEvent = {
  type: "error",
  error: {
    code: "provider.failed",
    message: `The model's answer exceeded ${MAX_MESSAGE_LENGTH} characters and was cut off.`,
    hint: "Ask for something shorter.",
  },
};
