/** What went wrong on a wire, in house words: code, a sentence for a person, what to do next. Never the key. */
import { type ErrorBody, type ErrorCode, HearthError, isHearthError } from "@hearth/protocol";

export interface Failure {
  readonly error: ErrorBody;
  readonly retryAfterMs?: number;
}

/** Who was called, as far as words need it. */
export interface Peer {
  /** Host and port. */
  readonly host: string;
  readonly apiKey: string | undefined;
  /** UTC milliseconds. */
  now(): number;
}

/** What a vendor says of a failure, wherever it says it: in the status, in a body, or in the middle of a stream. */
export interface VendorError {
  readonly status?: number | undefined;
  /** The vendor's names for it: `overloaded_error`, `context_length_exceeded` … */
  readonly names: readonly string[];
  readonly message: string;
}

const MAX_MESSAGE_LENGTH = 400;
/** How much of what a server says is looked at. */
const MAX_READ_LENGTH = 2_000;

export const describeVendorError = (complaint: VendorError, headers: Headers | undefined, peer: Peer): Failure => {
  const code = classify(complaint);
  const retryAfterMs = headers === undefined ? undefined : readRetryAfter(headers, peer.now());
  const { say, hint } = words[code];
  const status = complaint.status === undefined ? "" : ` (${complaint.status})`;
  const told = redact(complaint.message.trim(), peer.apiKey);
  return {
    error: {
      code,
      message: `${peer.host} ${say}${status}${told === "" ? "." : `: ${shorten(told)}`}`,
      hint: hintFor(code, complaint.status, peer) ?? hint,
    },
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
};

const hintFor = (code: ErrorCode, status: number | undefined, peer: Peer): string | undefined => {
  if (code === "provider.auth" && peer.apiKey === undefined) return "No key was sent. Give this provider a key.";
  if (status === 404)
    return "Check the model's name, and the provider's `base_url`: that of most compatible servers ends in /v1.";
  return undefined;
};

/** A failure before there was an answer: no way to the server, or nobody there. */
export const describeUnreachable = (cause: unknown, peer: Peer): Failure => {
  const { say, hint } = words["provider.unreachable"];
  const why = shorten(redact(explainNetwork(cause), peer.apiKey));
  return { error: { code: "provider.unreachable", message: `${peer.host} ${say}: ${why}.`, hint } };
};

/** A thrown `provider.*` error as it is; anything else is ours. */
export const describeThrown = (error: unknown, peer: Peer): Failure => {
  const code = isHearthError(error) && isProviderCode(error.code) ? error.code : "provider.failed";
  const message = error instanceof Error ? error.message : String(error);
  return { error: { code, message: `${peer.host}: ${shorten(redact(message, peer.apiKey))}`, hint: words[code].hint } };
};

export const malformed = (what: string, cause?: unknown): HearthError =>
  new HearthError("provider.malformed", what, { cause });

type ProviderCode = Extract<ErrorCode, `provider.${string}`>;

const isProviderCode = (code: ErrorCode): code is ProviderCode => code.startsWith("provider.");

const words: Readonly<Record<ProviderCode, { readonly say: string; readonly hint: string }>> = {
  "provider.auth": {
    say: "does not accept the key",
    hint: "Check the key: is it whole, still valid, and meant for this provider and model?",
  },
  "provider.rate-limited": { say: "wants fewer calls", hint: "Wait a little, or use another model or plan." },
  "provider.overloaded": { say: "is overloaded", hint: "Try again in a minute, or use another model." },
  "provider.refused": {
    say: "refuses the request",
    hint: "Check the model's name, the account's credit, and what the provider says above.",
  },
  "provider.context-overflow": {
    say: "says that this is too long for the model",
    hint: "Begin a new session with /new, or use a model with a larger context.",
  },
  "provider.unreachable": {
    say: "cannot be reached",
    hint: "Check the network and the provider's `base_url`, and that the server runs.",
  },
  "provider.timeout": {
    say: "took too long",
    hint: "Try again. A local model may need time to load, or a smaller one.",
  },
  "provider.malformed": {
    say: "gave an answer that is none",
    hint: "Check the provider's `base_url`: is it the API, and of this kind, and not a web page or a proxy's login?",
  },
  "provider.truncated": {
    say: "broke off",
    hint: "Try again. If it stays so, look for a proxy that cuts long answers.",
  },
  "provider.empty": {
    say: "returned an empty answer",
    hint: "Rephrase the message, or choose another model: hearth agent edit NAME --model PROVIDER/MODEL",
  },
  "provider.aborted": { say: "was stopped", hint: "It was stopped on purpose. Ask again to try again." },
  "provider.unknown": { say: "is unknown", hint: "See `hearth provider list`." },
  "provider.failed": {
    say: "failed",
    hint: "Try again. If it stays so, look at the provider's status page or its own log.",
  },
};

const OVERFLOW =
  /context[_ ]length|context[_ ]window|context[_ ]size|maximum context|prompt is too long|input is too long|too many (input )?tokens|input token count|exceeds? .{0,40}(context|token limit)|request_too_large/i;
const BILLING = /insufficient_(quota|balance)|billing|credit balance|spend_limit|payment/i;
const POLICY = /content_?(policy|filter)|safety|moderation/i;

/** Names first, as they are the more exact; then the status. */
const classify = ({ status, names, message }: VendorError): ProviderCode => {
  const named = names.join(" ").toLowerCase();
  const all = `${named} ${message.slice(0, MAX_READ_LENGTH)}`;
  if (/authentication|permission|invalid_api_key|unauthorized/.test(named)) return "provider.auth";
  if (BILLING.test(all) && status !== 401) return "provider.refused";
  if (/overloaded|server_busy|\bunavailable\b|service_unavailable/.test(named)) return "provider.overloaded";
  if (/rate_limit|too_many_requests|resource_exhausted/.test(named)) return "provider.rate-limited";
  if (status !== 429 && OVERFLOW.test(all)) return "provider.context-overflow";
  if (POLICY.test(named)) return "provider.refused";
  if (/timeout/.test(named)) return "provider.timeout";
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
      if (/invalid_request|not_found|bad_request/.test(named)) return "provider.refused";
      return status !== undefined && status < 500 ? "provider.refused" : "provider.failed";
  }
};

/** `retry-after-ms`, or `retry-after` in seconds or as a date. */
const readRetryAfter = (headers: Headers, now: number): number | undefined => {
  const exact = headers.get("retry-after-ms");
  if (exact !== null && /^\d+(\.\d+)?$/.test(exact.trim())) return Math.ceil(Number(exact));
  const value = headers.get("retry-after")?.trim();
  if (value === undefined || value === "") return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
};

/** The key itself, and what vendors print of it: `sk-ab****yz`, `Bearer …`. The end of a long text is cut first: patterns cost. */
const redact = (text: string, apiKey: string | undefined): string => {
  const bare = apiKey === undefined || apiKey === "" ? text : text.replaceAll(apiKey, "[key]");
  return bare
    .slice(0, MAX_READ_LENGTH)
    .replace(/\S*\*{3,}\S*/g, "[key]")
    .replace(/\bBearer\s+\S+/gi, "Bearer [key]");
};

const shorten = (text: string): string =>
  text.length <= MAX_MESSAGE_LENGTH ? text : `${text.slice(0, MAX_MESSAGE_LENGTH).toWellFormed()}…`;

/** Words for the codes that runtimes give; the innermost cause knows best. */
const explainNetwork = (error: unknown): string => {
  let code = "";
  let message = "";
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if ("code" in at && typeof at.code === "string") code = at.code;
    if (at.message !== "") message = at.message;
  }
  if (/refused/i.test(code)) return "nothing listens there";
  if (/ENOTFOUND|EAI_|FailedToOpenSocket/.test(code)) return "its name is unknown";
  if (/CERT|TLS|SSL/.test(`${code} ${message}`)) return "its TLS certificate is not trusted";
  if (/ECONNRESET|ConnectionClosed|EPIPE/.test(code)) return "it hung up";
  if (/TIMEDOUT|timeout/i.test(`${code} ${message}`)) return "it does not answer";
  return message.replace(/\.$/, "") || "no reason given";
};
