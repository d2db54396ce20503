/** Describes tools for people: title, risk, and when the agent asks. */
import type { AgentMode, AgentTool } from "@hearth/protocol";
import type { ToolName } from "@hearth/protocol/tools";
import { toVisible } from "../../../text/visible.tsx";
import * as texts from "./text.ts";

export type ToolGroup = keyof typeof texts.groups;
type Risk = keyof typeof texts.risks;

/** The group of each tool on the page, and its risks. */
export const toolKinds: {
  readonly [Name in ToolName]: { readonly group: ToolGroup; readonly risks: readonly Risk[] };
} = {
  http_fetch: { group: "web", risks: ["leaves", "strangers"] },
  web_search: { group: "web", risks: ["leaves", "strangers"] },
  ask_source: { group: "web", risks: ["leaves"] },
  read: { group: "files", risks: ["strangers"] },
  list: { group: "files", risks: ["strangers"] },
  glob: { group: "files", risks: ["strangers"] },
  grep: { group: "files", risks: ["strangers"] },
  write: { group: "files", risks: ["files"] },
  edit: { group: "files", risks: ["files"] },
  apply_patch: { group: "files", risks: ["files"] },
  shell: { group: "files", risks: ["private", "strangers", "files", "leaves"] },
  processes: { group: "files", risks: ["private", "strangers"] },
  git: { group: "files", risks: ["private", "strangers", "files", "leaves"] },
  image: { group: "files", risks: ["private", "strangers"] },
  recall: { group: "memory", risks: ["private", "strangers"] },
  remember: { group: "memory", risks: ["files"] },
  forget: { group: "memory", risks: ["files"] },
  read_brain: { group: "memory", risks: ["private", "strangers"] },
  write_brain: { group: "memory", risks: ["files"] },
  attach: { group: "messages", risks: ["private"] },
  chart: { group: "messages", risks: ["private", "files"] },
  image_generate: { group: "messages", risks: ["leaves", "cost"] },
  image_edit: { group: "messages", risks: ["private", "leaves", "cost"] },
  send_message: { group: "messages", risks: ["people"] },
  send_to_agent: { group: "agents", risks: ["people"] },
  ask_agent: { group: "agents", risks: ["private", "strangers", "people", "cost"] },
  delegate: { group: "agents", risks: ["private", "strangers", "cost"] },
  schedule_task: { group: "automations", risks: ["cost"] },
  list_tasks: { group: "automations", risks: ["private"] },
  pause_task: { group: "automations", risks: [] },
  resume_task: { group: "automations", risks: ["cost"] },
  cancel_task: { group: "automations", risks: [] },
  time: { group: "house", risks: [] },
  house_query: { group: "house", risks: ["private"] },
  hardware_info: { group: "house", risks: [] },
  find_tools: { group: "house", risks: [] },
};

export interface ToolWords {
  readonly group: ToolGroup;
  readonly title: string;
  readonly detail: string;
  readonly risks: readonly string[];
}

/** Describes a tool. An external tool describes itself, and its traits give the risk. */
export const wordsOf = ({ name, description, traits }: AgentTool): ToolWords => {
  if (isKnown(name)) {
    const { group, risks } = toolKinds[name];
    return { ...texts.toolTexts[name], group, risks: risks.map((risk) => texts.risks[risk]) };
  }
  return {
    group: "external",
    title: toVisible(name),
    detail: toVisible(description),
    risks: [
      ...(traits.readsPrivate ? [texts.risks.private] : []),
      ...(traits.readsUntrusted ? [texts.risks.strangers] : []),
      ...(traits.acts ? [texts.risks.leaves] : []),
    ],
  };
};

const isKnown = (name: string): name is ToolName => Object.hasOwn(toolKinds, name);

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
