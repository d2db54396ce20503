/** What a person may say yes to beyond one call, and all that each such yes lets pass, in words. */
import type { ApprovalOffer, ToolCall } from "@hearth/protocol";
import type { ToolDeclaration } from "@hearth/protocol/tools";
import { boundFields, type Fields } from "./approval-what.ts";
import { displayValue, type Redact } from "../text/display.ts";
import type { Ask } from "../effect.ts";

export interface Offered {
  readonly offers: readonly ApprovalOffer[];
  /** What the wider ones hold to. */
  readonly bound: Fields;
}

const ONCE: ApprovalOffer = { scope: "once", text: "This call, once." };

export interface OfferedCall {
  readonly handle: string;
  readonly call: Pick<ToolCall, "name" | "input">;
  readonly tool: ToolDeclaration;
  readonly asks: readonly Ask[];
  /** Whether the agent's cell keeps it from what is not its own. */
  readonly hasWalls: boolean;
  /** Whether it belongs to a session of a room: what another agent asked for does not. */
  readonly hasSession: boolean;
  readonly redact: Redact;
}

/**
 * What destroys is allowed once and no wider, and so is a program outside of walls: what its words do depends on files and folders that may be others
 * the next time.
 */
export const offersFor = ({ handle, call, tool, asks, hasWalls, hasSession, redact }: OfferedCall): Offered => {
  const input = call.input as Fields;
  const bound = boundFields(input, tool, asks);
  if (tool.traits.destroys || (tool.runs === "cell" && tool.traits.acts && !hasWalls)) return { offers: [ONCE], bound };
  const held = Object.entries(bound).map(([field, value]) => `${field}: ${displayValue(value, redact)}`);
  const free = Object.keys(tool.input.shape).filter((field) => !Object.hasOwn(bound, field));
  const rest = isWhole(bound, input) ? "and nothing else" : `and any ${listOf(free)}`;
  const may = `@${handle} may call ${call.name}${held.length === 0 ? "" : ` with ${held.join(", ")}`} ${rest}, unasked,`;
  return {
    offers: [
      ONCE,
      ...session(may, hasSession),
      { scope: "rule", text: `${may} in any room, until this is taken back.` },
    ],
    bound,
  };
};

/** Beyond a budget. */
export const offersForModel = (handle: string, models: readonly string[], hasSession: boolean): Offered => ({
  offers: [ONCE, ...session(`@${handle} may go on asking ${models.join(", ")} beyond its limit, unasked,`, hasSession)],
  bound: { models },
});

const session = (may: string, hasSession: boolean): readonly ApprovalOffer[] =>
  hasSession ? [{ scope: "session", text: `${may} in this room, until a new session begins there.` }] : [];

/** Then a call with a field more is another one. */
const isWhole = (bound: Fields, input: Fields): boolean => bound === input;

const listOf = (names: readonly string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
