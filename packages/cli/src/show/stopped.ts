/** Finds stopped agents and counts their queued messages. */
import type { Client } from "@hearth/client";
import { type AgentId, type AgentRecord, type Hold, isHearthError } from "@hearth/protocol";
import { safeLine } from "./safe-text.ts";
import { localTime } from "./time.ts";

export interface AgentStop {
  readonly by: AgentId;
  /** The name of the person who stopped it, or their id if they were removed. */
  readonly name: string;
  readonly at: number;
  /** The id of the stopped agent, or `house` for a stop of all agents. */
  readonly scope: Hold["scope"];
  /** The number of queued messages. Undefined when the caller may not see it. */
  readonly waiting: number | undefined;
}

/** The house's maximum page size. */
const MAX_PAGE_SIZE = 1000;

/**
 * Returns the stops of these agents. The stop of one agent takes precedence over the stop of all
 * agents, because it lasts longer.
 */
export const findStops = async (
  client: Client,
  agents: readonly AgentRecord[],
): Promise<ReadonlyMap<AgentId, AgentStop>> => {
  const holds = await client.stops.list();
  const stops = new Map<AgentId, AgentStop>();
  if (holds.length === 0) return stops;
  const allAgents = await client.agents.list();
  const nameOf = (id: AgentId): string => allAgents.find((agent) => agent.id === id)?.content.name ?? id;
  for (const { id, content } of agents) {
    const hold = holds.find(({ scope }) => scope === id) ?? holds.find(({ scope }) => scope === "house");
    if (hold === undefined || content.kind !== "bot") continue;
    stops.set(id, { ...hold, name: nameOf(hold.by), waiting: await countIfAllowed(client, id) });
  }
  return stops;
};

export const countWaiting = async (client: Client, agent: AgentId): Promise<number> =>
  (await client.agents.activations(agent, { state: "queued", limit: MAX_PAGE_SIZE })).length;

const countIfAllowed = async (client: Client, agent: AgentId): Promise<number | undefined> => {
  try {
    return await countWaiting(client, agent);
  } catch (error) {
    if (isHearthError(error, "auth.denied")) return undefined;
    throw error;
  }
};

/** Describes a stop, for example "stopped by Ana since 2026-01-31 08:30:00, 2 messages wait". */
export const describeStopped = ({ name, at, scope, waiting }: AgentStop): string =>
  `stopped ${scope === "house" ? "with all agents " : ""}by ${safeLine(name)} since ${localTime(at)}${waiting === undefined ? "" : `, ${describeWaiting(waiting)}`}`;

/** Describes waiting messages, for example "2 messages wait". */
export const describeWaiting = (count: number): string =>
  count === 0 ? "no message waits" : count === 1 ? "1 message waits" : `${count} messages wait`;
