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
  setMe(newMe: Me): boolean;
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

  const setHouses = (newHouses: readonly HouseRecord[]): void => {
    houses = reuseIfEqual(
      houses,
      newHouses.toSorted((a, b) => a.content.name.localeCompare(b.content.name)),
    );
    const ownHouse = houses.find(({ id }) => id === me?.house.id);
    if (me !== undefined && ownHouse !== undefined && ownHouse !== me.house) me = { ...me, house: ownHouse };
  };

  const applyHouse = (record: HouseRecord, change: RecordChanged["change"]): void => {
    const knownHouse = houses.find(({ id }) => id === record.id);
    if (knownHouse !== undefined && knownHouse.version > record.version) return;
    const otherHouses = houses.filter(({ id }) => id !== record.id);
    setHouses(change === "removed" ? otherHouses : [...otherHouses, record]);
  };

  const applyAgent = (record: AgentRecord, change: RecordChanged["change"]): void => {
    const knownAgent = agents.get(record.id);
    if (knownAgent !== undefined && knownAgent.version > record.version) return;
    const newAgents = new Map(agents);
    if (change === "removed") newAgents.delete(record.id);
    else newAgents.set(record.id, record);
    agents = newAgents;
    if (me?.agent.id === record.id && change !== "removed") me = { ...me, agent: record };
  };

  const applyRoom = (record: RoomRecord, change: RecordChanged["change"]): StaleScope => {
    const knownRoom = board.get(record.id);
    if (change === "removed") board.drop(record.id);
    if (change === "removed" || record.version < (knownRoom?.version ?? 0)) return "none";
    // The log does not contain a title that was derived from a message.
    if (isTitleDerived(record) && record.content.title === undefined) return "all";
    board.put(record);
    const { members } = record.content;
    // A new member may belong to another house, whose record becomes visible only now.
    if (members?.some((id) => !agents.has(id)) === true) return "all";
    return knownRoom !== undefined && isDifferent(knownRoom.content.members, members) ? "levels" : "none";
  };

  return {
    me: () => me,
    agents: () => agents,
    houses: () => houses,
    holds: () => holds,
    facts: () => ({ me, agents, houses, holds }),

    setMe(newMe) {
      const isChanged = me === undefined || isDifferent(me.permissions, newMe.permissions);
      if (me === undefined || isDifferent(me, newMe))
        me = { ...newMe, agent: pickNewer(me?.agent, newMe.agent), house: pickNewer(me?.house, newMe.house) };
      return isChanged;
    },

    setLists(lists) {
      const newAgents = new Map(lists.agents.map((agent) => [agent.id, pickNewer(agents.get(agent.id), agent)]));
      if (isDifferent([...agents.values()], [...newAgents.values()])) agents = newAgents;
      setHouses(lists.houses.map((house) => pickNewer(findById(houses, house.id), house)));
      board.setRooms(lists.rooms);
    },

    setHolds(newHolds) {
      holds = newHolds;
    },

    applyHoldEvent({ scope, by, at, isHeld }) {
      const otherHolds = holds.filter((hold) => hold.scope !== scope);
      holds = isHeld ? [...otherHolds, { scope, by, at }] : otherHolds;
    },

    applyRecordEvent({ change, record }) {
      switch (record.type) {
        case "house":
          applyHouse(record, change);
          return "none";
        case "agent":
          applyAgent(record, change);
          return "none";
        case "room":
          return applyRoom(record, change);
      }
    },
  };
};

const findById = (houses: readonly HouseRecord[], id: HouseId): HouseRecord | undefined =>
  houses.find((house) => house.id === id);

const pickNewer = <Item extends { readonly id: string; readonly version: number }>(
  knownRecord: Item | undefined,
  receivedRecord: Item,
): Item =>
  knownRecord !== undefined && knownRecord.id === receivedRecord.id && knownRecord.version >= receivedRecord.version
    ? knownRecord
    : receivedRecord;

const isDifferent = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b);
