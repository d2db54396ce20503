/**
 * Permissions of agents, human or bot: levels granted on houses and rooms, and what follows from
 * them.
 */
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

/** The agent whose levels apply, with the scope of its credential. Every `Principal` is one. */
export interface Holder {
  readonly agent: AgentId;
  readonly scope?: KeyScope;
}

/**
 * Contract, checked by `permissionsConformance`:
 * - a level on a house applies in its rooms; in a room with members only `x` does, and each member
 *   has `w`
 * - a level on a room does not apply to its house, and a level on a house to no other house
 * - a caller cannot grant more than it has, including the limits of its key
 * - a house always has a person who decides (`x`)
 */
export interface Permissions {
  /** The holder's level on a place, from all of its grants. Undefined for an unknown place. */
  levelOf(holder: Holder, place: Place): Promise<Level | undefined>;
  /** The same for a given version of the place's record. */
  levelIn(holder: Holder, place: HouseRecord | RoomRecord): Promise<Level | undefined>;
  /** Every house and room where the holder has a level. */
  of(holder: Holder): Promise<readonly Permission[]>;
  /** The agents that may read at least one of these rooms. The cost depends only on the rooms. */
  readers(rooms: readonly RoomRecord[]): Promise<ReadonlySet<AgentId>>;
  /** Increases whenever a level may have changed; cached results are then invalid. */
  version(): number;
  /** Grants, oldest first. */
  list(query?: GrantQuery): Promise<readonly Grant[]>;
  /**
   * Grants this level, replacing another one. Throws `record.not-found`, `grant.exceeds`,
   * `grant.last`.
   */
  grant(grant: Pick<Grant, "agent" | "on" | "level">, by: Holder): Promise<Grant>;
  /** Revokes a grant; a missing one is not an error. Throws like `grant`. */
  revoke(grant: Pick<Grant, "agent" | "on">, by: Holder): Promise<void>;
}
