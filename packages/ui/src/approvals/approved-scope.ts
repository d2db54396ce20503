/**
 * Describes what a wider approval covers: which fields of a call stay the same, and which may differ. The warden states
 * the exact scope in one sentence, whose end lists the fields that may differ. Pure.
 */
import type { Approval, ApprovalOffer, ApprovalRule } from "@hearth/protocol";
import { formatList } from "../language/locale.ts";
import { toVisible } from "../text/visible.tsx";
import * as texts from "./text.ts";

/** The end of the sentence, as `policy/approvals/approval-offers.ts` writes it. Values of the call are before it. */
const SENTENCE_END =
  / (?:and nothing else|and any (?<others>\w+(?:(?:, | and )\w+)*)), without approval in (?:this room, until a new session begins there|any room, until this rule is removed)\.$/;
const MODEL_END = " beyond its limit, without approval in this room, until a new session begins there.";

/** Returns the fields that may differ. Undefined if the sentence has another form. */
const parseVariableFields = (text: string): readonly string[] | undefined => {
  const match = SENTENCE_END.exec(text);
  return match === null ? undefined : (match.groups?.["others"]?.split(/, | and /) ?? []);
};

/** Returns the title of a field of a call, such as "time limit" for `timeoutSeconds`. */
export const titleOfField = (field: string): string =>
  Object.hasOwn(texts.fieldTitles, field)
    ? texts.fieldTitles[field as keyof typeof texts.fieldTitles]
    : toVisible(field);

const listFields = (fields: readonly string[]): string => formatList(fields.map(titleOfField));

/** Describes an answer that allows more than one call. Texts of an unknown form are shown as they are. */
export const describeOffer = ({ scope, text }: ApprovalOffer, { what }: Pick<Approval, "what">): string => {
  if (scope === "once") return texts.thisCall;
  if (what.kind === "model") return text.endsWith(MODEL_END) ? texts.sameModel : toVisible(text);
  const variableFields = parseVariableFields(text);
  const fields = fieldsIn(what.input);
  if (variableFields === undefined || fields === undefined) return toVisible(text);
  const fixedFields = Object.keys(fields).filter((field) => !variableFields.includes(field));
  const calls =
    variableFields.length === 0 || fixedFields.length === 0
      ? texts.exactCallOnly
      : texts.similarCalls(listFields(fixedFields), listFields(variableFields));
  return texts.scopeEnds[scope](calls);
};

const fieldsIn = (json: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
};

export interface DescribedRule {
  /** The values that a call must have. */
  readonly values: readonly { readonly title: string; readonly text: string }[];
  /** Which fields may differ. */
  readonly variableFields: string;
}

/** Returns the parts of a rule for a tool. Undefined for a rule of another form, whose text is shown as it is. */
export const describeRule = ({ tool, bound, text }: ApprovalRule): DescribedRule | undefined => {
  const variableFields = parseVariableFields(text);
  const fields = fieldsIn(bound);
  if (variableFields === undefined || fields === undefined || tool.includes(" ")) return undefined;
  return {
    values: Object.entries(fields).map(([field, value]) => ({
      title: titleOfField(field),
      text: typeof value === "string" ? value : JSON.stringify(value),
    })),
    variableFields: variableFields.length === 0 ? texts.nothingElse : texts.mayDiffer(listFields(variableFields)),
  };
};
