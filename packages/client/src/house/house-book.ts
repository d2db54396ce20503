/** Holds the records and stops of houses. Lists fill it, and the houses' logs update it. Sends no requests. */
import {
  type AgentRecord,
  type Hold,
  type HoldChanged,
  type HouseId,
  type HouseRecord,
  isTitleDerived,
  type Me,
  type RecordChanged,
  type RoomRecord,
} from "@hearth/protocol";
import { reuseIfEqual } from "../room/activity.ts";
import type { RoomBoard } from "./room-board.ts";

/**
 * The data that an event made stale: nothing, the user's permissions, or the permissions and all
 * lists.
 */
export type StaleScope = "none" | "levels" | "all";

export interface HouseFacts {
  readonly me: Me | undefined;
  readonly agents: ReadonlyMap<string, AgentRecord>;
  readonly houses: readonly HouseRecord[];
  readonly holds: readonly Hold[];
}

export interface HouseBook {
  me(): Me | undefined;
  agents(): ReadonlyMap<string, AgentRecord>;
  /** Returns the houses, sorted by name. */
  houses(): readonly HouseRecord[];
  holds(): readonly Hold[];
  /** Returns all facts of the book. */
  facts(): HouseFacts;
  /** Takes the user's identity. Returns whether the permissions changed. */
  setMe(who: Me): boolean;
  setLists(lists: Lists): void;
  setHolds(holds: readonly Hold[]): void;
  applyHoldEvent(event: HoldChanged): void;
  applyRecordEvent(event: RecordChanged): StaleScope;
}

export interface Lists {
  readonly agents: readonly AgentRecord[];
  readonly houses: readonly HouseRecord[];
  readonly rooms: readonly RoomRecord[];
}

export const createHouseBook = (board: RoomBoard): HouseBook => {
  let me: Me | undefined;
  let agents: ReadonlyMap<string, AgentRecord> = new Map();
  let houses: readonly HouseRecord[] = [];
  let holds: readonly Hold[] = [];

  const setHouses = (list: readonly HouseRecord[]): void => {
    houses = reuseIfEqual(
      houses,
      list.toSorted((a, b) => a.content.name.localeCompare(b.content.name)),
    );
    const ownHouse = houses.find(({ id }) => id === me?.house.id);
    if (me !== undefined && ownHouse !== undefined && ownHouse !== me.house) me = { ...me, house: ownHouse };
  };

  const takeHouse = (record: HouseRecord, change: RecordChanged["change"]): void => {
    const known = houses.find(({ id }) => id === record.id);
    if (known !== undefined && known.version > record.version) return;
    const others = houses.filter(({ id }) => id !== record.id);
    setHouses(change === "removed" ? others : [...others, record]);
  };

  const takeAgent = (record: AgentRecord, change: RecordChanged["change"]): void => {
    const known = agents.get(record.id);
    if (known !== undefined && known.version > record.version) return;
    const next = new Map(agents);
    if (change === "removed") next.delete(record.id);
    else next.set(record.id, record);
    agents = next;
    if (me?.agent.id === record.id && change !== "removed") me = { ...me, agent: record };
  };

  const takeRoom = (record: RoomRecord, change: RecordChanged["change"]): StaleScope => {
    const known = board.get(record.id);
    if (change === "removed") board.drop(record.id);
    if (change === "removed" || record.version < (known?.version ?? 0)) return "none";
    // The log does not contain a title that was derived from a message.
    if (isTitleDerived(record) && record.content.title === undefined) return "all";
    board.put(record);
    const { members } = record.content;
    // A new member may belong to another house, whose record becomes visible only now.
    if (members?.some((id) => !agents.has(id)) === true) return "all";
    return known !== undefined && isOther(known.content.members, members) ? "levels" : "none";
  };

  return {
    me: () => me,
    agents: () => agents,
    houses: () => houses,
    holds: () => holds,
    facts: () => ({ me, agents, houses, holds }),

    setMe(who) {
      const isNew = me === undefined || isOther(me.permissions, who.permissions);
      if (me === undefined || isOther(me, who))
        me = { ...who, agent: newerRecord(me?.agent, who.agent), house: newerRecord(me?.house, who.house) };
      return isNew;
    },

    setLists(lists) {
      const next = new Map(lists.agents.map((agent) => [agent.id, newerRecord(agents.get(agent.id), agent)]));
      if (isOther([...agents.values()], [...next.values()])) agents = next;
      setHouses(lists.houses.map((house) => newerRecord(findById(houses, house.id), house)));
      board.setRooms(lists.rooms);
    },

    setHolds(list) {
      holds = list;
    },

    applyHoldEvent({ scope, by, at, isHeld }) {
      const others = holds.filter((hold) => hold.scope !== scope);
      holds = isHeld ? [...others, { scope, by, at }] : others;
    },

    applyRecordEvent({ change, record }) {
      switch (record.type) {
        case "house":
          takeHouse(record, change);
          return "none";
        case "agent":
          takeAgent(record, change);
          return "none";
        case "room":
          return takeRoom(record, change);
      }
    },
  };
};

const findById = (houses: readonly HouseRecord[], id: HouseId): HouseRecord | undefined =>
  houses.find((house) => house.id === id);

const newerRecord = <One extends { readonly id: string; readonly version: number }>(
  known: One | undefined,
  received: One,
): One => (known !== undefined && known.id === received.id && known.version >= received.version ? known : received);

const isOther = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b);
