/** The wire form of a failure. */
import { z } from "zod";
import { type ErrorCode, errorStatus, remedyCodes } from "./error.ts";

export const ErrorBody = z.object({
  code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]),
  message: z.string(),
  hint: z.string().exactOptional(),
  remedy: z.object({ code: z.enum(remedyCodes), provider: z.string().max(64).exactOptional() }).exactOptional(),
  retryAfterMs: z.number().min(0).exactOptional(),
});
