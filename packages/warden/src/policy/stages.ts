/** The stages that stand: STOP, the tool's schema, the agent's tools, and the limits against running in circles. */
import type { Permissions } from "../people/index.ts";
import { reaches } from "@hearth/protocol";
import { findTool, MAX_CALLS_BYTES, maxArgumentBytes, readInput, type ToolTable } from "@hearth/protocol/tools";
import { type Effect, ON, type Stage } from "./effect.ts";
import type { Holds } from "./holds.ts";

export const createStopStage =
  (holds: Pick<Holds, "isHeld" | "isHouseHeld">): Stage =>
  (effect) => {
    // What an agent said before it was stopped is sent; of a stopped house nothing goes out.
    const isStopped =
      effect.kind === "send" ? holds.isHouseHeld() : effect.signal.aborted || holds.isHeld(effect.agent.id);
    return isStopped ? { verdict: "stopped", text: "It was stopped." } : ON;
  };

/** Whether the call is what its tool takes. The cell asks again where the tool runs: it believes nobody either. */
export const createSchemaStage =
  (table: ToolTable): Stage =>
  (effect) => {
    if (effect.kind !== "tool") return ON;
    const { call, granted } = effect;
    if (call.unreadable !== undefined) return refuse(unread(call.unreadable));
    if (call.oversizedBytes !== undefined) return refuse(oversized(call.name, call.oversizedBytes));
    const tool = findTool(table, call.name);
    // Whoever was not given the tool learns that first, and nothing of its schema.
    if (tool === undefined || !granted.includes(call.name)) return ON;
    const read = readInput(tool, call.input);
    return "wrong" in read ? refuse(read.wrong) : ON;
  };

/**
 * Whether the agent may do so: with its own levels as they are now, never with those of whoever asked; and with the tools of its frozen list,
 * whatever the inmate says.
 */
export const createRoleStage =
  ({ levelOf }: Pick<Permissions, "levelOf">, table: ToolTable): Stage =>
  async (effect) => {
    if (effect.kind === "send" || effect.kind === "egress") return ON;
    const level = await levelOf({ agent: effect.agent.id }, effect.place);
    if (effect.kind === "model") return reaches(level, "w") ? ON : { verdict: "stopped", text: SILENCED };
    const { call, granted } = effect;
    const tool = findTool(table, call.name);
    if (tool === undefined || !granted.includes(call.name)) return refuse(notGranted(effect, tool !== undefined));
    const needed = tool.level;
    return reaches(level, needed)
      ? ON
      : refuse(`The tool ${call.name} takes ${needed} here, which you do not have any more.`);
  };

const SILENCED = "It may not speak there any more.";

export interface QuotaLimits {
  /** Tool calls in one activation. */
  readonly maxToolCalls: number;
}

/** The very same call may be made this often: a file may have changed meanwhile. */
const MAX_SAME = 3;

export const createQuotaStage =
  ({ maxToolCalls }: QuotaLimits): Stage =>
  (effect) => {
    if (effect.kind !== "tool") return ON;
    const { call, earlier, delegated = 0 } = effect;
    const most = Math.min(maxToolCalls, effect.maxToolCalls ?? maxToolCalls);
    if (earlier.length + delegated >= most) {
      return refuse(
        `All ${most} tool calls of this turn are used up, so it was not made. Answer with what you have; the person can say "go on".`,
      );
    }
    const same = earlier.filter((other) => other.name === call.name && isSame(other.input, call.input)).length;
    if (same < MAX_SAME) return ON;
    return refuse(
      `You have made this very call ${same} times, so it was not made again: its result will not change. Do something else, or answer.`,
    );
  };

const refuse = (text: string) => ({ verdict: "refused", text }) as const;

/** JSON texts of one model write the same input the same way nearly always; keys in another order are another call. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const notGranted = ({ call, granted, agent }: Extract<Effect, { kind: "tool" }>, isTool: boolean): string =>
  isTool
    ? `The tool ${call.name} is not on for this agent. A person can turn it on: hearth agent edit ${agent.handle} --tools +${call.name}`
    : `There is no tool ${call.name}. There are: ${granted.join(", ")}`;

const oversized = (name: string, sizeBytes: number): string =>
  `The arguments of this call have ${sizeBytes} bytes as JSON; ${name} takes ${maxArgumentBytes(name)}, and the calls of one message ${MAX_CALLS_BYTES} together. The call was not made. Split it into smaller calls, or write the data to a file in parts and name the file.`;

const unread = (text: string): string =>
  `The arguments of this call were not a JSON object, so it was not made: ${text}\nCall it again with arguments that fit its schema.`;
