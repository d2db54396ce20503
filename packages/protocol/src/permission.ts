/** Who may do what: a level on a house or a room, the same for people and bots. Nobody has one by where they come from. */
import { z } from "zod";
import { AgentId, HouseId, RoomId } from "./ids.ts";

/** `r` reads, `w` also speaks, `x` also decides: over records, people, keys and other agents there. Each holds those before it. */
export const levels = ["r", "w", "x"] as const;
export const Level = z.enum(levels);
export type Level = (typeof levels)[number];

/** Whether who has `level` may do what takes `needed`. */
export const reaches = (level: Level | undefined, needed: Level): boolean =>
  level !== undefined && levels.indexOf(level) >= levels.indexOf(needed);

/** The higher one. */
export const highest = (one: Level | undefined, other: Level | undefined): Level | undefined =>
  one === undefined || (other !== undefined && reaches(other, one)) ? other : one;

/** The lower one; nothing where one of them is nothing. */
export const lowest = (one: Level | undefined, other: Level | undefined): Level | undefined =>
  one === undefined || other === undefined ? undefined : reaches(one, other) ? other : one;

/** What a level is given on. A house's holds in its rooms too; see `docs/permissions.md` for rooms with a list of members. */
export const Place = z.union([HouseId, RoomId]);
export type Place = z.infer<typeof Place>;

export const Grant = z.object({
  agent: AgentId,
  on: Place,
  level: Level,
  by: AgentId,
  /** UTC milliseconds. */
  at: z.int(),
});
export type Grant = z.infer<typeof Grant>;
export const GrantList = z.array(Grant);
export const PutGrant = z.strictObject({ level: Level });
export type PutGrant = z.infer<typeof PutGrant>;
export const GrantQuery = z.object({ on: Place.optional(), agent: AgentId.optional() });
export type GrantQuery = z.infer<typeof GrantQuery>;

/** What somebody may do at a place, all that leads there taken together. */
export const Permission = z.object({ on: Place, level: Level });
export type Permission = z.infer<typeof Permission>;
