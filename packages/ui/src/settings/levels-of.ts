/** Who may do what at a house or a room, and by what: put together for a list. Pure. */
import { type AgentRecord, type Grant, type HouseRecord, highest, type Level, type RoomRecord } from "@hearth/protocol";
import { visible } from "../text/visible.tsx";

/** `here`: it was given at this place. `house`: it follows from the house. `member`: from the room's list. */
export type Source = "here" | "house" | "member";

export interface LevelRow {
  readonly agent: string;
  /** Absent: somebody of another house, whom one does not see. */
  readonly record: AgentRecord | undefined;
  /** All that leads here taken together. */
  readonly level: Level;
  readonly source: Source;
  /** What was given here, whatever follows from elsewhere. */
  readonly given: Level | undefined;
}

export interface LevelsOptions {
  readonly place: HouseRecord | RoomRecord;
  /** On the place and on its house, as far as one sees them. */
  readonly grants: readonly Grant[];
  readonly agents: ReadonlyMap<string, AgentRecord>;
}

/** By name, those without one at the end. */
export const levelsOf = ({ place, grants, agents }: LevelsOptions): readonly LevelRow[] => {
  const members = place.type === "room" ? place.content.members : undefined;
  const own = levelsOn(grants, place.id);
  const inherited = place.type === "room" ? levelsOn(grants, place.house) : new Map<string, Level>();
  const everybody = new Set([...own.keys(), ...inherited.keys(), ...(members ?? [])]);
  return [...everybody]
    .flatMap((agent): readonly LevelRow[] => {
      const given = own.get(agent);
      const house = inherited.get(agent);
      // In a room with a list the house's level holds for those who decide there alone.
      const fromHouse = members === undefined || house === "x" ? house : undefined;
      const fromList = members?.some((id) => id === agent) === true ? ("w" as const) : undefined;
      const level = highest(highest(given, fromHouse), fromList);
      if (level === undefined) return [];
      const source = given !== undefined ? "here" : fromHouse === level ? "house" : "member";
      return [{ agent, record: agents.get(agent), level, source, given }];
    })
    .toSorted((one, other) => nameOf(one).localeCompare(nameOf(other)));
};

export const nameOf = ({ record }: LevelRow): string => visible(record?.content.name ?? "Somebody from another house");

const levelsOn = (grants: readonly Grant[], place: string): ReadonlyMap<string, Level> =>
  new Map(grants.filter(({ on }) => on === place).map(({ agent, level }) => [agent, level]));
