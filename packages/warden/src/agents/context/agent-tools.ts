/** Lists all tools for the people who choose an agent's tools. */
import { type AgentRecord, type AgentTool, hasTool, type ToolLack } from "@hearth/protocol";
import { type ToolDeclaration, tools, type ToolTable } from "@hearth/protocol/tools";

export interface AgentToolOptions {
  readonly table: ToolTable;
  readonly isIsolated: (agent: AgentRecord) => Promise<boolean>;
  readonly hasPeers: (agent: AgentRecord) => Promise<boolean>;
  readonly hasPictures: () => boolean;
  readonly hasSearch: () => boolean;
}

export const createAgentTools =
  ({ table, isIsolated, hasPeers, hasPictures, hasSearch }: AgentToolOptions) =>
  async (agent: AgentRecord): Promise<readonly AgentTool[]> => {
    const [hasIsolation, hasOtherAgents] = await Promise.all([isIsolated(agent), hasPeers(agent)]);
    const declarations = Object.values(table);
    const missingRequirement = ({ name, needs, part }: ToolDeclaration): ToolLack | undefined => {
      if (needs === "walls" && !hasIsolation) return "isolation";
      if (needs === "peer" && !hasOtherAgents) return "other-agents";
      if (part === "pictures" && !hasPictures()) return "pictures";
      return name === tools.web_search.name && !hasSearch() ? "search-engine" : undefined;
    };
    return declarations.map((tool) => {
      const { name, description, effect, traits, runs, needs } = tool;
      const isDefault = needs !== "person" && (hasIsolation || needs !== "walls");
      const requirement = missingRequirement(tool);
      return {
        name,
        description,
        isOn: hasTool(agent.content.tools, { name, isDefault }),
        isDefault,
        isExternal: !Object.hasOwn(tools, name),
        effect,
        traits,
        isSandboxed: runs === "cell" && hasIsolation,
        ...(requirement === undefined ? {} : { missing: requirement }),
      };
    });
  };
