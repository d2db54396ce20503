/** Creates people for accounts that a provider confirmed, with the rights that the config gives. */
import type { Write } from "../../kernel/index.ts";
import {
  type AgentId,
  type Clock,
  HearthError,
  type HouseId,
  type Level,
  nameToHandle,
  type RoomId,
} from "@hearth/protocol";
import { plainName } from "../records/plain-name.ts";
import type { RecordChange, Records } from "../records/records.ts";

/** The rights that the config gives a person who is created at their first login. */
export interface NewPerson {
  readonly level: Level;
  /** Handles of rooms. Empty if the level applies to the house. */
  readonly rooms: readonly string[];
}

/** The change that links an account to this person. */
export type ToLink = (agent: AgentId) => Required<RecordChange>;

export interface NewPeopleOptions {
  readonly clock: Pick<Clock, "now">;
  readonly records: Records;
  /** The first house. */
  readonly house: HouseId;
  /** The person whose config file creates people. */
  readonly owner: AgentId;
}

export interface NewPeople {
  /**
   * Creates the person, their grants and the link in one commit. Throws `record.version` if a guard
   * of the link fails.
   */
  create(name: string | undefined, rights: NewPerson, planLink: ToLink): Promise<void>;
}

/** Maximum number of names that are tried if a person's name is taken. */
const MAX_NAMES = 50;
const DEFAULT_NAME = "Guest";

export const createNewPeople = ({ clock, records, house, owner }: NewPeopleOptions): NewPeople => {
  const roomsOf = async ({ rooms }: NewPerson): Promise<readonly RoomId[]> => {
    const roomIds: RoomId[] = [];
    for (const handle of rooms) roomIds.push((await records.get("room", handle, house)).id);
    return roomIds;
  };

  /** Returns a name that no member of the house has. */
  const findFreeName = async (requestedName: string | undefined): Promise<string> => {
    const cleanName = plainName(requestedName ?? "", DEFAULT_NAME);
    const name = nameToHandle(cleanName) === "" ? DEFAULT_NAME : cleanName;
    for (let attempt = 1; attempt <= MAX_NAMES; attempt += 1) {
      const candidate = attempt === 1 ? name : `${name} ${attempt}`;
      if ((await records.find("agent", nameToHandle(candidate), house)) === undefined) return candidate;
    }
    throw new HearthError("record.handle-taken", `${MAX_NAMES} members of the house are already called "${name}".`, {
      hint: "Ask an administrator of the house for an invite link.",
    });
  };

  return {
    async create(requestedName, rights, planLink) {
      const targets = await roomsOf(rights);
      const name = await findFreeName(requestedName);
      const at = clock.now();
      const toGrant = (agent: AgentId, target: RoomId | HouseId): Write => ({
        kind: "insert",
        table: "grants",
        row: { agent, target, house, level: rights.level, by: owner, at, rights: null },
      });
      await records.mutate(
        {
          kind: "create",
          type: "agent",
          house,
          level: "none",
          content: { name, kind: "human" },
          sameCommit: ({ id }) => {
            const agent = id as AgentId;
            const link = planLink(agent);
            const grantTargets = targets.length === 0 ? [house] : targets;
            return { ...link, writes: [...link.writes, ...grantTargets.map((target) => toGrant(agent, target))] };
          },
        },
        owner,
      );
    },
  };
};
