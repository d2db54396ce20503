/** Selects an agent's tools by its record, its peers and the isolation of its cell. */
import type { AgentRecord } from "@hearth/protocol";
import { findTool, tools, type ToolTable } from "@hearth/protocol/tools";

/**
 * A record's list is a person's decision and may name any tool. Without one, the agent gets every
 * tool that needs no such decision in its cell. Tools for other agents are offered only to one with
 * peers (bots it may reach), even if listed, because each offered tool costs tokens in every turn.
 * Unknown names are left out.
 */
export const offeredTools = (
  agent: AgentRecord,
  { hasPeers, hasWalls, table = tools }: OfferOptions,
): readonly string[] => {
  const needs = (name: string) => findTool(table, name)?.needs;
  const isFree = (name: string): boolean => needs(name) !== "person" && (hasWalls || needs(name) !== "walls");
  const names = agent.content.tools?.filter((name) => needs(name) !== undefined) ?? Object.keys(table).filter(isFree);
  const given = names.filter((name) => hasPeers || needs(name) !== "peer");
  // Without hidden tools, a tool that reveals them is useless.
  return hiddenTools(given, table).length === 0 ? given.filter((name) => !reveals(name, table)) : given;
};

/** Returns the tools that the agent must look up first; none if it has no tool that reveals them. */
export const hiddenTools = (given: readonly string[], table: ToolTable = tools): readonly string[] =>
  given.some((name) => reveals(name, table))
    ? given.filter((name) => findTool(table, name)?.discovery === "onDemand")
    : [];

const reveals = (name: string, table: ToolTable): boolean => findTool(table, name)?.revealsTools === true;

interface OfferOptions {
  readonly hasPeers: boolean;
  readonly hasWalls: boolean;
  /** Absent: the built-in tools. */
  readonly table?: ToolTable;
}
