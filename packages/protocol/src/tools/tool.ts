/**
 * Tool declarations. The implementations are in the cell (`inmate/tools`) or on the host
 * (`warden/tools`).
 */
import { z } from "zod";
import type { Image, ToolOffer } from "../agents/model.ts";
import type { Level } from "../people/permission.ts";

/**
 * The effect class of a call decides what happens after a crash:
 * - `pure`: no effect, so run it again
 * - `keyed`: the step's id is the idempotency key, so run it again with the same key
 * - `reconcilable`: the tool can check whether it happened
 * - `plain`: none of these; the outcome becomes `unknown`, the model and the person learn of it, and
 *   the call is never repeated silently
 */
export type EffectClass = "pure" | "keyed" | "reconcilable" | "plain";

/**
 * How a tool touches the workspace:
 * - `none`: not at all
 * - `reads`, `writes`, `changes`: the file that its input names as `path`; `writes` replaces it
 * - `lists`: the folder at `path`, and what is below it
 * - `anything`: it may read and change every file
 */
export type WorkspaceUse = "none" | "reads" | "lists" | "writes" | "changes" | "anything";

/** A table of the configuration that some tools need. */
export type ConfigTable = "pictures";

/** `cell`: runs in the agent's cell. `host`: runs in the warden, never in a cell. */
export type ToolPlace = "cell" | "host";

/** The section of an agent's settings that lists the tool. */
export type ToolGroup = "web" | "files" | "memory" | "messages" | "agents" | "automations" | "house";

/** A risk that people see before they allow a tool. */
export type ToolRisk = "private" | "strangers" | "leaves" | "files" | "people" | "cost";

/** What people read about a call of the tool. */
export interface CallWords<Field extends string = string> {
  /** While the call runs. */
  readonly doing: string;
  /** After the call. */
  readonly done: string;
  /** The input field that completes the sentence: "Reading notes.md". */
  readonly object?: Field;
  /** The input field that describes a call whose sentence is complete. */
  readonly detail?: Field;
  /** The input field with a command, which is shown as typed. */
  readonly command?: Field;
  /** The form in which the input describes a change of a file. */
  readonly change?: "whole" | "replacement" | "patch";
}

/** What people read about the tool in the settings of an agent. */
export interface SettingWords {
  /** The effect of the tool, in two or three words. */
  readonly title: string;
  /** The effect of the tool, as a sentence. */
  readonly summary: string;
  readonly group: ToolGroup;
  readonly risks: readonly ToolRisk[];
}

/** What people read about a tool. */
export type ToolWords<Field extends string = string> = CallWords<Field> & SettingWords;

export interface ToolDeclaration<Input extends z.ZodObject = z.ZodObject, Place extends ToolPlace = ToolPlace> {
  /** The name that the model calls. Lower case, words joined by `_`. */
  readonly name: string;
  /** For the model. Every word costs tokens in every turn. */
  readonly description: string;
  readonly input: Input;
  readonly effect: EffectClass;
  readonly traits: {
    /** A: its result may contain text that a stranger wrote. */
    readonly readsUntrusted: boolean;
    /** B: it can reach data that only the agent's people may see. */
    readonly readsPrivate: boolean;
    /** C: it changes or sends something outside the cell. */
    readonly acts: boolean;
    /** It irreversibly removes something outside the cell. Every call needs an approval. */
    readonly destroys: boolean;
  };
  /**
   * Input fields that decide where an effect goes: its receiver or the thing it changes. Fields
   * with content are not sinks.
   */
  readonly sinks: readonly string[];
  /**
   * The sink that names a room for written text. The call needs an approval if that room has
   * readers who may not read the turn's room.
   */
  readonly speaksIn?: string;
  /** Its effect reaches only the readers of the turn's answer. */
  readonly staysInRoom?: true;
  /** Its result quotes files of the agent's brain, which contain text from many sources. */
  readonly returnsBrainText?: true;
  /** Its result lists tools that the turn may call from then on, in the form of `parseFoundNames`. */
  readonly revealsTools?: true;
  readonly runs: Place;
  readonly workspace: WorkspaceUse;
  /** The input field that, if true, leaves a command running after the call. */
  readonly leavesRunning?: string;
  /** The level that the agent needs in the room where it was woken, at the time of the call. */
  readonly level: Level;
  /**
   * `person`: refused until a person has added it to the agent's list of tools. `walls`: the same,
   * unless the agent's cell isolates it from foreign files and networks. `peer`: offered only to an
   * agent that can reach another bot.
   */
  readonly needs: "nothing" | "peer" | "walls" | "person";
  /** Offered only if the configuration has this table. */
  readonly part?: ConfigTable;
  /**
   * Offered only after a tool with `revealsTools` has listed it, to agents that have such a tool.
   * For tools that few turns use. Absent: offered from the start.
   */
  readonly discovery?: "onDemand";
  /**
   * The call is aborted after this time. An upper bound for tools that let the model choose a time.
   */
  readonly timeoutMs: number;
  /** For a tool whose input has `timeoutSeconds`: the timeout of a call without it. */
  readonly defaultTimeoutMs?: number;
  /** Maximum size of a call's arguments as JSON. Absent: `MAX_ARGUMENT_BYTES`. */
  readonly maxArgumentBytes?: number;
}

/** Returns the timeout of this call: the timeout in its input, up to the tool's limit. */
export const callTimeoutMs = (
  { timeoutMs, defaultTimeoutMs = timeoutMs }: Pick<ToolDeclaration, "timeoutMs" | "defaultTimeoutMs">,
  input: Readonly<Record<string, unknown>>,
): number => {
  const { timeoutSeconds } = input;
  const requestedMs =
    typeof timeoutSeconds === "number" && timeoutSeconds > 0 ? timeoutSeconds * 1000 : defaultTimeoutMs;
  return Math.min(requestedMs, timeoutMs);
};

/** Tools by name: the built-in ones and those added to a house. Look them up with `findTool`. */
export type ToolTable = Readonly<Record<string, ToolDeclaration>>;

/**
 * Maximum length of a tool's output for a model, in UTF-16 code units. The rest is cut, with a
 * note.
 */
export const MAX_OUTPUT_LENGTH = 30_000;

/**
 * Maximum size of one call's arguments as JSON. The cell, the journal and the next model call each
 * hold a copy.
 */
export const MAX_ARGUMENT_BYTES = 256 * 1024;
/** Maximum size of the arguments of a call that contain the content of a file. */
export const MAX_CONTENT_BYTES = 1024 * 1024;
/**
 * Maximum size of the arguments of all calls in one message: far below the largest frame of a link.
 */
export const MAX_CALLS_BYTES = 4 * 1024 * 1024;
/**
 * The result of a tool, as text for the model. `failed`: the call did not succeed; the model reads
 * the reason in `text`.
 */
export interface ToolOutcome {
  readonly text: string;
  readonly failed: boolean;
  /** For a model with vision. */
  readonly image?: Image;
}

/** A tool of Hearth. `words` name fields of its input. */
export type BuiltInTool<Input extends z.ZodObject = z.ZodObject, Place extends ToolPlace = ToolPlace> = ToolDeclaration<
  Input,
  Place
> & { readonly words: ToolWords<Extract<keyof z.output<Input>, string>> };

export const declareTool = <Input extends z.ZodObject, Place extends ToolPlace>(
  declaration: BuiltInTool<Input, Place>,
): BuiltInTool<Input, Place> => declaration;

/** Looks up a tool by a name that a model wrote. Inherited property names give undefined. */
export const findTool = <Table extends Readonly<Record<string, ToolDeclaration>>>(
  table: Table,
  name: string,
): Table[keyof Table] | undefined => (Object.hasOwn(table, name) ? table[name as keyof Table] : undefined);

/** Cached, because conversion is slow and the result never changes. */
const offers = new WeakMap<ToolDeclaration, ToolOffer>();

/**
 * Converts a declaration to the form that a model sees: JSON Schema without keywords that only cost
 * tokens. Calls are checked against the full schema. Returns the same object for the same
 * declaration.
 */
export const toOffer = (tool: ToolDeclaration): ToolOffer => {
  const cached = offers.get(tool);
  if (cached !== undefined) return cached;
  const offer: ToolOffer = {
    name: tool.name,
    description: tool.description,
    inputSchema: withoutNoise(z.toJSONSchema(tool.input, { io: "input" })),
  };
  offers.set(tool, offer);
  return offer;
};

/** Keeps the beginning of a long output and notes how much was cut. */
export const capOutput = (text: string, maxLength: number = MAX_OUTPUT_LENGTH): string =>
  text.length <= maxLength
    ? text
    : `${text.slice(0, maxLength).toWellFormed()}\n[cut: ${text.length - maxLength} of ${text.length} characters]`;

/** Keywords that a model does not need for a correct call. */
const OMITTED_KEYWORDS: ReadonlySet<string> = new Set([
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
      .filter(([key]) => !OMITTED_KEYWORDS.has(key))
      .map(([key, value]) => [key, key === "properties" ? mapValues(value, withoutNoiseIn) : withoutNoiseIn(value)]),
  );

const withoutNoiseIn = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNoiseIn);
  return typeof value === "object" && value !== null ? withoutNoise(value) : value;
};

/** Converts the values of `properties`. Its keys are field names, so they are kept even if they equal a keyword. */
const mapValues = (value: unknown, convert: (value: unknown) => unknown): unknown =>
  Object.fromEntries(Object.entries(value as object).map(([name, fieldValue]) => [name, convert(fieldValue)]));
