/** Every response that leaves the port: its headers, and the one form of an error. */
import { errorStatus, toErrorBody } from "@hearth/protocol";

/** On everything: nothing may be framed, sniffed, embedded elsewhere or told where a reader came from. */
const shared = {
  "x-content-type-options": "nosniff",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
} as const;

const plain = {
  ...shared,
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
} as const;

const json = { ...plain, "content-type": "application/json" } as const;

export const answer = (value: unknown, status = 200): Response =>
  new Response(JSON.stringify(value), { status, headers: json });

export const emptyAnswer = (status: number, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(null, { status, headers: { ...plain, ...headers } });

/** A failure as its caller sees it. What nobody named is `house.bug` and says no more. */
export const refusal = (error: unknown, headers: Readonly<Record<string, string>> = {}): Response => {
  const body = toErrorBody(error);
  const status = errorStatus[body.code];
  return new Response(JSON.stringify({ error: body }), {
    status,
    headers: { ...json, ...(status === 401 ? { "www-authenticate": "Bearer" } : {}), ...headers },
  });
};

/** Server-sent events. */
export const eventStreamAnswer = (body: ReadableStream<Uint8Array>): Response =>
  new Response(body, { headers: { ...plain, "content-type": "text/event-stream" } });

/** A page without scripts. `style` is the only inline style that it may carry; it is named by its hash. */
export const pageAnswer = (html: string, styleHash: string): Response =>
  new Response(html, {
    headers: {
      ...shared,
      // Not `no-referrer`: under that a browser sends a form of this very page with `Origin: null`, which is refused.
      "referrer-policy": "same-origin",
      "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      "content-type": "text/html; charset=utf-8",
    },
  });
