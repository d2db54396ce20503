/** Which tools an agent may use, from its record. */
import type { AgentRecord } from "@hearth/protocol";
import { isToolName, type ToolName, tools } from "@hearth/protocol/tools";

/**
 * A record's own list is a person's word and may name any tool. Without one, every tool that needs no such word.
 * A name that is no tool is left out.
 */
export const offeredTools = (agent: AgentRecord): readonly ToolName[] =>
  agent.content.tools === undefined
    ? (Object.keys(tools) as ToolName[]).filter((name) => tools[name].needs === "nothing")
    : agent.content.tools.filter(isToolName);
