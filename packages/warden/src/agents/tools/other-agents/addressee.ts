/**
 * Finds the agent that a model names, and checks that the calling agent may reach it. Otherwise
 * returns a message for the model.
 */
import type { AgentRecord } from "@hearth/protocol";
import type { OtherAgentParts } from "../parts.ts";

export type Addressee = { readonly to: AgentRecord } | { readonly wrong: string };

/** Maximum number of names in the message for the model. */
const MAX_NAMED = 20;

/**
 * Finds an agent by its handle in the caller's house, with or without `@`, or by its id in any
 * house.
 */
export const findAddressee = async (
  name: string,
  from: AgentRecord,
  { records, mayReach }: OtherAgentParts,
): Promise<Addressee> => {
  const handle = name.trim().replace(/^@/, "");
  const to = (await records.find("agent", handle, from.house)) ?? (await records.find("agent", handle));
  // An unreachable agent gets the same answer as a missing agent, so that names in other houses are
  // not revealed.
  if (to === undefined || !(await mayReach(from, to))) {
    const bots = (await records.list("agent", from.house)).filter(isOther(from));
    const shownHandles = bots.slice(0, MAX_NAMED).map(({ handle }) => `@${handle}`);
    return {
      wrong: `There is no agent ${JSON.stringify(name)} that you can reach. There are: ${shownHandles.join(", ") || "none"}.`,
    };
  }
  if (to.content.kind === "human")
    return { wrong: `${to.content.name} is a person. Speak to people in a room, where @${to.handle} calls them.` };
  return { to };
};

/** Finds an agent like `findAddressee`, but rejects the caller itself. */
export const findOther = async (name: string, from: AgentRecord, parts: OtherAgentParts): Promise<Addressee> => {
  const addressee = await findAddressee(name, from, parts);
  return "to" in addressee && addressee.to.id === from.id
    ? { wrong: "That is you. Name another agent, or do it yourself." }
    : addressee;
};

export const isOther =
  (from: AgentRecord) =>
  ({ id, content }: AgentRecord): boolean =>
    content.kind === "bot" && id !== from.id;

/** Returns the name by which an agent knows another agent. */
export const nameWithHandle = ({ content, handle }: AgentRecord): string => `${content.name} (@${handle})`;
