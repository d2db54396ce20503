/** Describes tools for people: title, risk, and when the agent asks. */
import type { AgentMode, AgentTool } from "@hearth/protocol";
import { toVisible } from "../../../text/visible.tsx";
import { risks as risksOfTools, toolTexts } from "../../../language/tools/text.ts";
import * as texts from "./text.ts";

export type ToolGroup = keyof typeof texts.groups;

export interface ToolCard {
  readonly group: ToolGroup;
  readonly title: string;
  readonly detail: string;
  readonly risks: readonly string[];
}

/** Describes a tool. An external tool describes itself, and its traits give the risk. */
export const wordsOf = ({ name, description, traits }: AgentTool): ToolCard => {
  const words = toolTexts(name);
  if (words !== undefined) {
    const { group, title, summary, risks } = words;
    return { group, title, detail: summary, risks: risks.map((risk) => risksOfTools[risk]) };
  }
  return {
    group: "external",
    title: toVisible(name),
    detail: toVisible(description),
    risks: [
      ...(traits.readsPrivate ? [risksOfTools.private] : []),
      ...(traits.readsUntrusted ? [risksOfTools.strangers] : []),
      ...(traits.acts ? [risksOfTools.leaves] : []),
    ],
  };
};

/** Describes when a call of the tool needs a person, as the house judges it. */
export const describeAsking = (
  { effect, traits, isSandboxed }: Pick<AgentTool, "effect" | "traits" | "isSandboxed">,
  mode: AgentMode,
): string => {
  const isRead = effect === "pure" && !traits.acts && !traits.destroys;
  if (isRead) return texts.neverAsks;
  if (mode === "plan") return texts.refusedAlways;
  if (mode === "ask") return texts.asksAlways;
  const isUnattended = mode === "unattended";
  if (traits.destroys) return isUnattended ? texts.refusedUnattended : texts.asksAlways;
  if (!traits.acts || isSandboxed) return texts.neverAsks;
  return isUnattended ? texts.refusedWhenTainted : texts.asksWhenTainted;
};
