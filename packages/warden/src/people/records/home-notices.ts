/**
 * Writes a notice into the log of an agent's own house when the agent gains access to another house
 * or to a room there, because the agent does not follow a log there yet. A revocation is reported
 * only in the other house.
 */
import type { NewEvent } from "../../kernel/index.ts";
import type { AgentId, HearthRecord, HouseRecord, Level, RoomRecord, World } from "@hearth/protocol";
import type { Records } from "./records.ts";

/** An agent that gains access to a house or room. */
export interface NewAccess {
  readonly agent: AgentId;
  readonly level: Level;
  /** The agent that gave the access. */
  readonly by: AgentId;
  readonly at: number;
}

export const planHomeNotice = async (
  { world, records }: { readonly world: Pick<World, "ids">; readonly records: Pick<Records, "find"> },
  { id: on, house }: HouseRecord | RoomRecord,
  newAccess: readonly NewAccess[],
): Promise<readonly NewEvent[]> => {
  const notices: NewEvent[] = [];
  for (const access of newAccess) {
    const home = (await records.find("agent", access.agent))?.house;
    if (home === undefined || home === house) continue;
    notices.push({
      stream: `house:${home}`,
      id: world.ids.fresh("evt"),
      event: { type: "grant-changed", ...access, on },
    });
  }
  return notices;
};

/**
 * Returns the agents that gain access by a change of a record: the creator of a house, and new
 * members of a room.
 */
export const newAccessOf = (
  before: HearthRecord | undefined,
  after: HearthRecord,
  { by, at }: Pick<NewAccess, "by" | "at">,
): readonly NewAccess[] => {
  if (after.type === "house") return before === undefined ? [{ agent: by, level: "x", by, at }] : [];
  const formerMembers = new Set(membersOf(before));
  return membersOf(after)
    .filter((agent) => !formerMembers.has(agent))
    .map((agent) => ({ agent, level: "w", by, at }));
};

const membersOf = (record: HearthRecord | undefined): readonly AgentId[] =>
  record?.type === "room" ? (record.content.members ?? []) : [];
