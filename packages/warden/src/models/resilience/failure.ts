/**
 * Describes failures of a wire: an error code, a sentence for a person, and what the person can do.
 * A description never contains the key.
 */
import { type ErrorBody, type ErrorCode, HearthError, isHearthError } from "@hearth/protocol";

export interface Failure {
  readonly error: ErrorBody;
  readonly retryAfterMs?: number;
}

/** The called server, as far as messages need it. */
export interface Peer {
  /** Host and port. */
  readonly host: string;
  readonly apiKey: string | undefined;
  /** Returns UTC milliseconds. */
  now(): number;
}

/** A vendor's report of a failure, from the status, a body, or an event in a stream. */
export interface VendorError {
  readonly status?: number | undefined;
  /** The vendor's names for it: `overloaded_error`, `context_length_exceeded` … */
  readonly names: readonly string[];
  readonly message: string;
}

const MAX_MESSAGE_LENGTH = 400;
/** Maximum length of a server's message that is examined. */
const MAX_READ_LENGTH = 2_000;

export const describeVendorError = (vendorError: VendorError, headers: Headers | undefined, peer: Peer): Failure => {
  const code = classify(vendorError);
  const retryAfterMs = headers === undefined ? undefined : readRetryAfter(headers, peer.now());
  const { phrase, hint } = MESSAGES[code];
  const status = vendorError.status === undefined ? "" : ` (${vendorError.status})`;
  const vendorMessage = redact(vendorError.message.trim(), peer.apiKey);
  return {
    error: {
      code,
      message: `${peer.host} ${phrase}${status}${vendorMessage === "" ? "." : `: ${shorten(vendorMessage)}`}`,
      hint: hintFor(code, vendorError.status, peer) ?? hint,
    },
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
};

const hintFor = (code: ErrorCode, status: number | undefined, peer: Peer): string | undefined => {
  if (code === "provider.auth" && peer.apiKey === undefined) return "No key was sent. Give this provider a key.";
  if (status === 404)
    return "Check the model's name, and the provider's `base_url`: for most compatible servers it ends in /v1.";
  return undefined;
};

/** Describes a failure before any response: the server or the way to it is unavailable. */
export const describeUnreachable = (cause: unknown, peer: Peer): Failure => {
  const { phrase, hint } = MESSAGES["provider.unreachable"];
  const why = shorten(redact(explainNetwork(cause), peer.apiKey));
  return { error: { code: "provider.unreachable", message: `${peer.host} ${phrase}: ${why}.`, hint } };
};

/** Returns a thrown `provider.*` error unchanged, and any other error as `provider.failed`. */
export const describeThrown = (error: unknown, peer: Peer): Failure => {
  const code = isHearthError(error) && isProviderCode(error.code) ? error.code : "provider.failed";
  const message = error instanceof Error ? error.message : String(error);
  return {
    error: { code, message: `${peer.host}: ${shorten(redact(message, peer.apiKey))}`, hint: MESSAGES[code].hint },
  };
};

export const malformedError = (problem: string, cause?: unknown): HearthError =>
  new HearthError("provider.malformed", problem, { cause });

type ProviderCode = Extract<ErrorCode, `provider.${string}`>;

const isProviderCode = (code: ErrorCode): code is ProviderCode => code.startsWith("provider.");

const MESSAGES: Readonly<Record<ProviderCode, { readonly phrase: string; readonly hint: string }>> = {
  "provider.auth": {
    phrase: "does not accept the key",
    hint: "Check that the key is complete, still valid, and meant for this provider and model.",
  },
  "provider.rate-limited": { phrase: "limits the rate of calls", hint: "Wait a little, or use another model or plan." },
  "provider.overloaded": { phrase: "is overloaded", hint: "Try again in a minute, or use another model." },
  "provider.refused": {
    phrase: "refuses the request",
    hint: "Check the model's name, the account's credit, and the provider's message above.",
  },
  "provider.context-overflow": {
    phrase: "reports that the conversation is too long for the model",
    hint: "Begin a new session with /new, or use a model with a larger context.",
  },
  "provider.unreachable": {
    phrase: "cannot be reached",
    hint: "Check the network and the provider's `base_url`, and that the server is running.",
  },
  "provider.timeout": {
    phrase: "took too long",
    hint: "Try again. A local model may need time to load; a smaller model is faster.",
  },
  "provider.malformed": {
    phrase: "sent an invalid answer",
    hint: "Check that the provider's `base_url` is an API of this kind, and not a web page or the login of a proxy.",
  },
  "provider.truncated": {
    phrase: "broke off",
    hint: "Try again. If this repeats, look for a proxy that cuts off long answers.",
  },
  "provider.empty": {
    phrase: "returned an empty answer",
    hint: "Rephrase the message, or choose another model: hearth agent edit NAME --model PROVIDER/MODEL",
  },
  "provider.aborted": {
    phrase: "was stopped",
    hint: "The call was stopped on request. Send the message again to retry.",
  },
  "provider.unknown": { phrase: "is unknown", hint: "List the providers: `hearth provider list`" },
  "provider.failed": {
    phrase: "failed",
    hint: "Try again. If this repeats, look at the provider's status page or its log.",
  },
};

const OVERFLOW =
  /context[_ ]length|context[_ ]window|context[_ ]size|maximum context|prompt is too long|input is too long|too many (input )?tokens|input token count|exceeds? .{0,40}(context|token limit)|request_too_large/i;
const BILLING = /insufficient_(quota|balance)|billing|credit balance|spend_limit|payment/i;
const POLICY = /content_?(policy|filter)|safety|moderation/i;

/** Returns the error code. Error names are more exact, so they are checked before the status. */
const classify = ({ status, names, message }: VendorError): ProviderCode => {
  const nameText = names.join(" ").toLowerCase();
  const searchedText = `${nameText} ${message.slice(0, MAX_READ_LENGTH)}`;
  if (/authentication|permission|invalid_api_key|unauthorized/.test(nameText)) return "provider.auth";
  if (BILLING.test(searchedText) && status !== 401) return "provider.refused";
  if (/overloaded|server_busy|\bunavailable\b|service_unavailable/.test(nameText)) return "provider.overloaded";
  if (/rate_limit|too_many_requests|resource_exhausted/.test(nameText)) return "provider.rate-limited";
  if (status !== 429 && OVERFLOW.test(searchedText)) return "provider.context-overflow";
  if (POLICY.test(nameText)) return "provider.refused";
  if (/timeout/.test(nameText)) return "provider.timeout";
  switch (status) {
    case 401:
    case 403:
      return "provider.auth";
    case 408:
      return "provider.timeout";
    case 413:
      return "provider.context-overflow";
    case 429:
      return "provider.rate-limited";
    case 503:
    case 529:
      return "provider.overloaded";
    default:
      if (status !== undefined && status < 400) return "provider.malformed";
      if (/invalid_request|not_found|bad_request/.test(nameText)) return "provider.refused";
      return status !== undefined && status < 500 ? "provider.refused" : "provider.failed";
  }
};

/** Reads `retry-after-ms`, or `retry-after` in seconds or as a date. */
const readRetryAfter = (headers: Headers, now: number): number | undefined => {
  const exactMs = headers.get("retry-after-ms");
  if (exactMs !== null && /^\d+(\.\d+)?$/.test(exactMs.trim())) return Math.ceil(Number(exactMs));
  const value = headers.get("retry-after")?.trim();
  if (value === undefined || value === "") return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
};

/**
 * Removes the key, and what vendors print of it: `sk-ab****yz`, `Bearer …`. Long texts are cut
 * first, because the patterns are slow.
 */
const redact = (text: string, apiKey: string | undefined): string => {
  const withoutKey = apiKey === undefined || apiKey === "" ? text : text.replaceAll(apiKey, "[key]");
  return withoutKey
    .slice(0, MAX_READ_LENGTH)
    .replace(/\S*\*{3,}\S*/g, "[key]")
    .replace(/\bBearer\s+\S+/gi, "Bearer [key]");
};

const shorten = (text: string): string =>
  text.length <= MAX_MESSAGE_LENGTH ? text : `${text.slice(0, MAX_MESSAGE_LENGTH).toWellFormed()}…`;

/** Explains the error codes of runtimes. The innermost cause is the most exact one. */
const explainNetwork = (error: unknown): string => {
  let code = "";
  let message = "";
  for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth += 1) {
    if ("code" in cause && typeof cause.code === "string") code = cause.code;
    if (cause.message !== "") message = cause.message;
  }
  if (/refused/i.test(code)) return "no server listens there";
  if (/ENOTFOUND|EAI_|FailedToOpenSocket/.test(code)) return "its host name is unknown";
  if (/CERT|TLS|SSL/.test(`${code} ${message}`)) return "its TLS certificate is not trusted";
  if (/ECONNRESET|ConnectionClosed|EPIPE/.test(code)) return "it closed the connection";
  if (/TIMEDOUT|timeout/i.test(`${code} ${message}`)) return "it does not answer";
  return message.replace(/\.$/, "") || "no reason given";
};
