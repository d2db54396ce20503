/** How a failure looks to a program that takes the house for its vendor: a status that makes it wait, give up or ask again, as it would there. */
import type { Failure } from "../../models/index.ts";
import { type ErrorCode, errorStatus } from "@hearth/protocol";
import type { HeaderLine } from "../egress/head.ts";

/** Where a vendor says it with another status than the house says it to people. */
const VENDOR_STATUS: Readonly<Partial<Record<ErrorCode, number>>> = {
  // The program has no key that it could mend: 401 would make it ask its person for one.
  "provider.auth": 403,
  "provider.unknown": 404,
  "provider.refused": 400,
  "provider.context-overflow": 400,
  "provider.rate-limited": 429,
};

export const statusOf = (code: ErrorCode): number => VENDOR_STATUS[code] ?? errorStatus[code];

/** The house has asked again where that could help: whoever asks it again does it all once more. */
export const retryHeaders = ({ error: { code }, retryAfterMs }: Failure): readonly HeaderLine[] => {
  if (retryAfterMs !== undefined) return [["Retry-After", String(Math.ceil(retryAfterMs / 1000))]];
  return code.startsWith("provider.") ? [["X-Should-Retry", "false"]] : [];
};
