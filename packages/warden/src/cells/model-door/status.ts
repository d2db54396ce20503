/**
 * Maps failures to the vendor's HTTP status, so that a program waits, gives up or retries as it
 * would with the vendor.
 */
import type { Failure } from "../../models/index.ts";
import { type ErrorCode, errorStatus } from "@hearth/protocol";
import type { HeaderLine } from "../egress/head.ts";

/** HTTP statuses that differ from those of the house's own API. */
const VENDOR_STATUS: Readonly<Partial<Record<ErrorCode, number>>> = {
  // The program has no key to correct. With a 401 it would ask its user for one.
  "provider.auth": 403,
  "provider.unknown": 404,
  "provider.refused": 400,
  "provider.context-overflow": 400,
  "provider.rate-limited": 429,
};

export const statusOf = (code: ErrorCode): number => VENDOR_STATUS[code] ?? errorStatus[code];

/**
 * Returns the headers that control a program's retries. The house has already retried where a retry
 * could help, and a program's own retry would repeat all these attempts.
 */
export const retryHeaders = ({ error: { code }, retryAfterMs }: Failure): readonly HeaderLine[] => {
  if (retryAfterMs !== undefined) return [["Retry-After", String(Math.ceil(retryAfterMs / 1000))]];
  return code.startsWith("provider.") ? [["X-Should-Retry", "false"]] : [];
};
