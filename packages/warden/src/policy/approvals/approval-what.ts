/** What exactly would run, as a value that is kept: the frozen call, its hash, and which of its fields a wider yes holds to. */
import type { ApprovedCall, World } from "@hearth/protocol";
import type { ToolDeclaration } from "@hearth/protocol/tools";
import type { Ask, Effect } from "../effect.ts";

/** JSON with keys in order and without spaces: the same value is the same text. */
export const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .toSorted(([one], [other]) => (one < other ? -1 : 1));
    return `{${fields.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join(",")}}`;
  }
  return Object.is(value, -0) ? "-0" : JSON.stringify(value);
};

/** What a person may be asked about. */
export type Asking = Extract<Effect, { kind: "tool" | "model" }>;

/** A file that the call names, and what it holds. */
export interface NamedFile {
  readonly path: string;
  readonly is: string;
  /** Why what it holds cannot be pinned. */
  readonly unpinned?: string;
}

/**
 * Of a model it is whom it asks: what it is asked grows with all that is said meanwhile. Of a command it is also what the files hold that it names: with
 * another script it is another call.
 */
export const freezeCall = (effect: Asking, hash: World["hash"], files: readonly NamedFile[] = []): ApprovedCall => {
  const { kind } = effect;
  const [name, value] =
    effect.kind === "tool"
      ? [effect.call.name, effect.call.input]
      : [effect.models[0] ?? "", { models: effect.models }];
  const input = canonical(value);
  const held = files.map(({ path, is }) => `${path} ${is}`).toSorted();
  return { kind, name, input, hash: hash(canonical([kind, name, input, ...(held.length === 0 ? [] : [held])])) };
};

export type Fields = Readonly<Record<string, unknown>>;

/**
 * Fields that a wider yes holds to: those that say where it leads, and those that were asked about. Where none of them is there it holds
 * to all.
 */
export const boundFields = (input: Fields, { sinks }: Pick<ToolDeclaration, "sinks">, asks: readonly Ask[]): Fields => {
  const named = new Set([...sinks, ...asks.flatMap(({ fields }) => fields)]);
  const bound = Object.entries(input).filter(([field]) => named.has(field));
  return bound.length === 0 ? input : Object.fromEntries(bound);
};

/** Whether a call is one of those that were allowed with these fields: no field that matters is other than, or beyond, them. */
export const isWithin = (bound: Fields, input: Fields, needed: Fields): boolean =>
  Object.keys(needed).every((field) => Object.hasOwn(bound, field)) &&
  Object.entries(bound).every(
    ([field, value]) => Object.hasOwn(input, field) && canonical(input[field]) === canonical(value),
  );
