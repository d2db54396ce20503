/** What a request that got no answer means for what it asked: it surely did not arrive, or nobody knows. */

/** Codes of runtimes for a connection that never stood: before it does, no request goes out. Not among them: codes that a standing one may end with too. */
const NEVER_STOOD = new Set([
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
  /** Whether the request surely never went out. */
  readonly isBefore: boolean;
  /** For a person, without a full stop. Nothing of the request is in it. */
  readonly why: string;
}

export const describeDisconnection = (thrown: unknown): Disconnection => {
  const code = codeOf(thrown);
  return { isBefore: NEVER_STOOD.has(code), why: explain(code) };
};

/** The innermost code: runtimes wrap. */
const codeOf = (thrown: unknown): string => {
  let code = "";
  for (let at: unknown = thrown, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if ("code" in at && typeof at.code === "string") code = at.code;
  }
  return code;
};

const explain = (code: string): string => {
  if (/refused/i.test(code)) return "nothing listens there";
  if (/ENOTFOUND|EAI_|FailedToOpenSocket/.test(code)) return "its name is unknown, or the network is down";
  if (/CERT|TLS|SSL/.test(code)) return "its TLS certificate is not trusted";
  if (/TIMEDOUT|TIMEOUT/i.test(code)) return "it does not answer";
  return "the connection was lost";
};
