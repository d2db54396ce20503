/**
 * Writes notices into the log of an agent's own house when a place of another house is opened to
 * the agent, because it may not follow a log there yet. Revocations are reported only in the other
 * house.
 */
import type { NewEvent } from "../../kernel/index.ts";
import type { AgentId, GrantChanged, HearthRecord, HouseRecord, Level, RoomRecord, World } from "@hearth/protocol";
import type { Records } from "./records.ts";

export interface Opening extends Pick<GrantChanged, "agent" | "by" | "at"> {
  readonly level: Level;
}

export const planHomeNotice = async (
  { world, records }: { readonly world: Pick<World, "ids">; readonly records: Pick<Records, "find"> },
  { id: on, house }: HouseRecord | RoomRecord,
  openings: readonly Opening[],
): Promise<readonly NewEvent[]> => {
  const notices: NewEvent[] = [];
  for (const opening of openings) {
    const home = (await records.find("agent", opening.agent))?.house;
    if (home === undefined || home === house) continue;
    notices.push({
      stream: `house:${home}`,
      id: world.ids.fresh("evt"),
      event: { type: "grant-changed", ...opening, on },
    });
  }
  return notices;
};

/**
 * Returns the agents to whom a change of a record opens it: the creator of a house, and new members
 * of a room.
 */
export const openedBy = (
  before: HearthRecord | undefined,
  after: HearthRecord,
  { by, at }: Pick<Opening, "by" | "at">,
): readonly Opening[] => {
  if (after.type === "house") return before === undefined ? [{ agent: by, level: "x", by, at }] : [];
  const known = new Set(membersOf(before));
  return membersOf(after)
    .filter((agent) => !known.has(agent))
    .map((agent) => ({ agent, level: "w", by, at }));
};

const membersOf = (record: HearthRecord | undefined): readonly AgentId[] =>
  record?.type === "room" ? (record.content.members ?? []) : [];
