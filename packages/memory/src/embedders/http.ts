/**
 * The shared part of HTTP embedders. It sends batches with a timeout, limits and validates the
 * response, and describes errors.
 */
import { HearthError, readBoundedText, isHearthError } from "@hearth/protocol";
import type { z } from "zod";
import type { Embedder } from "./embedder.ts";
import type { EmbedderOptions } from "./factory.ts";
import { toUnit } from "./unit.ts";

/** The differences between the APIs. */
export interface EmbedderWire {
  /** Name of the service for users. */
  readonly serviceName: string;
  readonly path: string;
  readonly answerSchema: z.ZodType<readonly (readonly number[])[]>;
  /** Number of tokens used, if the service reports it. */
  readonly usageSchema: z.ZodType<number>;
  toBody(model: string, texts: readonly string[]): object;
}

const TIMEOUT_MS = 60_000;
const MAX_BATCH = 64;
/**
 * Maximum length of a text in characters. Services accept at least 8,192 tokens, and a token has at
 * least one character.
 */
const MAX_TEXT_LENGTH = 8000;
/** Maximum size of a number in JSON, which usually has about 20 bytes. */
const MAX_NUMBER_BYTES = 32;
/** The text that is sent instead of an empty one, which services refuse. */
const EMPTY_PLACEHOLDER = "-";

export const createHttpEmbedder = (wire: EmbedderWire, options: EmbedderOptions): Embedder => {
  const { model, dimensions } = requireSettings(wire, options);
  const embedBatch = async (texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> => {
    // Removes secrets before truncating, because a truncated secret would not be recognised.
    const sentTexts = texts.map((text) => toSendable(options.redact?.(text) ?? text));
    const maxSize = texts.length * dimensions * MAX_NUMBER_BYTES + MAX_BATCH * 1024;
    const charge = await options.reserve?.(maxTokensOf(sentTexts));
    const text = await post(wire, options, wire.toBody(model, sentTexts), maxSize, signal, charge?.settle);
    charge?.settle(wire.usageSchema.safeParse(parse(text)).data);
    const vectors = wire.answerSchema.safeParse(parse(text));
    if (!vectors.success || vectors.data.length !== texts.length) {
      throw embedderError(
        `${wire.serviceName} returned an invalid response.`,
        "Correct its address: hearth config set memory.base_url=URL",
      );
    }
    return vectors.data.map((vector) => {
      if (vector.length === dimensions) return toUnit(Float32Array.from(vector));
      throw embedderError(
        `${wire.serviceName} returned vectors of ${vector.length} numbers; ${dimensions} were expected of ${model}.`,
        `If the model is right: hearth config set memory.dimensions=${vector.length}`,
      );
    });
  };
  return {
    // The name contains the server and the size, because either can mean another model of the same name.
    name: `${wire.serviceName}/${model} (${dimensions}) at ${options.baseUrl ?? ""}`,
    dimensions,
    batchSize: MAX_BATCH,
    async embed(texts, signal = new AbortController().signal) {
      const vectors: Float32Array[] = [];
      for (let start = 0; start < texts.length; start += MAX_BATCH) {
        vectors.push(...(await embedBatch(texts.slice(start, start + MAX_BATCH), signal)));
      }
      if (signal.aborted) throw abortedError();
      return vectors;
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
};

/**
 * Returns an upper bound of the number of tokens. A token has at least one byte, and some services
 * add one token before and one after each text.
 */
const maxTokensOf = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + encoder.encode(text).length + 2, 0);

const encoder = new TextEncoder();

const requireSettings = ({ serviceName }: EmbedderWire, { baseUrl, model, dimensions }: EmbedderOptions) => {
  if (baseUrl !== undefined && model !== undefined && dimensions !== undefined) return { model, dimensions };
  throw new HearthError("config.invalid", `The embedder ${serviceName} needs an address, a model and its dimensions.`, {
    hint: "Set them: hearth config set memory.base_url=URL memory.model=MODEL memory.dimensions=NUMBER",
  });
};

const toSendable = (text: string): string => text.slice(0, MAX_TEXT_LENGTH).toWellFormed().trim() || EMPTY_PLACEHOLDER;

/** Returns the response body, or an empty string if it is larger than `maxSize` bytes. */
const post = async (
  { serviceName, path }: EmbedderWire,
  { fetch, clock, baseUrl = "", readKey }: EmbedderOptions,
  body: object,
  maxSize: number,
  signal: AbortSignal,
  settle: (tokens: number | undefined) => void = () => {},
): Promise<string> => {
  const abort = new AbortController();
  const requestEnd = new AbortController();
  const stop = (): void => abort.abort();
  signal.addEventListener("abort", stop, { signal: requestEnd.signal });
  if (signal.aborted) stop();
  clock.sleep(TIMEOUT_MS, requestEnd.signal).then(stop, stop);
  let isAccepted = false;
  try {
    const key = await readKey?.();
    const response = await fetch(`${baseUrl}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
      body: JSON.stringify(body),
      // A redirect could send the key and the texts to another server.
      redirect: "error",
      signal: abort.signal,
    });
    if (!response.ok) throw refusedError(serviceName, response.status);
    isAccepted = true;
    return (await readBoundedText(response.body, maxSize)) ?? "";
  } catch (cause) {
    // A rejected or unsent request costs nothing. The cost of an interrupted one is unknown.
    settle(isAccepted || abort.signal.aborted ? undefined : 0);
    if (signal.aborted) throw abortedError();
    if (isHearthError(cause)) throw cause;
    const withinTime = abort.signal.aborted ? ` in ${TIMEOUT_MS / 1000} s` : "";
    throw embedderError(
      `${serviceName} did not answer${withinTime}.`,
      "Check that it runs, or correct its address: hearth config set memory.base_url=URL",
    );
  } finally {
    requestEnd.abort();
  }
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const refusedError = (peer: string, status: number): HearthError => {
  if (status === 401 || status === 403)
    return embedderError(`${peer} rejected the key.`, "Correct its key: hearth config set memory.api_key=REFERENCE");
  if (status === 404)
    return embedderError(
      `${peer} does not know the model or address.`,
      "Correct them: hearth config set memory.model=MODEL memory.base_url=URL",
    );
  if (status === 429) return embedderError(`${peer} limits the request rate.`, "Hearth retries in a minute.");
  return embedderError(`${peer} answered ${status}.`, "Hearth retries in a minute. Check the log of the server.");
};

const embedderError = (message: string, hint: string): HearthError =>
  new HearthError("memory.no-embedder", message, { hint });
const abortedError = (): HearthError => new HearthError("memory.aborted", "Embedding was stopped.");
