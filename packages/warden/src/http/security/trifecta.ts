/**
 * Finds agents whose tools form the lethal trifecta: they read untrusted text, reach private data
 * and act outside. Labels protect in every mode, and a finding shows how much depends on them.
 */
import { offeredTools } from "../../agents/index.ts";
import type { AgentRecord, SecurityFinding } from "@hearth/protocol";
import { DEFAULT_AGENT_MODE, PUBLIC_WEB } from "@hearth/protocol";
import { findTool, type ToolDeclaration } from "@hearth/protocol/tools";
import { botsOf, isIsolated, type SecurityView } from "./view.ts";
import { joinWords, commandFix } from "./words.ts";

export const findTrifectas = (view: SecurityView): readonly SecurityFinding[] =>
  botsOf(view).flatMap((agent) => {
    const corners = cornersOf(view, agent);
    return corners === undefined ? [] : [toFinding(view, agent, corners)];
  });

interface Corners {
  readonly reads: readonly string[];
  readonly reaches: readonly string[];
  readonly acts: readonly string[];
  /** What passes without approval, as sentences. */
  readonly unapproved: readonly string[];
}

/**
 * Returns the agent's tools that are available in its cell, without those that reach only the
 * readers of its answer.
 */
export const toolsOf = (view: SecurityView, agent: AgentRecord): readonly ToolDeclaration[] => {
  const hasPeers = botsOf(view).some(({ id }) => id !== agent.id);
  const names = offeredTools(agent, {
    hasPeers,
    isIsolated: isIsolated(view, agent),
    hasPart: (part) => view.config[part] !== undefined,
    table: view.table,
  });
  return names.flatMap((name) => findTool(view.table, name) ?? []).filter(({ staysInRoom }) => staysInRoom !== true);
};

const cornersOf = (view: SecurityView, agent: AgentRecord): Corners | undefined => {
  const { mode = DEFAULT_AGENT_MODE, trusted = [] } = agent.content;
  // Every action is refused, or needs approval.
  if (mode === "plan" || (mode === "ask" && trusted.length === 0)) return undefined;
  const isWalled = isIsolated(view, agent);
  const tools = toolsOf(view, agent);
  /**
   * Whether the tool reaches only the cell. With isolation, commands reach only the cell's content,
   * and the network only through egress.
   */
  const staysInCell = (tool: ToolDeclaration): boolean => isWalled && tool.runs === "cell";
  const namesOf = (predicate: (tool: ToolDeclaration) => boolean): readonly string[] =>
    tools.filter(predicate).map(({ name }) => name);
  const leavingTools = namesOf((tool) => tool.traits.acts && staysInCell(tool) && hostsOf(agent).length > 0);
  const acts = [
    ...(mode === "ask" ? [] : namesOf((tool) => tool.traits.acts && !staysInCell(tool))),
    ...leavingTools.map((name) => `${name} (network access to ${joinWords(hostsOf(agent))})`),
  ];
  const reads = namesOf(({ traits }) => traits.readsUntrusted);
  const reaches = namesOf((tool) => tool.traits.readsPrivate && !staysInCell(tool));
  if (reads.length === 0 || reaches.length === 0 || acts.length === 0) return undefined;
  const standingRules = view.rules.filter((rule) => rule.agent === agent.id && !rule.isForSession);
  return {
    reads,
    reaches,
    acts,
    unapproved: [
      ...standingRules.map(({ id, tool }) => `A saved rule lets ${tool} run without approval (${id}).`),
      ...(leavingTools.length === 0 ? [] : ["Its commands can send requests to granted hosts without approval."]),
    ],
  };
};

/** Returns the hosts that its commands can reach. The public web is for tools of the house only. */
const hostsOf = ({ content }: AgentRecord): readonly string[] => [
  ...new Set((content.egress ?? []).map(({ host }) => host).filter((host) => host !== PUBLIC_WEB)),
];

const toFinding = (view: SecurityView, agent: AgentRecord, corners: Corners): SecurityFinding => {
  const { id, handle, content } = agent;
  const { reads, reaches, acts, unapproved } = corners;
  const mode = content.mode ?? DEFAULT_AGENT_MODE;
  const safeguard =
    unapproved.length === 0
      ? mode === "unattended"
        ? "In this mode, calls that its labels do not permit are refused."
        : "It asks for approval before it acts on untrusted text."
      : unapproved.join(" ");
  const actingTools = acts.filter((name) => Object.hasOwn(view.table, name));
  return {
    id: "agent.trifecta",
    severity: unapproved.length > 0 ? "high" : mode === "unattended" ? "low" : "medium",
    what: `@${handle} reads untrusted text (${joinWords(reads)}), reads private data (${joinWords(reaches)}) and acts outside its cell (${joinWords(acts)}), in mode ${mode}. ${safeguard}`,
    where: `agent ${handle}`,
    fix: commandFix(`hearth agent edit ${handle} --mode ask --trusted ""`),
    change: { kind: "edit-agent", agent: id, content: { mode: "ask", trusted: [] } },
    agent: id,
    instead: [
      ...(actingTools.length === 0
        ? []
        : [
            `Remove the tools that act: hearth agent edit ${handle} --tools ${actingTools.map((name) => `-${name}`).join(",")}.`,
          ]),
      ...(isIsolated(view, agent) ? [] : [`Use an isolated cell: hearth agent edit ${handle} --cell strongest.`]),
      ...(hostsOf(agent).length === 0 ? [] : [`Remove its network access: hearth egress deny ${handle} HOST.`]),
      `Let it only read and plan: hearth agent edit ${handle} --mode plan.`,
    ].join(" "),
  };
};
