/** Who is stopped, since when, and how many messages wait for them. */
import type { Client } from "@hearth/client";
import { type AgentId, type AgentRecord, type Hold, isHearthError } from "@hearth/protocol";
import { safeLine } from "./safe-text.ts";
import { localTime } from "./time.ts";

export interface Stopped {
  readonly by: AgentId;
  /** What the person who said so is called; their id when they have left. */
  readonly name: string;
  readonly at: number;
  /** Whether it is one agent's stop, or everybody's. */
  readonly scope: Hold["scope"];
  /** Messages that wait. Absent: that is not for everybody to know. */
  readonly waiting: number | undefined;
}

/** As many as the house lists at once. */
const MANY = 1000;

/** Those of these agents that are stopped. Who is stopped alone and with all others is told as stopped alone: that lasts longer. */
export const findStopped = async (
  client: Client,
  agents: readonly AgentRecord[],
): Promise<ReadonlyMap<AgentId, Stopped>> => {
  const holds = await client.stops.list();
  const found = new Map<AgentId, Stopped>();
  if (holds.length === 0) return found;
  const everybody = await client.agents.list();
  const nameOf = (id: AgentId): string => everybody.find((one) => one.id === id)?.content.name ?? id;
  for (const { id, content } of agents) {
    const hold = holds.find(({ scope }) => scope === id) ?? holds.find(({ scope }) => scope === "house");
    if (hold === undefined || content.kind !== "bot") continue;
    found.set(id, { ...hold, name: nameOf(hold.by), waiting: await countIfAllowed(client, id) });
  }
  return found;
};

export const countWaiting = async (client: Client, agent: AgentId): Promise<number> =>
  (await client.agents.activations(agent, { state: "queued", limit: MANY })).length;

const countIfAllowed = async (client: Client, agent: AgentId): Promise<number | undefined> => {
  try {
    return await countWaiting(client, agent);
  } catch (error) {
    if (isHearthError(error, "auth.denied")) return undefined;
    throw error;
  }
};

/** "stopped by Ana since 2026-01-31 08:30:00, 2 messages wait" */
export const tellStopped = ({ name, at, scope, waiting }: Stopped): string =>
  `stopped ${scope === "house" ? "with all agents " : ""}by ${safeLine(name)} since ${localTime(at)}${waiting === undefined ? "" : `, ${tellWaiting(waiting)}`}`;

/** "2 messages wait" */
export const tellWaiting = (count: number): string =>
  count === 0 ? "no message waits" : count === 1 ? "1 message waits" : `${count} messages wait`;
