/** Selects an agent's tools by its record, its peers and the isolation of its cell. */
import type { ConfigSource } from "../../kernel/index.ts";
import type { People } from "../../people/index.ts";
import { type AgentRecord, DEFAULT_TOOLS } from "@hearth/protocol";
import { findTool, type ConfigTable, tools, type ToolTable } from "@hearth/protocol/tools";

/**
 * Returns the names of an agent's tools. The list in the record is a person's decision and may name
 * any tool. `DEFAULT_TOOLS`, or no list, stands for every tool that needs no such decision in its cell. An
 * agent gets the tools for other agents only if it has peers (bots that it may reach), even if they
 * are listed, because each offered tool costs tokens in every turn. Unknown names and tools of a
 * part that is not configured are left out.
 */
export const offeredTools = (
  agent: AgentRecord,
  { hasPeers, isIsolated, hasPart = () => false, table = tools }: OfferOptions,
): readonly string[] => {
  const needs = (name: string) => findTool(table, name)?.needs;
  const needsNoPermission = (name: string): boolean =>
    needs(name) !== "person" && (isIsolated || needs(name) !== "walls");
  const names = chosenTools(agent.content.tools, Object.keys(table).filter(needsNoPermission)).filter(
    (name) => needs(name) !== undefined,
  );
  const isConfigured = (part: ConfigTable | undefined): boolean => part === undefined || hasPart(part);
  const available = names.filter(
    (name) => (hasPeers || needs(name) !== "peer") && isConfigured(findTool(table, name)?.part),
  );
  // A tool that reveals hidden tools is useless if no tool is hidden.
  return hiddenTools(available, table).length === 0 ? available.filter((name) => !reveals(name, table)) : available;
};

/** Returns the names that a list stands for. `free` are the tools that need no person's permission. */
export const chosenTools = (list: readonly string[] = [DEFAULT_TOOLS], free: readonly string[]): readonly string[] => {
  const chosenNames = list.flatMap((name) => (name === DEFAULT_TOOLS ? free : name));
  return [...new Set(chosenNames)].filter((name) => !list.includes(`-${name}`));
};

/** Creates the predicate whether an agent can reach another bot. */
export const createHasPeers =
  ({ records, mayReach }: Pick<People, "records" | "mayReach">) =>
  async (agent: AgentRecord): Promise<boolean> => {
    const agents = await records.list("agent");
    const otherBots = agents.filter(({ id, content }) => content.kind === "bot" && id !== agent.id);
    if (otherBots.some(({ house }) => house === agent.house)) return true;
    for (const bot of otherBots) if (await mayReach(agent, bot)) return true;
    return false;
  };

/**
 * Returns the tools that the agent must look up before it can call them. Returns no tools if the
 * agent has no tool that looks them up.
 */
export const hiddenTools = (offered: readonly string[], table: ToolTable = tools): readonly string[] =>
  offered.some((name) => reveals(name, table))
    ? offered.filter((name) => findTool(table, name)?.discovery === "onDemand")
    : [];

const reveals = (name: string, table: ToolTable): boolean => findTool(table, name)?.revealsTools === true;

/** Returns the predicate whether the current configuration has a part. */
export const hasPartIn =
  (config: Pick<ConfigSource, "current">) =>
  (part: ConfigTable): boolean =>
    config.current()[part] !== undefined;

interface OfferOptions {
  readonly hasPeers: boolean;
  readonly isIsolated: boolean;
  /** Whether the configuration has this part. It is absent if the configuration has no parts. */
  readonly hasPart?: (part: ConfigTable) => boolean;
  /** The tools to select from. The default is the built-in tools. */
  readonly table?: ToolTable;
}
