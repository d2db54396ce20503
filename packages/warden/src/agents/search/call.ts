/** What every engine's request has in common: a time limit, a bounded answer, and words for what went wrong. */
import { HearthError } from "@hearth/protocol";
import type { z } from "zod";
import type { SearchResult, WebSearchOptions } from "./search.ts";

const TIMEOUT_MS = 20_000;
const MAX_ANSWER = 2 * 1024 * 1024;
const MAX_TITLE = 300;
const MAX_TEXT = 1000;

interface Call<Schema extends z.ZodType> {
  /** How people know it. */
  readonly engine: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly answer: Schema;
  readonly signal: AbortSignal;
}

/** Throws `search.failed`. */
export const askEngine = async <Schema extends z.ZodType>(
  { fetch, clock }: Pick<WebSearchOptions, "fetch" | "clock">,
  { engine, url, headers = {}, answer, signal }: Call<Schema>,
): Promise<z.output<Schema>> => {
  const over = new AbortController();
  const stop = (): void => over.abort();
  const answered = new AbortController();
  signal.addEventListener("abort", stop, { signal: answered.signal });
  clock.sleep(TIMEOUT_MS, answered.signal).then(stop, stop);
  if (signal.aborted) stop();
  try {
    // A redirect might take the key elsewhere.
    const request: RequestInit = { headers: { accept: "application/json", ...headers }, redirect: "error" };
    const response = await fetch(url, { ...request, signal: over.signal });
    if (!response.ok) throw refused(engine, response.status);
    const parsed = answer.safeParse(parse(await readText(response)));
    if (parsed.success) return parsed.data;
    throw failed(`${engine} gave an answer that is none.`, "See that its address is right.");
  } catch (error) {
    if (error instanceof HearthError) throw error;
    if (signal.aborted) throw error;
    // Its own words may hold the address, and with it the key of an engine that wants it there.
    throw failed(
      `${engine} did not answer${over.signal.aborted ? ` in ${TIMEOUT_MS / 1000} s` : ""}.`,
      "Try again later.",
    );
  } finally {
    answered.abort();
  }
};

/** Those that lead to a page, as plain text. */
export const toResults = (
  found: readonly { readonly title: string; readonly url: string; readonly text: string }[],
  limit: number,
): readonly SearchResult[] =>
  found
    .filter(({ url }) => /^https?:$/.test(URL.parse(url)?.protocol ?? ""))
    .slice(0, limit)
    .map(({ title, url, text }) => ({ title: plain(title, MAX_TITLE), url, text: plain(text, MAX_TEXT) }));

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", "#x27": "'" };

/** Engines mark the words that were looked for. */
const plain = (html: string, maxLength: number): string =>
  html
    .replace(/<\/?[a-z][^<>]{0,100}>/gi, "")
    .replace(/&(amp|lt|gt|quot|#39|#x27);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, maxLength)
    .toWellFormed();

const readText = async (response: Response): Promise<string> => {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let size = 0; reader !== undefined;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > MAX_ANSWER) {
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

const refused = (engine: string, status: number): HearthError => {
  if (status === 401) return failed(`${engine} does not take the key.`, "See api_key below [search] in hearth.toml.");
  if (status === 403) return failed(`${engine} refuses to answer.`, "See its key, and that it may answer in JSON.");
  if (status === 429) return failed(`${engine} was asked too often.`, "Wait a while, then search again.");
  return failed(`${engine} answered ${status}.`, "Try again later.");
};

const failed = (message: string, hint: string): HearthError => new HearthError("search.failed", message, { hint });
