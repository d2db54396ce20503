/** Determines which houses, rooms, agents and events of logs a principal sees. */
import type { Permissions, Principal, Records } from "../people/index.ts";
import {
  type AgentId,
  type HearthRecord,
  type HouseId,
  includesLevel,
  type Level,
  type Place,
  type RoomRecord,
  type StoredEvent,
} from "@hearth/protocol";

/** Whether the principal sees the record; a room by the given record, current or former. */
export type Visibility = (record: HearthRecord) => Promise<boolean>;

export interface VisibilityOptions {
  readonly records: Pick<Records, "get" | "list">;
  readonly permissions: Pick<Permissions, "levelIn" | "levelOf" | "readers">;
}

/**
 * Created for one answer. Determines the visible rooms and their members once, for any number of
 * records, and only if a record's own house does not decide.
 */
export const createVisibilityOf =
  ({ records, permissions }: VisibilityOptions) =>
  (principal: Principal): Visibility => {
    const canRead = async (house: HouseId): Promise<boolean> =>
      includesLevel(await permissions.levelOf(principal, house), "r");

    const rooms = once(async (): Promise<readonly RoomRecord[]> => {
      const allRooms = await records.list("room");
      const levels = await Promise.all(allRooms.map((room) => permissions.levelIn(principal, room)));
      return allRooms.filter((_, index) => includesLevel(levels[index], "r"));
    });
    const houses = once(async () => new Set((await rooms()).map(({ house }) => house)));
    const peers = once(async () => permissions.readers(await rooms()));

    return async (record) => {
      switch (record.type) {
        case "room":
          return includesLevel(await permissions.levelIn(principal, record), "r");
        case "house":
          return (
            (await canRead(record.id)) ||
            (await records.get("agent", principal.agent)).house === record.id ||
            (await houses()).has(record.id)
          );
        case "agent":
          return record.id === principal.agent || (await canRead(record.house)) || (await peers()).has(record.id);
      }
    };
  };

export interface EventVisibilityOptions {
  /** The first house. */
  readonly home: HouseId;
  readonly records: Pick<Records, "find">;
  readonly levelOf: (principal: Principal, place: Place) => Promise<Level | undefined>;
  readonly hasRight: Permissions["hasRight"];
  readonly sees: (principal: Principal, record: HearthRecord) => Promise<boolean>;
  /** Whether the principal is this agent, with its full rights. */
  readonly isOwn: (principal: Principal, agent: AgentId) => boolean;
}

/** Creates the check whether a principal may see an event of a house's or an agent's log. */
export const createEventVisibility = ({
  home,
  records,
  levelOf,
  hasRight,
  sees,
  isOwn,
}: EventVisibilityOptions): ((principal: Principal, event: StoredEvent) => Promise<boolean>) => {
  const hasLevel = async (principal: Principal, level: Level, place: Place): Promise<boolean> =>
    includesLevel(await levelOf(principal, place), level);

  const seesAgent = async (principal: Principal, id: AgentId): Promise<boolean> => {
    const agent = await records.find("agent", id);
    return agent !== undefined && sees(principal, agent);
  };

  const seesSpending = async (principal: Principal, id: AgentId): Promise<boolean> => {
    if (isOwn(principal, id)) return true;
    const agent = await records.find("agent", id);
    return agent !== undefined && hasLevel(principal, "r", agent.house);
  };

  return async (principal, event) => {
    switch (event.type) {
      case "record-changed": {
        // For a deleted room: by its last record.
        return sees(principal, event.record);
      }
      case "grant-changed":
        return event.agent === principal.agent || hasLevel(principal, "x", event.on);
      case "secret-changed":
        return hasRight(principal, event.on, "secrets");
      // By the rule of the report of budgets: only the home's administrators see the total spending.
      case "budget-warned":
        return event.agent === undefined ? hasLevel(principal, "x", home) : seesSpending(principal, event.agent);
      case "key-created":
      case "key-revoked":
        return event.by === principal.agent || hasLevel(principal, "x", home);
      case "hold-changed":
        return event.scope === "house" || seesAgent(principal, event.scope);
      // By the rules of `activation` and of the list of compactions.
      case "activation-started":
      case "activation-ended":
        return isOwn(principal, event.agent) || hasLevel(principal, "r", event.room);
      case "compacted":
      case "compaction-failed":
        return hasLevel(principal, "r", event.room);
      case "room-view-changed":
        return hasLevel(principal, "r", event.view.room);
      case "inbox-changed":
      case "memory-written":
      case "job-fired":
      case "session-began":
      case "second-factor-changed":
      case "passkey-changed":
      case "identity-changed":
      case "damaged":
      case "hidden":
        return true;
      // These logs hold no other events.
      default:
        return false;
    }
  };
};

const once = <Value>(load: () => Promise<Value>): (() => Promise<Value>) => {
  let answer: Promise<Value> | undefined;
  return () => (answer ??= load());
};
