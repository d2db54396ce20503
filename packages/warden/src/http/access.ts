/**
 * Decides what a request may reach: the levels of the credential's agent, limited by the
 * credential's scope. A record that the principal may not see is reported as missing.
 */
import type { Activations } from "../turns/index.ts";
import type { Permissions, Principal, Records } from "../people/index.ts";
import {
  type Activation,
  type ActivationId,
  AgentId,
  type AgentRecord,
  HearthError,
  type HearthRecord,
  type HouseId,
  isHandle,
  type Level,
  nameToHandle,
  type Permission,
  type Place,
  includesLevel,
  type RecordOf,
  type RecordType,
  type Right,
  type RoomId,
  type StoredEvent,
  type StreamName,
} from "@hearth/protocol";
import { checkStreamNeeds } from "./needs.ts";
import { createEventVisibility, createVisibilityOf } from "./visibility.ts";

export interface Access {
  /** The first house. Its administrators manage providers, channels and the daemon. */
  readonly home: HouseId;
  /** Returns the principal's agent. */
  self(principal: Principal): Promise<AgentRecord>;
  levelOf(principal: Principal, place: Place): Promise<Level | undefined>;
  permissions(principal: Principal): Promise<readonly Permission[]>;
  /** Throws `auth.denied` unless the principal has this level on the place. */
  require(principal: Principal, level: Level, place: Place): Promise<void>;
  /**
   * Returns undefined if the principal has `x` on the house, and otherwise the right, if it has that
   * one. Throws `auth.denied`.
   */
  requireRight(principal: Principal, right: Right, house: Place): Promise<Right | undefined>;
  /**
   * Finds a record by id or handle: first in the principal's own house, then in all visible ones.
   * Throws `record.not-found`.
   */
  find<Type extends RecordType>(principal: Principal, type: Type, name: string): Promise<RecordOf<Type>>;
  /**
   * Finds a bot by id, handle or display name. Throws `record.not-found`, or `request.invalid` for
   * a person.
   */
  findBot(principal: Principal, name: string): Promise<AgentRecord>;
  /** Keeps the records that the principal sees. */
  filterVisible<Type extends RecordType>(
    principal: Principal,
    records: readonly RecordOf<Type>[],
  ): Promise<readonly RecordOf<Type>[]>;
  /**
   * Returns the activation. Its agent may always see it; others need this level on its room. Throws
   * `activation.not-found`, `auth.denied`.
   */
  activation(principal: Principal, id: ActivationId, level: Level): Promise<Activation>;
  /** Returns the rooms that the principal may read. */
  readableRooms(principal: Principal): Promise<readonly RoomId[]>;
  /**
   * Returns the rooms whose activations of this agent the principal may see, by the rule of
   * `activation`. Undefined: all of them, as for the agent itself.
   */
  roomsOfActivations(principal: Principal, agent: AgentId): Promise<readonly RoomId[] | undefined>;
  /** Whether the principal may see this event of a house's or an agent's log. */
  canSeeEvent(principal: Principal, event: StoredEvent): Promise<boolean>;
  /** Throws unless the stream's owner exists and the principal may read the stream. */
  requireStream(principal: Principal, stream: StreamName): Promise<void>;
  /**
   * Returns a check whether the principal may still read the stream. Costs nothing while no levels
   * change. Never rejects.
   */
  createReadCheck(principal: Principal, stream: StreamName): () => Promise<boolean>;
}

export interface AccessOptions {
  readonly records: Records;
  readonly activations: Activations;
  readonly permissions: Permissions;
  /** The first house. Its administrators manage the home. */
  readonly house: HouseId;
}

/** Whether this is the caller's own activity. An agent sees its own activity, except with a scoped key. */
const isOwn = ({ agent, scope }: Principal, subject: AgentId): boolean => agent === subject && scope === undefined;

export const createAccess = ({ records, activations, permissions, house: home }: AccessOptions): Access => {
  const self = (principal: Principal): Promise<AgentRecord> => records.get("agent", principal.agent);
  const levelOf: Access["levelOf"] = (principal, place) => permissions.levelOf(principal, place);

  const require: Access["require"] = async (principal, level, place) => {
    if (includesLevel(await levelOf(principal, place), level)) return;
    const type = place.startsWith("house_") ? "house" : "room";
    const record = await records.find(type, place);
    throw deniedError(record === undefined ? `${level} there` : `${level} on ${type} ${record.handle}`);
  };

  const requireRight: Access["requireRight"] = async (principal, right, house) => {
    if (includesLevel(await levelOf(principal, house), "x")) return undefined;
    if (await permissions.hasRight(principal, house, right)) return right;
    const record = await records.find("house", house);
    const on = record === undefined ? "there" : `on house ${record.handle}`;
    throw new HearthError("auth.denied", `This request needs x or the right ${right} ${on}.`, {
      hint: `Ask an administrator of that house: hearth grant add NAME ${right} --on HOUSE`,
    });
  };

  const visibilityOf = createVisibilityOf({ records, permissions });
  const sees = (principal: Principal, record: HearthRecord): Promise<boolean> => visibilityOf(principal)(record);
  const filterVisible: Access["filterVisible"] = (principal, list) => filter(list, visibilityOf(principal));

  const findByName = async <Type extends RecordType>(
    principal: Principal,
    type: Type,
    name: string,
  ): Promise<RecordOf<Type> | undefined> => {
    if (name.startsWith(`${type}_`)) return records.find(type, name);
    const record = await records.find(type, name, (await self(principal)).house);
    if (record !== undefined && (await sees(principal, record))) return record;
    const [visibleRecord] = await filterVisible(
      principal,
      (await records.list(type)).filter(({ handle }) => handle === name),
    );
    return visibleRecord;
  };

  const activation: Access["activation"] = async (principal, id, level) => {
    const activation = await activations.get(id);
    if (isOwn(principal, activation.agent)) return activation;
    const actualLevel = await levelOf(principal, activation.room);
    if (includesLevel(actualLevel, level)) return activation;
    if (includesLevel(actualLevel, "r")) throw deniedError(`${level} on the room of ${id}`);
    throw new HearthError("activation.not-found", `There is no activation ${id}.`, {
      hint: "To list activations: hearth activation list",
    });
  };

  // Every level includes reading.
  const readableRooms: Access["readableRooms"] = async (principal) =>
    (await permissions.levelsOf(principal)).flatMap(({ on }) => (on.startsWith("room_") ? [on as RoomId] : []));

  const find: Access["find"] = async (principal, type, name) => {
    const record = await findByName(principal, type, name);
    if (record !== undefined && (await sees(principal, record))) return record;
    const visibleHandles = (await filterVisible(principal, await records.list(type))).map(({ handle }) => handle);
    throw new HearthError("record.not-found", `There is no ${type} "${name}".`, {
      hint:
        visibleHandles.length === 0
          ? `List them: hearth ${type} list`
          : `There are: ${visibleHandles.slice(0, 20).join(", ")}`,
    });
  };

  const access: Access = {
    home,
    self,
    levelOf,
    permissions: (principal) => permissions.levelsOf(principal),
    require,
    requireRight,
    filterVisible,
    activation,
    readableRooms,

    async roomsOfActivations(principal, agent) {
      return isOwn(principal, agent) ? undefined : readableRooms(principal);
    },

    find,

    async findBot(principal, name) {
      const isName = !AgentId.safeParse(name).success && !isHandle(name);
      const agent = await find(principal, "agent", isName ? nameToHandle(name) : name);
      if (agent.content.runs === "elsewhere") {
        throw new HearthError(
          "request.invalid",
          `${agent.content.name} runs outside this house, so a request cannot wait for it.`,
          {
            hint: "Write to it in a room: POST /api/rooms/ROOM/messages",
          },
        );
      }
      if (agent.content.kind === "bot") return agent;
      throw new HearthError("request.invalid", `${agent.content.name} is a person; only bots answer here.`, {
        hint: "Write to people in a room: POST /api/rooms/ROOM/messages",
      });
    },

    canSeeEvent: createEventVisibility({ home, records, levelOf, hasRight: permissions.hasRight, sees, isOwn }),

    createReadCheck(principal, stream) {
      let checkedVersion = permissions.version();
      return async () => {
        const version = permissions.version();
        if (version === checkedVersion) return true;
        try {
          await access.requireStream(principal, stream);
          checkedVersion = version;
          return true;
        } catch {
          return false;
        }
      };
    },

    requireStream: (principal, stream) => checkStreamNeeds(access, principal, stream),
  };
  return access;
};

const filter = async <Item>(
  items: readonly Item[],
  predicate: (item: Item) => Promise<boolean>,
): Promise<readonly Item[]> => {
  const matches = await Promise.all(items.map(predicate));
  return items.filter((_, index) => matches[index] === true);
};

const deniedError = (needed: string): HearthError =>
  new HearthError("auth.denied", `This request needs ${needed}.`, {
    hint: "Ask an administrator of that place: hearth grant add NAME LEVEL --on PLACE",
  });
