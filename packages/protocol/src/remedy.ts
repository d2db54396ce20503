/** What leads to the fix of a failure. A program renders it in its own words: a command in a terminal, a link in a browser. */
import type { ErrorCode } from "./error.ts";

export const remedyCodes = [
  "check-provider",
  "choose-model",
  "change-budget",
  "begin-session",
  "log-in",
  "see-system",
] as const;
export type RemedyCode = (typeof remedyCodes)[number];

/** `provider`: its name in this house. */
export interface Remedy {
  readonly code: RemedyCode;
  readonly provider?: string;
}

const codes: Partial<Record<ErrorCode, RemedyCode>> = {
  "provider.unknown": "choose-model",
  "provider.auth": "check-provider",
  "provider.rate-limited": "choose-model",
  "provider.overloaded": "choose-model",
  "provider.unreachable": "check-provider",
  "provider.timeout": "choose-model",
  "provider.refused": "choose-model",
  "provider.context-overflow": "begin-session",
  "provider.malformed": "check-provider",
  "provider.truncated": "check-provider",
  "provider.failed": "check-provider",
  "budget.spent": "change-budget",
  "auth.missing": "log-in",
  "auth.invalid": "log-in",
  "store.unavailable": "see-system",
  "store.damaged": "see-system",
  "store.locked": "see-system",
  "secret.locked": "see-system",
  "cell.unavailable": "see-system",
  "home.read-only": "see-system",
  "house.bug": "see-system",
};

/** The remedy of an error that names none itself. */
export const remedyOf = (code: ErrorCode): RemedyCode | undefined => codes[code];

/** The same failure, with the provider that failed. The one that is named first stays. */
export const withProvider = <Error extends { readonly code: ErrorCode; readonly remedy?: Remedy }>(
  error: Error,
  provider: string,
): Error => {
  const code = remedyOf(error.code);
  return code === undefined || error.remedy !== undefined ? error : { ...error, remedy: { code, provider } };
};
