/** Lists the roles on a house or room, each with its source. Pure. */
import {
  type AgentRecord,
  type Grant,
  type HouseRecord,
  highest,
  type Level,
  type Right,
  type RoomRecord,
} from "@hearth/protocol";
import { compareNames } from "../../language/locale.ts";
import { toVisible } from "../../text/visible.tsx";
import * as texts from "./text.ts";

/**
 * `here`: granted on this house or room. `house`: inherited from the house. `member`: from the
 * room's member list.
 */
export type Source = "here" | "house" | "member";

export interface LevelRow {
  readonly agent: string;
  /** Undefined for members of other houses, which the current user cannot see. */
  readonly record: AgentRecord | undefined;
  /** The effective role. */
  readonly level: Level;
  readonly source: Source;
  /** The role that was granted on this house or room, even if the inherited role is higher. */
  readonly grantedLevel: Level | undefined;
  /** The rights that were granted beside the role. */
  readonly rights: readonly Right[];
  /** When the role was granted here. */
  readonly grantedAt?: number | undefined;
}

export interface LevelsOptions {
  readonly place: HouseRecord | RoomRecord;
  /** Grants on the place and on its house, as far as the current user can see them. */
  readonly grants: readonly Grant[];
  readonly agents: ReadonlyMap<string, AgentRecord>;
}

/** Returns the roles sorted by name. Members without a visible name are last. */
export const levelsOf = ({ place, grants, agents }: LevelsOptions): readonly LevelRow[] => {
  const members = place.type === "room" ? place.content.members : undefined;
  const ownLevels = levelsOn(grants, place.id);
  const inheritedLevels = place.type === "room" ? levelsOn(grants, place.house) : new Map<string, Level>();
  const agentIds = new Set([...ownLevels.keys(), ...inheritedLevels.keys(), ...(members ?? [])]);
  return [...agentIds]
    .flatMap((agent): readonly LevelRow[] => {
      const grantedLevel = ownLevels.get(agent);
      const house = inheritedLevels.get(agent);
      // In a room with a member list, the house role counts only for admins.
      const fromHouse = members === undefined || house === "x" ? house : undefined;
      const fromList = members?.some((id) => id === agent) === true ? ("w" as const) : undefined;
      const level = highest(highest(grantedLevel, fromHouse), fromList);
      if (level === undefined) return [];
      const source = grantedLevel !== undefined ? "here" : fromHouse === level ? "house" : "member";
      const grant = grants.find((candidate) => candidate.on === place.id && candidate.agent === agent);
      const grantFields = { rights: grant?.rights ?? [], grantedAt: grant?.at };
      return [{ agent, record: agents.get(agent), level, source, grantedLevel, ...grantFields }];
    })
    .toSorted((a, b) => compareNames(nameOf(a), nameOf(b)));
};

export const nameOf = ({ record }: LevelRow): string => toVisible(record?.content.name ?? texts.memberOfAnotherHouse);

const levelsOn = (grants: readonly Grant[], place: string): ReadonlyMap<string, Level> =>
  new Map(grants.filter(({ on }) => on === place).map(({ agent, level }) => [agent, level]));
