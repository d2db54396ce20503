/**
 * Finds tools that are not offered from the start of the turn. The turn offers the found tools from
 * the next round on.
 */
import { findTool, FOUND } from "@hearth/protocol/tools";
import { withExternalTools } from "./external-tools.ts";
import type { ExternalTools, RunHostTool } from "./tool.ts";

export const findTools: RunHostTool<"find_tools", { readonly externalTools: ExternalTools }> = async (
  { query },
  { granted },
  { externalTools },
) => {
  const table = withExternalTools(externalTools);
  const hiddenTools = granted.flatMap((name) => {
    const tool = findTool(table, name);
    return tool?.discovery === "onDemand" ? [{ name, description: tool.description }] : [];
  });
  const words = query.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  const matchingTools = hiddenTools.filter((tool) => words.some((word) => searchTextOf(tool).includes(word)));
  // There are few tools, so all of them are shown if no tool matches.
  const shownTools = matchingTools.length > 0 ? matchingTools : hiddenTools;
  const lines = shownTools.map(({ name, description }) => `${FOUND}${name}: ${description}`);
  return {
    text: lines.length === 0 ? "There are no other tools." : ["You can call from here on:", ...lines].join("\n"),
    failed: false,
  };
};

interface ToolSummary {
  readonly name: string;
  readonly description: string;
}

const searchTextOf = ({ name, description }: ToolSummary): string =>
  `${name.replaceAll("_", " ")} ${description}`.toLowerCase();
