/**
 * The labels stage. In a tainted turn, a call needs no approval only if the owner wrote its
 * targets. In every turn, writing into a room with other readers needs a person's approval. Tool
 * calls wait for the person. A network request is refused, because a connection cannot wait.
 */
import { type AgentId, isTainted, type Place } from "@hearth/protocol";
import { findTool, type ToolDeclaration, type ToolTable } from "@hearth/protocol/tools";
import { type Effect, ALLOWED, type Stage } from "../effect.ts";
import { DEFAULT_PORTS, READING_METHODS } from "../network/grants.ts";
import type { TurnTaint } from "./turn-taint.ts";
import { judge } from "./provenance.ts";

export interface LabelsStageOptions {
  readonly table: ToolTable;
  /**
   * Whether the agent's cell isolates it from other files and networks, so that its programs have
   * no outside effects.
   */
  readonly isIsolated: (agent: AgentId) => Promise<boolean>;
  /**
   * Whether all readers of the room of this name, except the agent, may also read the place where
   * the turn runs.
   */
  readonly mayCarryTo: (agent: AgentId, from: Place, room: string) => Promise<boolean>;
}

export const createLabelsStage =
  ({ table, isIsolated, mayCarryTo }: LabelsStageOptions): Stage =>
  async (effect) => {
    if (effect.kind === "egress") return judgeRequest(effect);
    if (effect.kind !== "tool") return ALLOWED;
    const { call, taint } = effect;
    const tool = findTool(table, call.name);
    // An unknown tool is refused by another stage.
    if (tool === undefined) return ALLOWED;
    const judgement = judge(call, tool, taint);
    if (judgement.kind === "allowed") return judgeReaders(effect, tool, mayCarryTo);
    if (tool.runs === "cell" && !tool.traits.destroys && (await isIsolated(effect.agent.id))) return ALLOWED;
    return { verdict: "ask", text: judgement.text, fields: judgement.fields };
  };

/** Asks a person before the text of one room reaches people who may not read that room. */
const judgeReaders = async (
  { agent, place, call }: Extract<Effect, { kind: "tool" }>,
  { name, speaksIn }: Pick<ToolDeclaration, "name" | "speaksIn">,
  mayCarryTo: (agent: AgentId, from: Place, room: string) => Promise<boolean>,
): Promise<Awaited<ReturnType<Stage>>> => {
  if (speaksIn === undefined) return ALLOWED;
  const room = call.input[speaksIn];
  if (typeof room !== "string" || (await mayCarryTo(agent.id, place, room))) return ALLOWED;
  const text = `${name} writes into a room with readers who may not read the room where the agent was asked.`;
  return { verdict: "ask", text, fields: [speaksIn] };
};

type EgressRequest = Extract<Effect, { kind: "egress" }>;

const judgeRequest = (request: EgressRequest): Awaited<ReturnType<Stage>> => {
  const { taint, scheme, host, port, method, path, isJudged } = request;
  if (!isTainted(taint.label)) return ALLOWED;
  const hostAndPort = `${host.includes(":") ? `[${host}]` : host}${port === DEFAULT_PORTS[scheme] ? "" : `:${port}`}`;
  if (method === "DELETE") return refuse(`${method} may delete data`, taint);
  if (isJudged === true && READING_METHODS.has(method)) return ALLOWED;
  if (taint.owner.wroteLink(`${scheme}://${hostAndPort}${path}`)) return ALLOWED;
  if (!READING_METHODS.has(method)) return refuse(`${method} may carry data in its body`, taint);
  return isPlainPath(path) ? ALLOWED : refuse("its path or query could carry what this turn has read", taint);
};

/**
 * Maximum length of a path that carries no message. It bounds the data that a tainted turn can leak
 * per request to a granted host.
 */
const MAX_PATH_LENGTH = 100;
/** Matches a plain part of a path: lower-case letters, or a number as in versions and dates. */
const WORD = /^(?:[a-z]{1,20}|[A-Z]{1,6}|[A-Z][a-z]{1,19}|v?\d{1,8})$/;

const isPlainPath = (path: string): boolean =>
  path.length <= MAX_PATH_LENGTH &&
  path
    .split("/")
    .every((part) => part === "" || part === "-" || part.split(/[-._~@]/).every((word) => WORD.test(word)));

const refuse = (why: string, { label: { sources } }: TurnTaint) =>
  ({
    verdict: "refused",
    text: `This turn has read untrusted text${sources.length === 0 ? "" : ` (${sources.slice(0, 3).join(", ")})`}, and ${why}. A person can write the whole address in a message, or begin a new session.`,
  }) as const;
