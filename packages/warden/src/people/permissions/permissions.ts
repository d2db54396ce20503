/** What agents may do, and where: levels given on houses and rooms, and what follows from them. People and bots alike. */
import type {
  AgentId,
  Grant,
  GrantQuery,
  HouseRecord,
  KeyScope,
  Level,
  Permission,
  Place,
  RoomRecord,
} from "@hearth/protocol";

/** Whose levels count, and what its credential leaves of them. Every `Principal` is one. */
export interface Holder {
  readonly agent: AgentId;
  readonly scope?: KeyScope;
}

/**
 * Contract, checked by `permissionsConformance`:
 * - a house's level holds in its rooms; in a room with a list of members it holds for admins alone, and each member has `w`
 * - a level on a room says nothing about its house, and one house nothing about another
 * - nobody gives more than they have, also not by a key that may less than its agent
 * - a house always has a person who decides (`x`)
 */
export interface Permissions {
  /** What the holder may do there, all that leads there taken together. Nothing for a place that is not there. */
  levelOf(holder: Holder, place: Place): Promise<Level | undefined>;
  /** The same for a place as this record says that it is, or was. */
  levelIn(holder: Holder, place: HouseRecord | RoomRecord): Promise<Level | undefined>;
  /** Every house and room where it may do something. */
  of(holder: Holder): Promise<readonly Permission[]>;
  /** Who may read at least one of these rooms. Costs what the rooms are, not who or what else there is. */
  readers(rooms: readonly RoomRecord[]): Promise<ReadonlySet<AgentId>>;
  /** Grows whenever somebody's levels may have changed: whoever kept an answer asks again. */
  version(): number;
  /** Grants as they were given, oldest first. */
  list(query?: GrantQuery): Promise<readonly Grant[]>;
  /** Gives this level, in place of another one. Throws `record.not-found`, `grant.exceeds`, `grant.last`. */
  grant(grant: Pick<Grant, "agent" | "on" | "level">, by: Holder): Promise<Grant>;
  /** Takes a level away; taking away what nobody has is no error. Throws like `grant`. */
  revoke(grant: Pick<Grant, "agent" | "on">, by: Holder): Promise<void>;
}
