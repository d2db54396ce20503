/**
 * Freezes a call for approval: its canonical input, its hash, and the fields that a wider approval
 * is limited to.
 */
import type { ApprovedCall, World } from "@hearth/protocol";
import type { ToolDeclaration } from "@hearth/protocol/tools";
import type { Ask, Effect } from "../effect.ts";

/** Returns JSON with sorted keys and without spaces, so that equal values have equal texts. */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value)
      .filter(([, fieldValue]) => fieldValue !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
    return `{${fields.map(([name, fieldValue]) => `${JSON.stringify(name)}:${canonicalJson(fieldValue)}`).join(",")}}`;
  }
  return Object.is(value, -0) ? "-0" : JSON.stringify(value);
};

/** Effects that can need approval. */
export type ApprovableEffect = Extract<Effect, { kind: "tool" | "model" }>;

/** A file that the call names, and the hash of its content. */
export interface NamedFile {
  readonly path: string;
  readonly is: string;
  /** The reason why the file's content cannot be pinned. */
  readonly unpinned?: string;
}

/**
 * Freezes a call. A model call is identified by its models, because its messages change. A command
 * includes the contents of the files that it names, so that a changed script makes a different
 * call.
 */
export const freezeCall = (
  effect: ApprovableEffect,
  hash: World["hash"],
  files: readonly NamedFile[] = [],
): ApprovedCall => {
  const { kind } = effect;
  const [name, value] =
    effect.kind === "tool"
      ? [effect.call.name, effect.call.input]
      : [effect.models[0] ?? "", { models: effect.models }];
  const input = canonicalJson(value);
  const fileStates = files.map(({ path, is }) => `${path} ${is}`).toSorted();
  return {
    kind,
    name,
    input,
    hash: hash(canonicalJson([kind, name, input, ...(fileStates.length === 0 ? [] : [fileStates])])),
  };
};

export type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the fields to which a wider approval is limited: the sinks and the fields that were asked
 * about, or all fields if there are none.
 */
export const boundFields = (input: Fields, { sinks }: Pick<ToolDeclaration, "sinks">, asks: readonly Ask[]): Fields => {
  const sinkFields = new Set([...sinks, ...asks.flatMap(({ fields }) => fields)]);
  const boundEntries = Object.entries(input).filter(([field]) => sinkFields.has(field));
  return boundEntries.length === 0 ? input : Object.fromEntries(boundEntries);
};

/**
 * Whether an approval of these fields covers a call: every needed field is bound, and every bound
 * field has the approved value.
 */
export const isWithin = (bound: Fields, input: Fields, needed: Fields): boolean =>
  Object.keys(needed).every((field) => Object.hasOwn(bound, field)) &&
  Object.entries(bound).every(
    ([field, value]) => Object.hasOwn(input, field) && canonicalJson(input[field]) === canonicalJson(value),
  );
