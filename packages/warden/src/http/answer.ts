/** Builds HTTP responses with their headers. All errors have the same form. */
import { errorStatus, isHearthError, toErrorBody } from "@hearth/protocol";
import { type Page, renderErrorPage } from "./docs/layout.ts";
import type { UiFile } from "./ui-files.ts";

/** Headers of every response. They forbid frames, content sniffing, use by other origins, and caching. */
const SHARED_HEADERS = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
} as const;

const PLAIN_HEADERS = {
  ...SHARED_HEADERS,
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
} as const;

const JSON_HEADERS = { ...PLAIN_HEADERS, "content-type": "application/json" } as const;

export const answer = (value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(JSON.stringify(value), { status, headers: { ...JSON_HEADERS, ...headers } });

export const emptyAnswer = (status: number, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(null, { status, headers: { ...PLAIN_HEADERS, ...headers } });

const STATUS_HEADERS: { readonly [status: number]: Readonly<Record<string, string>> } = {
  401: { "www-authenticate": "Bearer" },
  // The rest of a slow request may still arrive.
  408: { connection: "close" },
};

/** Converts an error to its response. Unexpected errors become `house.bug` without details. */
export const errorAnswer = (error: unknown, headers: Readonly<Record<string, string>> = {}): Response => {
  const body = toErrorBody(error);
  const status = errorStatus[body.code];
  return new Response(JSON.stringify({ error: body }), {
    status,
    headers: { ...JSON_HEADERS, ...STATUS_HEADERS[status], ...retryAfter(error), ...headers },
  });
};

/** Converts an error to an HTML page. */
export const errorPageAnswer = (error: unknown, hash: (text: string) => string): Response => {
  const body = toErrorBody(error);
  return pageAnswer(renderErrorPage(hash, body), errorStatus[body.code], retryAfter(error));
};

/** Formats the time in whole seconds, rounded up, so that a client that waits this long is not rejected again. */
const retryAfter = (error: unknown): Readonly<Record<string, string>> =>
  isHearthError(error) && error.retryAfterMs !== undefined
    ? { "retry-after": String(Math.ceil(error.retryAfterMs / 1000)) }
    : {};

/**
 * Answers bytes with any content type. The headers keep a browser from running, loading or sending
 * anything.
 */
export const bytesAnswer = (
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null,
  status: number,
  headers: Readonly<Record<string, string>>,
): Response =>
  new Response(body, { status, headers: { ...PLAIN_HEADERS, "content-security-policy": BYTES_POLICY, ...headers } });

const BYTES_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

/** Answers text for a program. */
export const textAnswer = (text: string, type: string): Response =>
  new Response(text, { headers: { ...PLAIN_HEADERS, "content-type": type } });

/** Answers server-sent events. */
export const eventStreamAnswer = (body: ReadableStream<Uint8Array>): Response =>
  new Response(body, { headers: { ...PLAIN_HEADERS, "content-type": "text/event-stream" } });

/** Answers a page without scripts. Its inline style is allowed by its hash. */
export const pageAnswer = (
  { html, styleHash }: Page,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(html, {
    status,
    headers: {
      ...SHARED_HEADERS,
      // Not `no-referrer`: with it, browsers send this page's own form with `Origin: null`, which
      // is refused.
      "referrer-policy": "same-origin",
      "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      "content-type": "text/html; charset=utf-8",
      ...headers,
    },
  });

/** Allows scripts, styles, images and requests of this house only, and no evaluation of strings. */
const UI_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  // For the frame of a diagram. The policy also keeps the frame from navigating to another host.
  "frame-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // The only policy for trusted types. It accepts only the worker's script, see adapter/browser/worker-registration.ts.
  "trusted-types hearth-worker",
].join("; ");

/**
 * Policy of the page in a frame. It has no origin, so it reaches neither the UI nor its session. The
 * page itself allows only its own script, by hash.
 */
const FRAME_POLICY = [
  "sandbox allow-scripts",
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join("; ");

/** Policy of the worker, which loads files of the UI and runs no other script. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/**
 * Allows the microphone, for voice notes; the browser asks the user first. Forbids all other devices,
 * and all devices in frames.
 */
const DEVICE_POLICY = [
  ...["camera", "display-capture", "geolocation", "midi", "payment", "serial", "usb"].map((device) => `${device}=()`),
  "microphone=(self)",
].join(", ");

/** Answers a file of the UI, or 304 if the browser has it. */
export const fileAnswer = ({ headers: requestHeaders }: Request, file: UiFile): Response => {
  const { body, gzipped, type, isImmutable } = file;
  // Weak, because both encodings share it.
  const etag = `W/"${file.etag}"`;
  const headers = {
    ...PLAIN_HEADERS,
    // The same policy as for pages: see above.
    "referrer-policy": "same-origin",
    ...policyOf(file),
    "cache-control": isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
    etag,
    ...varyOf(file),
  };
  if (matchesEtag(requestHeaders.get("if-none-match"), file.etag)) return new Response(null, { status: 304, headers });
  const responseBody = gzipped !== undefined && takesGzip(requestHeaders.get("accept-encoding")) ? gzipped : body;
  return new Response(responseBody, {
    headers: { ...headers, "content-type": type, ...(responseBody === gzipped ? { "content-encoding": "gzip" } : {}) },
  });
};

/** Browsers apply the document's policy to its scripts and styles. A worker has its own policy. */
const policyOf = ({ type, isImmutable, isFrame }: UiFile): Readonly<Record<string, string>> => {
  if (isFrame === true) return { "content-security-policy": FRAME_POLICY, "x-frame-options": "SAMEORIGIN" };
  if (type.startsWith("text/html"))
    return { "content-security-policy": UI_POLICY, "permissions-policy": DEVICE_POLICY };
  // All other scripts have the hash of their content in their names.
  const isWorker = type.startsWith("text/javascript") && !isImmutable;
  return isWorker ? { "content-security-policy": WORKER_POLICY } : {};
};

const matchesEtag = (ifNoneMatch: string | null, etag: string): boolean =>
  (ifNoneMatch ?? "").split(",").some((candidate) => [`"${etag}"`, `W/"${etag}"`, "*"].includes(candidate.trim()));

/** Returns the request headers that decide which body and which language the response has. */
const varyOf = ({ gzipped, language }: UiFile): Readonly<Record<string, string>> => {
  const names = [
    ...(gzipped === undefined ? [] : ["accept-encoding"]),
    ...(language === undefined ? [] : ["accept-language", "cookie"]),
  ];
  return {
    ...(names.length === 0 ? {} : { vary: names.join(", ") }),
    ...(language === undefined ? {} : { "content-language": language }),
  };
};

const takesGzip = (acceptEncoding: string | null): boolean => {
  const weights = readWeights(acceptEncoding);
  return (weights.get("gzip") ?? weights.get("*") ?? 0) > 0;
};

/** Parses a header of the `Accept` kind: values in lower case with their weights. */
export const readWeights = (header: string | null): ReadonlyMap<string, number> => {
  const weights = new Map<string, number>();
  for (const part of (header ?? "").toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((piece) => piece.trim());
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight));
  }
  return weights;
};
