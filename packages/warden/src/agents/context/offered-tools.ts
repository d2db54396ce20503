/** Selects an agent's tools by its record, its peers and the isolation of its cell. */
import type { ConfigSource } from "../../kernel/index.ts";
import type { AgentRecord } from "@hearth/protocol";
import { findTool, type HousePart, tools, type ToolTable } from "@hearth/protocol/tools";

/**
 * A record's list is a person's decision and may name any tool. Without one, the agent gets every
 * tool that needs no such decision in its cell. Tools for other agents are offered only to one with
 * peers (bots it may reach), even if listed, because each offered tool costs tokens in every turn.
 * Tools of a part that is not configured, and unknown names, are left out.
 */
export const offeredTools = (
  agent: AgentRecord,
  { hasPeers, hasWalls, hasPart = () => false, table = tools }: OfferOptions,
): readonly string[] => {
  const needs = (name: string) => findTool(table, name)?.needs;
  const isFree = (name: string): boolean => needs(name) !== "person" && (hasWalls || needs(name) !== "walls");
  const names = agent.content.tools?.filter((name) => needs(name) !== undefined) ?? Object.keys(table).filter(isFree);
  const isThere = (part: HousePart | undefined): boolean => part === undefined || hasPart(part);
  const given = names.filter((name) => (hasPeers || needs(name) !== "peer") && isThere(findTool(table, name)?.part));
  // Without hidden tools, a tool that reveals them is useless.
  return hiddenTools(given, table).length === 0 ? given.filter((name) => !reveals(name, table)) : given;
};

/** Returns the tools that the agent must look up first; none if it has no tool that reveals them. */
export const hiddenTools = (given: readonly string[], table: ToolTable = tools): readonly string[] =>
  given.some((name) => reveals(name, table))
    ? given.filter((name) => findTool(table, name)?.discovery === "onDemand")
    : [];

const reveals = (name: string, table: ToolTable): boolean => findTool(table, name)?.revealsTools === true;

/** Whether the present configuration has a part. */
export const hasPartIn =
  (config: Pick<ConfigSource, "current">) =>
  (part: HousePart): boolean =>
    config.current()[part] !== undefined;

interface OfferOptions {
  readonly hasPeers: boolean;
  readonly hasWalls: boolean;
  /** Whether the configuration has this part. Absent: it has none. */
  readonly hasPart?: (part: HousePart) => boolean;
  /** Absent: the built-in tools. */
  readonly table?: ToolTable;
}
