/** One call of a model, as long as somebody listens to it: what it says, its silences, and what it cost also where nobody heard the end. */
import { unended, type Provider } from "../../models/index.ts";
import { type Clock, MAX_MESSAGE_LENGTH, type ModelEvent, type ModelRequest, type Usage } from "@hearth/protocol";

export type Heard = Exclude<ModelEvent, { type: "retry" }> | { readonly type: "silence" };

export interface Listening {
  /** What comes next. Nobody asks again after an `end` or an `error`. */
  next(): Promise<Heard>;
  /** Ends the call where it is not over. What it cost, as far as its provider told. Not while `next` is waited for. */
  close(): Promise<Usage | undefined>;
}

export interface ListeningOptions {
  readonly provider: Provider;
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/** So long without a word, and whoever asked is told that somebody is still there. Programs give up after minutes. */
export const SILENCE_MS = 15_000;

export const createListening = ({ provider, request, signal, clock }: ListeningOptions): Listening => {
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
    const first = await orSilence(clock, coming);
    if (first === "silence") return { type: "silence" };
    coming = undefined;
    const event = take(first.done === true ? unended : first.value);
    // The vendors' wires have no word for it: a program sees a silence.
    if (event.type === "retry") return next();
    if (event.type !== "text-delta") return event;
    length += event.text.length;
    if (length <= MAX_MESSAGE_LENGTH) return event;
    await close();
    return endless;
  };

  return { close, next };
};

const orSilence = async <Value>(clock: Clock, coming: Promise<Value>): Promise<Value | "silence"> => {
  const over = new AbortController();
  const silence = clock.sleep(SILENCE_MS, over.signal).then(() => "silence" as const);
  try {
    return await Promise.race([coming, silence]);
  } finally {
    over.abort();
  }
};

const endless: Heard = {
  type: "error",
  error: {
    code: "provider.failed",
    message: `The model's answer exceeded ${MAX_MESSAGE_LENGTH} characters and was cut off.`,
    hint: "Ask for something shorter.",
  },
};
