/**
 * Reads the fields of a request that a program wrote for a vendor. Ignores fields that only affect
 * cost, speed or effort. Refuses an unsupported field that would change a result on which the
 * program may rely.
 */
import { HearthError } from "@hearth/protocol";
import { z } from "zod";

type Fields = Readonly<Record<string, unknown>>;

export interface Rules<Supported extends z.ZodObject> {
  readonly supported: Supported;
  readonly ignored: readonly string[];
  /** Values that request the default behaviour, as JSON. */
  readonly defaults: Readonly<Record<string, readonly unknown[]>>;
}

/** Returns the supported fields. Null counts as absent. Throws `request.invalid`. */
export const readFields = <Supported extends z.ZodObject>(
  body: unknown,
  { supported, ignored, defaults }: Rules<Supported>,
): z.infer<Supported> => {
  const raw = readShaped(z.record(z.string(), z.unknown()), body);
  const fields: Fields = Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== null));
  for (const [name, value] of Object.entries(fields)) {
    if (Object.hasOwn(supported.shape, name) || ignored.includes(name)) continue;
    const text = JSON.stringify(value);
    const defaultValues = Object.hasOwn(defaults, name) ? defaults[name] : undefined;
    if (defaultValues?.some((defaultValue) => JSON.stringify(defaultValue) === text) !== true)
      throw invalidRequestError(
        `\`${name}\`${text.length > MAX_SHOWN_LENGTH ? "" : ` ${text}`} cannot be passed on to the agent's model.`,
        "Leave it out.",
      );
  }
  return readShaped(supported, fields);
};

const MAX_SHOWN_LENGTH = 60;

/** Throws `request.invalid` with the position and the problem. */
const readShaped = <Shaped extends z.ZodType>(shape: Shaped, value: unknown): z.infer<Shaped> => {
  const result = shape.safeParse(value);
  if (result.success) return result.data;
  const [issue = NO_ISSUE] = result.error.issues.map(toInnermost);
  const fieldName = issue.path.length === 0 ? "The body" : `\`${issue.path.map(String).join(".")}\``;
  throw invalidRequestError(`${fieldName} is invalid: ${issue.message}.`);
};

type Issue = Pick<z.core.$ZodIssue, "path" | "message">;
const NO_ISSUE: Issue = { path: [], message: "it has an unexpected structure" };

/** Returns the problem of the variant that matches best, if the issue is about a union. */
const toInnermost = (issue: z.core.$ZodIssue): Issue => {
  if (issue.code !== "invalid_union") return issue;
  const innerIssues = issue.errors.flatMap((branch) => branch.slice(0, 1).map(toInnermost));
  const [closestIssue] = innerIssues.toSorted((a, b) => b.path.length - a.path.length);
  if (closestIssue === undefined) return issue;
  return { path: [...issue.path, ...closestIssue.path], message: closestIssue.message };
};

export const invalidRequestError = (message: string, hint?: string): HearthError =>
  new HearthError("request.invalid", message, hint === undefined ? {} : { hint });

/** Creates the error for an unsupported kind of block or message. */
export const onlyOf = (...types: readonly string[]): { readonly error: string } => ({
  error: `only ${types.join(", ")} can be passed on to the agent's model`,
});

export const MaxTokens = z.int().positive();
