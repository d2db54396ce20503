/**
 * The scopes beyond one call that a person can approve, each with a text that says what it allows.
 */
import type { ApprovalOffer, ToolCall } from "@hearth/protocol";
import type { ToolDeclaration } from "@hearth/protocol/tools";
import { boundFields, type Fields } from "./frozen-call.ts";
import { displayValue, type Redact } from "../text/display.ts";
import type { Ask } from "../effect.ts";

export interface ApprovalOffers {
  readonly offers: readonly ApprovalOffer[];
  /** The fields and values to which a wider approval is limited. */
  readonly bound: Fields;
}

const ONCE: ApprovalOffer = { scope: "once", text: "This call, once." };

export interface OfferedCall {
  readonly handle: string;
  readonly call: Pick<ToolCall, "name" | "input">;
  readonly tool: ToolDeclaration;
  readonly asks: readonly Ask[];
  /** Whether the agent's cell isolates it from other files and networks. */
  readonly isIsolated: boolean;
  /**
   * Whether the call belongs to a session of a room. A call that another agent requested belongs
   * to none.
   */
  readonly hasSession: boolean;
  readonly redact: Redact;
}

/**
 * Returns the offers. For a destructive call, only `once` is offered. The same applies to a program
 * without isolation, because its effects depend on files that may change before the next run.
 */
export const offersFor = ({
  handle,
  call,
  tool,
  asks,
  isIsolated,
  hasSession,
  redact,
}: OfferedCall): ApprovalOffers => {
  const input = call.input as Fields;
  const bound = boundFields(input, tool, asks);
  if (tool.traits.destroys || (tool.runs === "cell" && tool.traits.acts && !isIsolated))
    return { offers: [ONCE], bound };
  const shownFields = Object.entries(bound).map(([field, value]) => `${field}: ${displayValue(value, redact)}`);
  const unboundFields = Object.keys(tool.input.shape).filter((field) => !Object.hasOwn(bound, field));
  const otherFields =
    isFullyBound(bound, input) || unboundFields.length === 0 ? "and nothing else" : `and any ${listOf(unboundFields)}`;
  const permissionText = `@${handle} may call ${call.name}${shownFields.length === 0 ? "" : ` with ${shownFields.join(", ")}`} ${otherFields}, without approval`;
  return {
    offers: [
      ONCE,
      ...toSessionOffers(permissionText, hasSession),
      { scope: "rule", text: `${permissionText} in any room, until this rule is removed.` },
    ],
    bound,
  };
};

/** Returns the offers for a model call over the budget. */
export const offersForModel = (handle: string, models: readonly string[], hasSession: boolean): ApprovalOffers => ({
  offers: [
    ONCE,
    ...toSessionOffers(
      `@${handle} may continue to use ${models.join(", ")} beyond its limit, without approval`,
      hasSession,
    ),
  ],
  bound: { models },
});

const toSessionOffers = (permissionText: string, hasSession: boolean): readonly ApprovalOffer[] =>
  hasSession ? [{ scope: "session", text: `${permissionText} in this room, until a new session begins there.` }] : [];

/** Whether all fields are bound. A call with an extra field is then a different call. */
const isFullyBound = (bound: Fields, input: Fields): boolean => bound === input;

const listOf = (names: readonly string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
