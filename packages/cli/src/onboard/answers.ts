/** The schema of the file for `hearth onboard --answers FILE`, and its parser. */
import { isZone, RecordName } from "@hearth/protocol";
import { CreateProvider } from "@hearth/protocol/api";
import { describeIssue } from "@hearth/protocol/issue-words";
import { z } from "zod";
import { UsageError } from "../args/usage-error.ts";

const MAX_PURPOSE_LENGTH = 20_000;

const Line = z.string().trim().min(1).max(200);
const Reference = z
  .string()
  .max(500)
  .regex(/^(env|file|secret):./, "takes env:NAME, file:PATH or secret:NAME, never the secret itself");
const ChannelName = z.string().regex(/^[a-z][a-z0-9-]{0,63}$/, "takes lower-case letters, digits and hyphens");

export const Answers = z.strictObject({
  person: z
    .strictObject({
      name: RecordName.exactOptional(),
      timezone: z.string().refine(isZone, "takes an IANA time zone such as Europe/Berlin").exactOptional(),
    })
    .exactOptional(),
  agent: z
    .strictObject({
      name: RecordName.exactOptional(),
      purpose: z.string().trim().min(1).max(MAX_PURPOSE_LENGTH).exactOptional(),
    })
    .exactOptional(),
  model: z
    .strictObject({
      provider: CreateProvider.shape.name,
      /** Required for a provider that Hearth does not know, as is `baseUrl`. */
      kind: z.string().min(1).exactOptional(),
      baseUrl: z.url().exactOptional(),
      /** The name that the provider uses for the model. */
      model: Line,
      apiKey: Reference.exactOptional(),
    })
    .exactOptional(),
  channel: z
    .strictObject({
      kind: Line,
      /** The default is the kind. */
      name: ChannelName.exactOptional(),
      baseUrl: z.url().exactOptional(),
      token: Reference,
    })
    .exactOptional(),
  reminder: z.strictObject({ text: z.string().trim().min(1).max(2000), when: Line }).exactOptional(),
});
export type Answers = z.infer<typeof Answers>;

/** Parses the file. Throws a `UsageError` that names the invalid field and never quotes its value. */
export const parseAnswers = (text: string, file: string): Answers => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`${file} is not JSON.`, "For an example: hearth onboard --help");
  }
  const parsedAnswers = Answers.safeParse(value);
  if (parsedAnswers.success) return parsedAnswers.data;
  const problems = parsedAnswers.error.issues.map((issue) => {
    const field = issue.path.map(String).join(".");
    return `${field === "" ? "The file" : field} ${describeIssue(issue)}`;
  });
  throw new UsageError(`${file}: ${problems.join("; ")}.`, "Correct the file. Nothing was changed.");
};
