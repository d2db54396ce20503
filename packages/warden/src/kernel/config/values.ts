/** Values that several tables of the config share, and the function that refuses a value. */
import { z } from "zod";
import { parseReference, type SecretReference } from "./reference.ts";

/** Creates the issue that refuses a value. `hint` goes to its `params`. `path` is relative to the value. */
export const createIssue = (
  input: unknown,
  message: string,
  hint: string,
  path: readonly string[] = [],
): z.core.$ZodRawIssue => ({ code: "custom", input, message, path: [...path], params: { hint } });

export const Reference = z.string().transform((value, { issues }): SecretReference => {
  const parsed = parseReference(value);
  if (parsed.kind !== "refused") return parsed;
  issues.push(createIssue(value, parsed.why, parsed.hint));
  return z.NEVER;
});

export const WebUrl = z.url({ protocol: /^https?$/, error: "must be a URL that begins with http:// or https://" });
