/** Reads the error code of a failed turn from its row. */
import type { ErrorCode } from "@hearth/protocol";

export const hasErrorCode = (error: string | null, code: ErrorCode): boolean => {
  const body: unknown = error === null ? undefined : JSON.parse(error);
  return typeof body === "object" && body !== null && "code" in body && body.code === code;
};
