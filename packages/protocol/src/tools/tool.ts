/** What a tool declares. Declared here, run elsewhere: in the cell (`inmate/tools`) or on the host (`warden/tools`). */
import { z } from "zod";
import type { Image, ToolOffer } from "../model.ts";
import type { Level } from "../permission.ts";

/**
 * What a crash in the middle of a call means:
 * - `pure` changes nothing: run again
 * - `keyed` takes the step's id as idempotency key: run again with the same one
 * - `reconcilable` can be asked whether it happened
 * - `plain` none of these: the outcome becomes `unknown`, the model and the person are told, and it is never repeated silently
 */
export type EffectClass = "pure" | "keyed" | "reconcilable" | "plain";

/** `cell`: where the agent lives. `host`: in the warden, which never tells the cell to run it. */
export type ToolPlace = "cell" | "host";

export interface ToolDeclaration<Input extends z.ZodObject = z.ZodObject, Place extends ToolPlace = ToolPlace> {
  /** What the model calls it. Lower case, words joined by `_`. */
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
    /** It takes away, outside the walls, what nobody can bring back: each time a person is asked. */
    readonly destroys: boolean;
  };
  /** Input fields that decide where an effect goes: whom it reaches, which thing it changes. What it carries there is none of them. */
  readonly sinks: readonly string[];
  /** The sink that names a room where the call writes text. A person is asked if that room has readers who may not read the turn's room. */
  readonly speaksIn?: string;
  readonly runs: Place;
  /** What the agent needs where it was woken, at the moment of the call. */
  readonly level: Level;
  /**
   * `person`: refused until a person has put it on the agent's list of tools. `walls`: so is this, but for an agent whose cell keeps it from
   * files and networks that are not its own. `peer`: offered to an agent that may reach another bot, for it is of no use to others.
   */
  readonly needs: "nothing" | "peer" | "walls" | "person";
  /** Offered once `find_tools` has named it, to an agent that has that too: what few turns use. Absent: from the start. */
  readonly offered?: "found";
  /** The call is aborted after this long. A ceiling: a tool that lets the model choose a time chooses below it. */
  readonly timeoutMs: number;
  /** For a tool whose input has `timeoutSeconds`: the time of a call that names none. */
  readonly defaultTimeoutMs?: number;
}

/** How long this call may take: the time that it names, never more than its tool's. */
export const callTimeoutMs = (
  { timeoutMs, defaultTimeoutMs = timeoutMs }: Pick<ToolDeclaration, "timeoutMs" | "defaultTimeoutMs">,
  input: Readonly<Record<string, unknown>>,
): number => {
  const { timeoutSeconds } = input;
  const named = typeof timeoutSeconds === "number" && timeoutSeconds > 0 ? timeoutSeconds * 1000 : defaultTimeoutMs;
  return Math.min(named, timeoutMs);
};

/** Tools by name: those that ship, and further ones that a house was given. Looked up with `findTool`. */
export type ToolTable = Readonly<Record<string, ToolDeclaration>>;

/** Longest tool output that reaches a model, in UTF-16 code units. The rest is cut and the cut is said. */
export const MAX_OUTPUT_LENGTH = 30_000;

/** Largest arguments of one call, as JSON. The cell, the journal and the next model call each hold them once more. */
export const MAX_ARGUMENT_BYTES = 256 * 1024;
/** The same for a call whose arguments are the content of a file. */
export const MAX_CONTENT_BYTES = 1024 * 1024;
/** Largest arguments of all calls of one message: far below the largest frame of a link. */
export const MAX_CALLS_BYTES = 4 * 1024 * 1024;
const CONTENT_TOOLS: ReadonlySet<string> = new Set(["write", "edit", "apply_patch", "write_brain"]);

export const maxArgumentBytes = (name: string): number =>
  CONTENT_TOOLS.has(name) ? MAX_CONTENT_BYTES : MAX_ARGUMENT_BYTES;

/** What a run of a tool gives back: text for the model. `failed` is not an error of ours; the model reads why. */
export interface ToolOutcome {
  readonly text: string;
  readonly failed: boolean;
  /** For a model that can look at pictures. */
  readonly image?: Image;
}

export const declareTool = <Input extends z.ZodObject, Place extends ToolPlace>(
  declaration: ToolDeclaration<Input, Place>,
): ToolDeclaration<Input, Place> => declaration;

/** The tool of that name, whatever a model wrote as one: never something that every object has. */
export const findTool = <Table extends Readonly<Record<string, ToolDeclaration>>>(
  table: Table,
  name: string,
): Table[keyof Table] | undefined => (Object.hasOwn(table, name) ? table[name as keyof Table] : undefined);

/** Costly to make, and the same for every turn. */
const offers = new WeakMap<ToolDeclaration, ToolOffer>();

/**
 * What a model is told of a tool: JSON Schema without the noise that costs tokens. The full schema is checked when it calls. The same object each
 * time, for the same declaration.
 */
export const toOffer = (tool: ToolDeclaration): ToolOffer => {
  const made = offers.get(tool);
  if (made !== undefined) return made;
  const offer: ToolOffer = {
    name: tool.name,
    description: tool.description,
    inputSchema: withoutNoise(z.toJSONSchema(tool.input, { io: "input" })),
  };
  offers.set(tool, offer);
  return offer;
};

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
  "minItems",
  "maxItems",
  "propertyNames",
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
