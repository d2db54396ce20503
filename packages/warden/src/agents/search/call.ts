/** Sends a search request with a time limit, bounds the answer, and converts failures to errors. */
import { type Clock, type Fetch, HearthError, readBoundedText, isHearthError } from "@hearth/protocol";
import type { z } from "zod";
import type { SearchResult } from "./search.ts";

const TIMEOUT_MS = 20_000;
const MAX_ANSWER_LENGTH = 2 * 1024 * 1024;
const MAX_TITLE_LENGTH = 300;
const MAX_TEXT_LENGTH = 1000;

interface Call<Schema extends z.ZodType> {
  /** The engine's display name. */
  readonly engine: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly answer: Schema;
  readonly signal: AbortSignal;
}

/** Sends the request and returns the validated answer. Throws `search.failed`. */
export const requestEngine = async <Schema extends z.ZodType>(
  { fetch, clock }: { readonly fetch: Fetch; readonly clock: Clock },
  { engine, url, headers = {}, answer, signal }: Call<Schema>,
): Promise<z.output<Schema>> => {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  const requestEnd = new AbortController();
  signal.addEventListener("abort", stop, { signal: requestEnd.signal });
  clock.sleep(TIMEOUT_MS, requestEnd.signal).then(stop, stop);
  if (signal.aborted) stop();
  try {
    // The request follows no redirect, because a redirect could leak the key.
    const request: RequestInit = { headers: { accept: "application/json", ...headers }, redirect: "error" };
    const response = await fetch(url, { ...request, signal: controller.signal });
    if (!response.ok) throw statusError(engine, response.status);
    const parsed = answer.safeParse(parse((await readBoundedText(response.body, MAX_ANSWER_LENGTH)) ?? ""));
    if (parsed.success) return parsed.data;
    throw searchFailedError(`${engine} gave an invalid answer.`, "Check the address of the search engine.");
  } catch (error) {
    if (isHearthError(error)) throw error;
    if (signal.aborted) throw error;
    // The engine's own message may contain the URL with the key.
    throw searchFailedError(
      `${engine} did not answer${controller.signal.aborted ? ` in ${TIMEOUT_MS / 1000} s` : ""}.`,
      "Try again later.",
    );
  } finally {
    requestEnd.abort();
  }
};

/** Returns the results that have a web address, as plain text. */
export const toResults = (
  results: readonly { readonly title: string; readonly url: string; readonly text: string }[],
  limit: number,
): readonly SearchResult[] =>
  results
    .filter(({ url }) => /^https?:$/.test(URL.parse(url)?.protocol ?? ""))
    .slice(0, limit)
    .map(({ title, url, text }) => ({
      title: toPlainText(title, MAX_TITLE_LENGTH),
      url,
      text: toPlainText(text, MAX_TEXT_LENGTH),
    }));

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", "#x27": "'" };

/** Removes the tags by which the engine marks matches. */
const toPlainText = (html: string, maxLength: number): string =>
  html
    .replace(/<\/?[a-z][^<>]{0,100}>/gi, "")
    .replace(/&(amp|lt|gt|quot|#39|#x27);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, maxLength)
    .toWellFormed();

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const statusError = (engine: string, status: number): HearthError => {
  if (status === 401)
    return searchFailedError(
      `${engine} rejected the key.`,
      "Correct its key: hearth config set search.api_key=REFERENCE",
    );
  if (status === 403)
    return searchFailedError(
      `${engine} refuses to answer.`,
      "Check its key, and that it is allowed to answer in JSON.",
    );
  if (status === 429)
    return searchFailedError(`${engine} received too many requests.`, "Wait a while, then search again.");
  return searchFailedError(`${engine} answered ${status}.`, "Try again later.");
};

const searchFailedError = (message: string, hint: string): HearthError =>
  new HearthError("search.failed", message, { hint });
