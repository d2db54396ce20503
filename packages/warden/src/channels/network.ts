/**
 * Classifies a request without an answer: either it certainly did not arrive, or its outcome is
 * unknown.
 */

/**
 * Runtime error codes of a connection that was never established, so that no request was sent.
 * Excludes codes that can also end an established connection.
 */
const NEVER_CONNECTED = new Set([
  "ECONNREFUSED",
  "ConnectionRefused",
  "ENOTFOUND",
  "EAI_AGAIN",
  "FailedToOpenSocket",
  "UND_ERR_CONNECT_TIMEOUT",
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);

export interface Disconnection {
  /** Whether the request was certainly not sent. */
  readonly isBeforeSend: boolean;
  /** For a person, without a full stop. Contains nothing of the request. */
  readonly why: string;
}

export const describeDisconnection = (thrown: unknown): Disconnection => {
  const code = codeOf(thrown);
  return { isBeforeSend: NEVER_CONNECTED.has(code), why: explain(code) };
};

/** Returns the innermost code, because runtimes wrap errors. */
const codeOf = (thrown: unknown): string => {
  let code = "";
  for (let cause: unknown = thrown, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth += 1) {
    if ("code" in cause && typeof cause.code === "string") code = cause.code;
  }
  return code;
};

const explain = (code: string): string => {
  if (/refused/i.test(code)) return "nothing listens there";
  if (/ENOTFOUND|EAI_|FailedToOpenSocket/.test(code)) return "its name cannot be resolved, or the network is down";
  if (/CERT|TLS|SSL/.test(code)) return "its TLS certificate is not trusted";
  if (/TIMEDOUT|TIMEOUT/i.test(code)) return "it does not answer";
  return "the connection was lost";
};
