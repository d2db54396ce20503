/** Validates the input that a model wrote, or explains to the model what is wrong with it. */
import type { ToolDeclaration } from "./tool.ts";

export const readInput = (
  tool: ToolDeclaration,
  input: unknown,
): { readonly data: unknown } | { readonly wrong: string } => {
  const presentFields = withoutNulls(input);
  const parsed = tool.input.safeParse(presentFields);
  return parsed.success ? { data: parsed.data } : { wrong: describeIssues(tool, presentFields, parsed.error.issues) };
};

/** Removes fields that are null, because some models send `null` for fields that they omit. */
const withoutNulls = (input: unknown): unknown =>
  typeof input === "object" && input !== null && !Array.isArray(input)
    ? Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
    : input;

interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
}

const describeIssues = (tool: ToolDeclaration, input: unknown, issues: readonly Issue[]): string => {
  const fields: ReadonlySet<PropertyKey> = new Set(
    typeof input === "object" && input !== null ? Object.keys(input) : [],
  );
  const problems = issues.map((issue) => {
    const field = issue.path[0];
    if (issue.keys !== undefined) return `unknown field ${issue.keys.map((key) => JSON.stringify(key)).join(", ")}`;
    if (field === undefined) return issue.message;
    return fields.has(field) ? `"${String(field)}": ${issue.message}` : `"${String(field)}" is missing`;
  });
  return `Invalid input for ${tool.name}: ${problems.join("; ")}. Its fields: ${Object.keys(tool.input.shape).join(", ")}.`;
};
