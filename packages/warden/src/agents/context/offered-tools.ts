/** Which tools an agent may use, from its record, whom it may reach and where it lives. */
import type { AgentRecord } from "@hearth/protocol";
import { findTool, type ToolName, tools, type ToolTable } from "@hearth/protocol/tools";

/**
 * A record's own list is a person's word and may name any tool. Without one, every tool that needs no such word where it lives. Talk with other agents is
 * offered only to one that has peers, bots that it may reach, also if it is on the list: what is offered is paid for in every turn. A name
 * that is no tool is left out.
 */
export const offeredTools = (
  agent: AgentRecord,
  { hasPeers, hasWalls, table = tools }: OfferOptions,
): readonly string[] => {
  const needs = (name: string) => findTool(table, name)?.needs;
  const isFree = (name: string): boolean => needs(name) !== "person" && (hasWalls || needs(name) !== "walls");
  const names = agent.content.tools?.filter((name) => needs(name) !== undefined) ?? Object.keys(table).filter(isFree);
  const given = names.filter((name) => hasPeers || needs(name) !== "peer");
  // Where there is nothing to find, the way to find it is of no use.
  return hiddenTools(given, table).length === 0 ? given.filter((name) => name !== FINDER) : given;
};

/** Those of its tools that an agent has to look for: none, when it cannot look. */
export const hiddenTools = (given: readonly string[], table: ToolTable = tools): readonly string[] =>
  given.includes(FINDER) ? given.filter((name) => findTool(table, name)?.offered === "found") : [];

const FINDER: ToolName = "find_tools";

interface OfferOptions {
  readonly hasPeers: boolean;
  readonly hasWalls: boolean;
  /** Absent: those that ship. */
  readonly table?: ToolTable;
}
