/**
 * Decides what a turn may do without approval, from the labelled values that it has read. Pure, and
 * independent of tool names: it uses a tool's declaration, the values of the call, and the owner's
 * texts. docs/rfd/0014-provenance-labels.md gives the reasons.
 */
import { isTainted, type Label } from "@hearth/protocol";
import type { ToolDeclaration } from "@hearth/protocol/tools";
import type { TurnTaint } from "./turn-taint.ts";
import { linksIn } from "./provenance-links.ts";
import type { OwnerNames } from "./owner-names.ts";

export type Judgement =
  | { readonly kind: "allowed" }
  /**
   * The call needs approval. `text` is for the person who is asked. `fields` need approval, or
   * the call as a whole if there are no fields.
   */
  | { readonly kind: "ask"; readonly text: string; readonly fields: readonly string[] };

export interface JudgedCall {
  readonly name: string;
  /** The input by field, as the model wrote it. */
  readonly input: Readonly<Record<string, unknown>>;
}

export type Declared = Pick<ToolDeclaration, "traits" | "sinks">;

const ALLOWED: Judgement = { kind: "allowed" };

/**
 * Judges a call:
 * - a destructive call needs approval
 * - an untainted turn may do what its grants allow, and so may any call without outside effects
 * - in a tainted turn, the owner must have written every link in the call and every value of a
 *   sink, and there must be such a value
 */
export const judge = (call: JudgedCall, { traits, sinks }: Declared, taint: TurnTaint): Judgement => {
  if (traits.destroys) return ask(`${call.name} is destructive: it cannot be undone.`);
  if (!traits.acts || !isTainted(taint.label)) return ALLOWED;
  const { owner } = taint;
  const foreignLinkFields = Object.entries(call.input).filter(([, value]) => !hasOnlyOwnerLinks(value, owner));
  if (foreignLinkFields.length > 0)
    return ask(
      `${call.name} contains a link that you did not write${describeSources(taint.label)}.`,
      foreignLinkFields.map(([field]) => field),
    );
  const sinkValues = sinks.flatMap((field) =>
    Object.hasOwn(call.input, field) ? leavesOf(call.input[field]).map((value) => ({ field, value })) : [],
  );
  if (sinkValues.length === 0)
    return ask(`${call.name} does not say where it sends data, and this turn has read untrusted text.`);
  const foreignSinkValues = sinkValues.filter(({ value }) => !owner.names(value));
  if (foreignSinkValues.length === 0) return ALLOWED;
  const fields = [...new Set(foreignSinkValues.map(({ field }) => field))];
  return ask(`${call.name} has a destination that you did not write${describeSources(taint.label)}.`, fields);
};

/** Returns all values inside that are not lists or objects. Undefined values count as absent. */
export const leavesOf = (value: unknown): readonly unknown[] => {
  if (value === null || value === undefined) return [];
  return typeof value === "object" ? Object.values(value).flatMap(leavesOf) : [value];
};

/** Returns all texts inside, including field names, because these can carry links too. */
const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...textsIn(inner)]);
};

const hasOnlyOwnerLinks = (value: unknown, owner: OwnerNames): boolean =>
  textsIn(value).every((text) => linksIn(text).every((link) => owner.wroteLink(link)));

const MAX_NAMED_SOURCES = 3;

const describeSources = ({ sources }: Label): string => {
  if (sources.length === 0) return "";
  const moreText = sources.length > MAX_NAMED_SOURCES ? ` and ${sources.length - MAX_NAMED_SOURCES} more` : "";
  return `, after reading ${sources.slice(0, MAX_NAMED_SOURCES).join(", ")}${moreText}`;
};

const ask = (text: string, fields: readonly string[] = []): Judgement => ({ kind: "ask", text, fields });
