/** What a tool declares. Declared here, run elsewhere: in the cell (`inmate/tools`) or on the host (`warden/tools`). */
import { z } from "zod";
import type { ToolOffer } from "../model.ts";

/**
 * What a crash in the middle of a call means:
 * - `pure` changes nothing: run again
 * - `keyed` takes the step's id as idempotency key: run again with the same one
 * - `reconcilable` can be asked whether it happened
 * - `plain` none of these: the outcome becomes `unknown`, the model and the person are told, and it is never repeated silently
 */
export type EffectClass = "pure" | "keyed" | "reconcilable" | "plain";

export interface ToolDeclaration<Input extends z.ZodObject = z.ZodObject> {
  /** What the model calls it. Lower case, one word. */
  readonly name: string;
  /** For the model; every word of it costs tokens in every turn. */
  readonly description: string;
  readonly input: Input;
  readonly effect: EffectClass;
  readonly traits: {
    /** A: its result may hold text that a stranger wrote. */
    readonly readsUntrusted: boolean;
    /** B: it reaches what only the agent's people may see. */
    readonly readsPrivate: boolean;
    /** C: it changes something outside the walls, or tells someone. */
    readonly acts: boolean;
  };
  /** Input fields that decide where an effect goes. */
  readonly sinks: readonly string[];
  readonly runs: "cell" | "host";
  /** `person`: refused until a person has put it on the agent's list of tools. */
  readonly needs: "nothing" | "person";
  /** The call is aborted after this long. A ceiling: a tool that lets the model choose a time chooses below it. */
  readonly timeoutMs: number;
}

/** Longest tool output that reaches a model, in UTF-16 code units. The rest is cut and the cut is said. */
export const MAX_OUTPUT_LENGTH = 30_000;

/** What a run of a tool gives back: text for the model. `failed` is not an error of ours; the model reads why. */
export interface ToolOutcome {
  readonly text: string;
  readonly failed: boolean;
}

export const declareTool = <Input extends z.ZodObject>(declaration: ToolDeclaration<Input>): ToolDeclaration<Input> =>
  declaration;

/** The tool of that name, whatever a model wrote as one: never something that every object has. */
export const findTool = <Table extends Readonly<Record<string, ToolDeclaration>>>(
  table: Table,
  name: string,
): Table[keyof Table] | undefined => (Object.hasOwn(table, name) ? table[name as keyof Table] : undefined);

/** What a model is told of a tool: JSON Schema without the noise that costs tokens. The full schema is checked when it calls. */
export const toOffer = (tool: ToolDeclaration): ToolOffer => ({
  name: tool.name,
  description: tool.description,
  inputSchema: withoutNoise(z.toJSONSchema(tool.input, { io: "input" })),
});

/** Keeps the head of a long output and says how much is gone. */
export const capOutput = (text: string, maxLength: number = MAX_OUTPUT_LENGTH): string =>
  text.length <= maxLength
    ? text
    : `${text.slice(0, maxLength).toWellFormed()}\n[cut: ${text.length - maxLength} of ${text.length} characters]`;

/** Keywords that a model does not need to call a tool rightly. */
const NOISE: ReadonlySet<string> = new Set([
  "$schema",
  "additionalProperties",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "minLength",
  "maxLength",
]);

const withoutNoise = (schema: object): { readonly [key: string]: unknown } =>
  Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !NOISE.has(key))
      .map(([key, value]) => [key, key === "properties" ? mapValues(value, withoutNoiseIn) : withoutNoiseIn(value)]),
  );

const withoutNoiseIn = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNoiseIn);
  return typeof value === "object" && value !== null ? withoutNoise(value) : value;
};

/** The keys of `properties` are names that we chose, whatever they are. */
const mapValues = (value: unknown, change: (value: unknown) => unknown): unknown =>
  Object.fromEntries(Object.entries(value as object).map(([name, inner]) => [name, change(inner)]));
