/**
 * Finds the agent that a model names and checks that the agent may reach it. Otherwise returns a
 * message for the model.
 */
import type { AgentRecord } from "@hearth/protocol";
import type { HostParts } from "./tool.ts";

export type Addressee = { readonly to: AgentRecord } | { readonly wrong: string };

/** Most names in such a message. */
const MAX_NAMED = 20;

/** By handle in the agent's own house, with or without `@`, or by id anywhere. */
export const findAddressee = async (
  name: string,
  from: AgentRecord,
  { records, mayReach }: Pick<HostParts, "records" | "mayReach">,
): Promise<Addressee> => {
  const wanted = name.trim().replace(/^@/, "");
  const to = (await records.find("agent", wanted, from.house)) ?? (await records.find("agent", wanted));
  // An unreachable agent gets the same answer as a missing one, so names in other houses are not
  // revealed.
  if (to === undefined || !(await mayReach(from, to))) {
    const bots = (await records.list("agent", from.house)).filter(isOther(from));
    const named = bots.slice(0, MAX_NAMED).map(({ handle }) => `@${handle}`);
    return {
      wrong: `There is no agent ${JSON.stringify(name)} that you can reach. There are: ${named.join(", ") || "none"}.`,
    };
  }
  if (to.content.kind === "human")
    return { wrong: `${to.content.name} is a person. Speak to people in a room, where @${to.handle} calls them.` };
  return { to };
};

/** The same, but excludes the agent itself. */
export const findOther = async (
  name: string,
  from: AgentRecord,
  parts: Pick<HostParts, "records" | "mayReach">,
): Promise<Addressee> => {
  const found = await findAddressee(name, from, parts);
  return "to" in found && found.to.id === from.id
    ? { wrong: "That is you. Name another agent, or do it yourself." }
    : found;
};

export const isOther =
  (from: AgentRecord) =>
  ({ id, content }: AgentRecord): boolean =>
    content.kind === "bot" && id !== from.id;

/** How agents are named to each other. */
export const called = ({ content, handle }: AgentRecord): string => `${content.name} (@${handle})`;
