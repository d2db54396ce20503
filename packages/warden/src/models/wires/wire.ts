/**
 * Restricts the network for the vendors' clients. Requests contain only the headers that a call
 * needs, and the sizes of responses are limited.
 */
import type { Fetch } from "@hearth/protocol";

/** The SDKs add headers about this machine and from the environment, which vendors do not need. */
const ALLOWED_HEADERS: ReadonlySet<string> = new Set([
  "accept",
  "anthropic-version",
  "authorization",
  "content-type",
  "user-agent",
  "x-goog-api-key",
]);

/**
 * A key for a server without keys. The SDKs require one, and would otherwise look for one on this
 * machine.
 */
export const PLACEHOLDER_KEY = "none";
/** The longest possible timer of an SDK. The caller's clock watches for silence instead. */
export const NEVER_MS = 2 ** 31 - 1;

/** Maximum length of the part of an error body that is read, in UTF-16 code units. */
const MAX_START_LENGTH = 64 * 1024;

/**
 * Wraps a fetch so that it follows no redirect, because request and key are meant for the
 * configured host.
 */
export const guardFetch =
  (fetch: Fetch): Fetch =>
  async (input, init = {}) => {
    const headers = new Headers(init.headers);
    for (const name of [...headers.keys()]) if (!ALLOWED_HEADERS.has(name)) headers.delete(name);
    const response = await fetch(input, { ...init, headers, redirect: "manual" });
    if (response.ok) return response;
    return new Response(await readStart(response), { status: response.status, headers: response.headers });
  };

/** Returns the beginning of a body as text, without waiting for the rest. */
export const readStart = async (response: Response): Promise<string> => {
  if (response.body === null) return "";
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return text;
    text += decoder.decode(value, { stream: true });
    if (text.length < MAX_START_LENGTH) continue;
    await reader.cancel();
    return text.slice(0, MAX_START_LENGTH);
  }
};

/** Returns host and port of a base URL, for messages. */
export const hostOf = (baseUrl: string): string =>
  URL.canParse(baseUrl) ? new URL(baseUrl).host : "the provider's `base_url`";
