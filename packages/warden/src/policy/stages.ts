/** The stages for STOP, the tool's schema, the agent's role, and the limits on tool calls. */
import type { Permissions } from "../people/index.ts";
import { includesLevel } from "@hearth/protocol";
import { findTool, MAX_CALLS_BYTES, maxArgumentBytes, readInput, type ToolTable } from "@hearth/protocol/tools";
import { type Effect, ALLOWED, type Stage } from "./effect.ts";
import type { Holds } from "./holds.ts";

export const createStopStage =
  (holds: Pick<Holds, "isHeld" | "isHouseHeld">): Stage =>
  (effect) => {
    // A message that an agent wrote before its STOP is still sent. Nothing leaves a stopped house.
    const isStopped =
      effect.kind === "send" ? holds.isHouseHeld() : effect.signal.aborted || holds.isHeld(effect.agent.id);
    return isStopped ? { verdict: "stopped", text: "It was stopped." } : ALLOWED;
  };

/**
 * Creates the stage that checks a call against its tool's schema. The cell checks the call again
 * before it runs the tool, because the cell trusts no caller.
 */
export const createSchemaStage =
  (table: ToolTable): Stage =>
  (effect) => {
    if (effect.kind !== "tool") return ALLOWED;
    const { call, granted } = effect;
    if (call.unreadable !== undefined) return refuse(unreadableText(call.unreadable));
    if (call.oversizedBytes !== undefined) return refuse(oversizedText(call.name, call.oversizedBytes));
    const tool = findTool(table, call.name);
    // An agent without the tool gets no information about its schema. The role stage refuses the
    // call.
    if (tool === undefined || !granted.includes(call.name)) return ALLOWED;
    const parsedInput = readInput(tool, call.input);
    return "wrong" in parsedInput ? refuse(parsedInput.wrong) : ALLOWED;
  };

/**
 * Creates the stage that checks the agent's own current levels, and the tools in its stored list.
 * The levels of the requester do not count.
 */
export const createRoleStage =
  ({ levelOf }: Pick<Permissions, "levelOf">, table: ToolTable): Stage =>
  async (effect) => {
    if (effect.kind === "send" || effect.kind === "egress") return ALLOWED;
    const level = await levelOf({ agent: effect.agent.id }, effect.place);
    if (effect.kind === "model") return includesLevel(level, "w") ? ALLOWED : { verdict: "stopped", text: SILENCED };
    const { call, granted } = effect;
    const tool = findTool(table, call.name);
    if (tool === undefined || !granted.includes(call.name)) return refuse(notGrantedText(effect, tool !== undefined));
    const neededLevel = tool.level;
    return includesLevel(level, neededLevel)
      ? ALLOWED
      : refuse(`The tool ${call.name} needs ${neededLevel} here, which you no longer have.`);
  };

const SILENCED = "This agent may no longer write there.";

/**
 * Maximum number of identical calls. A repetition can be useful, because a file may have changed.
 */
const MAX_SAME_CALLS = 3;

/** `maxToolCalls` returns the maximum number of tool calls in one activation. It is called for each tool call. */
export const createQuotaStage =
  (maxToolCalls: () => number): Stage =>
  (effect) => {
    if (effect.kind !== "tool") return ALLOWED;
    const { call, earlier, delegated = 0 } = effect;
    const maximum = Math.min(maxToolCalls(), effect.maxToolCalls ?? Infinity);
    if (earlier.length + delegated >= maximum) {
      return refuse(
        `All ${maximum} tool calls of this turn are used up, so this call was not made. Answer with what you have; the person can say "continue".`,
      );
    }
    const sameCallCount = earlier.filter(
      ({ name, input }) => name === call.name && isSameInput(input, call.input),
    ).length;
    if (sameCallCount < MAX_SAME_CALLS) return ALLOWED;
    return refuse(
      `You have made this exact call ${sameCallCount} times, so it was not made again: its result will not change. Do something else, or answer.`,
    );
  };

const refuse = (text: string) => ({ verdict: "refused", text }) as const;

/**
 * Whether two inputs are the same. A model nearly always writes an input in the same key order, and
 * another order counts as a different call.
 */
const isSameInput = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const notGrantedText = ({ call, granted, agent }: Extract<Effect, { kind: "tool" }>, isTool: boolean): string =>
  isTool
    ? `The tool ${call.name} is not enabled for this agent. A person can enable it: hearth agent edit ${agent.handle} --tools +${call.name}`
    : `Unknown tool ${call.name}. Available: ${granted.join(", ")}`;

const oversizedText = (name: string, sizeBytes: number): string =>
  `The arguments of this call have ${sizeBytes} bytes as JSON; ${name} takes ${maxArgumentBytes(name)}, and the calls of one message ${MAX_CALLS_BYTES} together. The call was not made. Split it into smaller calls, or write the data to a file in parts and name the file.`;

const unreadableText = (text: string): string =>
  `The arguments of this call were not a JSON object, so it was not made: ${text}\nCall it again with arguments that fit its schema.`;
