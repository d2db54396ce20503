/**
 * The labels stage. In a tainted turn, only what the owner aimed passes without asking. Tool calls
 * ask a person; a network request is refused, because a connection cannot wait for a person.
 */
import { type AgentId, isTainted } from "@hearth/protocol";
import { findTool, type ToolTable } from "@hearth/protocol/tools";
import { type Effect, ON, type Stage } from "../effect.ts";
import type { TurnTaint } from "./turn-taint.ts";
import { judge } from "./provenance.ts";

export interface LabelsStageOptions {
  readonly table: ToolTable;
  /**
   * Whether the agent's cell isolates it from files and networks of others, so that programs in it
   * have no outside effects.
   */
  readonly hasWalls: (agent: AgentId) => Promise<boolean>;
}

export const createLabelsStage =
  ({ table, hasWalls }: LabelsStageOptions): Stage =>
  async (effect) => {
    if (effect.kind === "egress") return judgeRequest(effect);
    if (effect.kind !== "tool") return ON;
    const { call, taint } = effect;
    const tool = findTool(table, call.name);
    // Unknown tools are refused by earlier stages.
    if (tool === undefined) return ON;
    const judgement = judge(call, tool, taint);
    if (judgement.kind === "on") return ON;
    if (tool.runs === "cell" && !tool.traits.destroys && (await hasWalls(effect.agent.id))) return ON;
    return { verdict: "ask", text: judgement.text, fields: judgement.fields };
  };

type Request = Extract<Effect, { kind: "egress" }>;

/** Methods that only read and carry no body. */
const READING: ReadonlySet<string> = new Set(["GET", "HEAD"]);

const judgeRequest = (request: Request): Awaited<ReturnType<Stage>> => {
  const { taint, scheme, host, port, method, path } = request;
  if (!isTainted(taint.label)) return ON;
  const place = `${host.includes(":") ? `[${host}]` : host}${port === PORTS[scheme] ? "" : `:${port}`}`;
  if (method === "DELETE") return refuse(`${method} may delete data`, taint);
  if (taint.owner.wroteLink(`${scheme}://${place}${path}`)) return ON;
  if (!READING.has(method)) return refuse(`${method} may carry data in its body`, taint);
  return isPlainPath(path) ? ON : refuse("its path or query could carry what this turn has read", taint);
};

const PORTS = { http: 80, https: 443 } as const;

/**
 * Longest path that counts as carrying no message. It bounds what a tainted turn can leak per
 * request to a granted host.
 */
const MAX_PATH = 100;
/** A plain part of a path: lower-case letters, or a number as in versions and dates. */
const WORD = /^(?:[a-z]{1,20}|[A-Z]{1,6}|[A-Z][a-z]{1,19}|v?\d{1,8})$/;

const isPlainPath = (path: string): boolean =>
  path.length <= MAX_PATH &&
  path
    .split("/")
    .every((part) => part === "" || part === "-" || part.split(/[-._~@]/).every((word) => WORD.test(word)));

const refuse = (why: string, { label: { sources } }: TurnTaint) =>
  ({
    verdict: "refused",
    text: `This turn has read untrusted text${sources.length === 0 ? "" : ` (${sources.slice(0, 3).join(", ")})`}, and ${why}. A person can write the whole address in a message, or begin a new session.`,
  }) as const;
