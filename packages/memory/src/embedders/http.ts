/** What embedders over HTTP have in common: batches, a time limit, a bounded answer that is checked, and words for what went wrong. */
import { HearthError } from "@hearth/protocol";
import type { z } from "zod";
import type { Embedder } from "./embedder.ts";
import type { EmbedderOptions } from "./factory.ts";
import { toUnit } from "./unit.ts";

/** What tells one wire from another. */
export interface EmbedderWire {
  /** How people know it. */
  readonly peer: string;
  readonly path: string;
  readonly answer: z.ZodType<readonly (readonly number[])[]>;
  /** What it took, in tokens, where the peer says so. */
  readonly usage: z.ZodType<number>;
  toBody(model: string, texts: readonly string[]): object;
}

const TIMEOUT_MS = 60_000;
const MAX_BATCH = 64;
/** Peers take 8,192 tokens and more, and no script has less than a character a token. */
const MAX_TEXT = 8000;
/** A number is some 20 characters as JSON. */
const MAX_NUMBER = 32;
/** Peers refuse a text in which there is nothing. */
const EMPTY = "-";

export const createHttpEmbedder = (wire: EmbedderWire, options: EmbedderOptions): Embedder => {
  const { model, dimensions } = requireTold(wire, options);
  const embedBatch = async (texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> => {
    // Cleaned before it is cut: half a secret is not known again.
    const sent = texts.map((text) => toSendable(options.clean?.(text) ?? text));
    const maxSize = texts.length * dimensions * MAX_NUMBER + MAX_BATCH * 1024;
    const toll = await options.pay?.(tokensAtMost(sent));
    const text = await post(wire, options, wire.toBody(model, sent), maxSize, signal, toll?.settle);
    toll?.settle(wire.usage.safeParse(parse(text)).data);
    const vectors = wire.answer.safeParse(parse(text));
    if (!vectors.success || vectors.data.length !== texts.length) {
      throw unusable(`${wire.peer} gave an answer that is none.`, "See that its address is right.");
    }
    return vectors.data.map((vector) => {
      if (vector.length === dimensions) return toUnit(Float32Array.from(vector));
      throw unusable(
        `${wire.peer} gave ${vector.length} numbers for a text where ${dimensions} were expected of ${model}.`,
        `Say dimensions = ${vector.length} below [memory] in hearth.toml if the model is the right one.`,
      );
    });
  };
  return {
    // The same name may be another model elsewhere, or of another length.
    name: `${wire.peer}/${model} (${dimensions}) at ${options.baseUrl ?? ""}`,
    ...{ dimensions, together: MAX_BATCH },
    async embed(texts, signal = new AbortController().signal) {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += MAX_BATCH) {
        vectors.push(...(await embedBatch(texts.slice(at, at + MAX_BATCH), signal)));
      }
      if (signal.aborted) throw aborted();
      return vectors;
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
};

/** No token is less than a byte, and some peers put one before each text and one after it. */
const tokensAtMost = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + encoder.encode(text).length + 2, 0);

const encoder = new TextEncoder();

const requireTold = ({ peer }: EmbedderWire, { baseUrl, model, dimensions }: EmbedderOptions) => {
  if (baseUrl !== undefined && model !== undefined && dimensions !== undefined) return { model, dimensions };
  throw new HearthError("config.invalid", `Embeddings of ${peer} need an address, a model and its dimensions.`, {
    hint: "Say base_url, model and dimensions below [memory] in hearth.toml.",
  });
};

const toSendable = (text: string): string => text.slice(0, MAX_TEXT).toWellFormed().trim() || EMPTY;

/** The answer's text, or nothing when it is larger than `maxSize` bytes. */
const post = async (
  { peer, path }: EmbedderWire,
  { fetch, clock, baseUrl = "", key: readKey }: EmbedderOptions,
  body: object,
  maxSize: number,
  signal: AbortSignal,
  settle: (tokens: number | undefined) => void = () => {},
): Promise<string> => {
  const over = new AbortController();
  const answered = new AbortController();
  const stop = (): void => over.abort();
  signal.addEventListener("abort", stop, { signal: answered.signal });
  if (signal.aborted) stop();
  clock.sleep(TIMEOUT_MS, answered.signal).then(stop, stop);
  let isTaken = false;
  try {
    const key = await readKey?.();
    const response = await fetch(`${baseUrl}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
      body: JSON.stringify(body),
      // A redirect might take the key and the texts elsewhere.
      redirect: "error",
      signal: over.signal,
    });
    if (!response.ok) throw refused(peer, response.status);
    isTaken = true;
    return await readText(response, maxSize);
  } catch (cause) {
    // Nobody asks money for what was turned away or never came; of what was broken off nobody knows.
    settle(isTaken || over.signal.aborted ? undefined : 0);
    if (signal.aborted) throw aborted();
    if (cause instanceof HearthError) throw cause;
    const late = over.signal.aborted ? ` in ${TIMEOUT_MS / 1000} s` : "";
    throw unusable(`${peer} did not answer${late}.`, "See that it runs and that base_url below [memory] is right.");
  } finally {
    answered.abort();
  }
};

const readText = async (response: Response, maxSize: number): Promise<string> => {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let size = 0; reader !== undefined;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > maxSize) {
      await reader.cancel();
      return "";
    }
    text += decoder.decode(value, { stream: true });
  }
  return text;
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const refused = (peer: string, status: number): HearthError => {
  if (status === 401 || status === 403) return unusable(`${peer} does not take the key.`, "See its key.");
  if (status === 404) return unusable(`${peer} has no such model or address.`, "See model and base_url.");
  if (status === 429) return unusable(`${peer} was asked too often.`, "It is asked again later.");
  return unusable(`${peer} answered ${status}.`, "It is asked again later; see its own log.");
};

const unusable = (message: string, hint: string): HearthError =>
  new HearthError("memory.no-embedder", message, { hint });
const aborted = (): HearthError => new HearthError("memory.aborted", "Embedding was stopped.");
