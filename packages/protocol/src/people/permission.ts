/**
 * Permissions: a level on a house or a room, the same for people and bots. The origin of a request
 * never grants one.
 */
import { z } from "zod";
import { AgentId, HouseId, RoomId } from "../base/ids.ts";

/** `r` read; `w` also write; `x` also administer records, people, keys and agents of the place. */
export const levels = ["r", "w", "x"] as const;
export const Level = z.enum(levels);
export type Level = (typeof levels)[number];

/** Whether `level` includes `needed`. */
export const includesLevel = (level: Level | undefined, needed: Level): boolean =>
  level !== undefined && levels.indexOf(level) >= levels.indexOf(needed);

/** Returns the higher level. */
export const highest = (a: Level | undefined, b: Level | undefined): Level | undefined =>
  a === undefined || (b !== undefined && includesLevel(b, a)) ? b : a;

/** Returns the lower level, or undefined if one of the two is undefined. */
export const lowest = (a: Level | undefined, b: Level | undefined): Level | undefined =>
  a === undefined || b === undefined ? undefined : includesLevel(a, b) ? b : a;

/**
 * Rights on a house, beside the level. Only people have them, and `x` includes all of them.
 * - `providers`: adds and removes known vendors of models with their keys; on the first house only
 * - `secrets`: stores, replaces and removes secrets; never reads a value
 * - `audit`: reads, verifies and exports the audit log
 * - `approve`: decides approvals in rooms that the person can read
 */
export const rights = ["providers", "secrets", "audit", "approve"] as const;
export const Right = z.enum(rights);
export type Right = (typeof rights)[number];
/** Rights in any order. The house stores each once. */
const RightList = z.array(Right).max(rights.length);

/** Whether a level with these rights includes `needed`. */
export const includesRight = (
  grant: { readonly level: Level; readonly rights?: readonly Right[] | undefined },
  needed: Right,
): boolean => grant.level === "x" || grant.rights?.includes(needed) === true;

/**
 * The object of a grant. A house's level applies in its rooms too, except as `docs/permissions.md`
 * describes for rooms with members.
 */
export const Place = z.union([HouseId, RoomId]);
export type Place = z.infer<typeof Place>;

export const Grant = z.object({
  agent: AgentId,
  on: Place,
  level: Level,
  /** Absent: none. Only on a house. */
  rights: RightList.optional(),
  by: AgentId,
  /** UTC milliseconds. */
  at: z.int(),
});
export type Grant = z.infer<typeof Grant>;
export const GrantList = z.array(Grant);
export const PutGrant = z.strictObject({
  level: Level,
  /** Replaces the rights. Absent: they stay. `x` includes all rights, so it stores none. */
  rights: RightList.optional(),
});
export type PutGrant = z.infer<typeof PutGrant>;
export const GrantQuery = z.object({ on: Place.optional(), agent: AgentId.optional() });
export type GrantQuery = z.infer<typeof GrantQuery>;

/** The effective level at a place, from all grants that apply, and the rights beside it. */
export const Permission = z.object({ on: Place, level: Level, rights: RightList.optional() });
export type Permission = z.infer<typeof Permission>;
