/**
 * Who may reach what through the port: the levels of the agent that a credential stands for, and no more than the credential leaves
 * of them. What somebody does not see is not there for them.
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
  reaches,
  type RecordOf,
  type RecordType,
  type RoomId,
  type StoredEvent,
  type StreamName,
} from "@hearth/protocol";
import { meetStream } from "./needs.ts";
import { createVisibilityOf } from "./visibility.ts";

export interface Access {
  /** The house whose admins look after the home itself: its providers, channels and its daemon. */
  readonly home: HouseId;
  /** The agent that the principal stands for. */
  self(principal: Principal): Promise<AgentRecord>;
  levelOf(principal: Principal, place: Place): Promise<Level | undefined>;
  permissions(principal: Principal): Promise<readonly Permission[]>;
  /** Throws `auth.denied` unless the principal has this level there. */
  require(principal: Principal, level: Level, place: Place): Promise<void>;
  /** The record of this id, or of this handle: first in the principal's own house, then wherever it sees. Throws `record.not-found`. */
  find<Type extends RecordType>(principal: Principal, type: Type, name: string): Promise<RecordOf<Type>>;
  /** A bot by id, handle or display name. Throws `record.not-found`, or `request.invalid` for a person. */
  findBot(principal: Principal, name: string): Promise<AgentRecord>;
  /** Those of the records that the principal sees. */
  seen<Type extends RecordType>(
    principal: Principal,
    records: readonly RecordOf<Type>[],
  ): Promise<readonly RecordOf<Type>[]>;
  /** The activation, unless it is none of the principal's business. Its agent always may. Throws `activation.not-found`, `auth.denied`. */
  activation(principal: Principal, id: ActivationId, level: Level): Promise<Activation>;
  /** The rooms that the principal may read. */
  readableRooms(principal: Principal): Promise<readonly RoomId[]>;
  /**
   * The rooms whose activations of this agent the principal may see, as `activation` decides for each. Undefined: all of them,
   * as the agent sees its own.
   */
  roomsOfActivations(principal: Principal, agent: AgentId): Promise<readonly RoomId[] | undefined>;
  /** Whether an event of a house's log is for the principal. */
  shows(principal: Principal, event: StoredEvent): Promise<boolean>;
  /** Throws unless the stream's owner is there and the stream is open to the principal. */
  requireStream(principal: Principal, stream: StreamName): Promise<void>;
  /** Asks whether a stream that was open to the principal still is. Costs nothing while nobody's levels change. Never rejects. */
  stillOpen(principal: Principal, stream: StreamName): () => Promise<boolean>;
}

export interface AccessOptions {
  readonly records: Records;
  readonly activations: Activations;
  readonly permissions: Permissions;
  readonly home: HouseId;
}

/** An agent sees what it did itself, but for a key with a scope. */
const isOwn = ({ agent, scope }: Principal, of: AgentId): boolean => agent === of && scope === undefined;

export const createAccess = ({ records, activations, permissions, home }: AccessOptions): Access => {
  const self = (principal: Principal): Promise<AgentRecord> => records.get("agent", principal.agent);
  const levelOf: Access["levelOf"] = (principal, place) => permissions.levelOf(principal, place);

  const require: Access["require"] = async (principal, level, place) => {
    if (reaches(await levelOf(principal, place), level)) return;
    const type = place.startsWith("house_") ? "house" : "room";
    const record = await records.find(type, place);
    throw denied(record === undefined ? `${level} there` : `${level} on ${type} ${record.handle}`);
  };

  const sightOf = createVisibilityOf({ records, permissions });
  const sees = (principal: Principal, record: HearthRecord): Promise<boolean> => sightOf(principal)(record);
  const seen: Access["seen"] = (principal, list) => filter(list, sightOf(principal));

  const named = async <Type extends RecordType>(
    principal: Principal,
    type: Type,
    name: string,
  ): Promise<RecordOf<Type> | undefined> => {
    if (name.startsWith(`${type}_`)) return records.find(type, name);
    const own = await records.find(type, name, (await self(principal)).house);
    if (own !== undefined && (await sees(principal, own))) return own;
    const [other] = await seen(
      principal,
      (await records.list(type)).filter(({ handle }) => handle === name),
    );
    return other;
  };

  const activation: Access["activation"] = async (principal, id, level) => {
    const found = await activations.get(id);
    if (isOwn(principal, found.agent)) return found;
    const has = await levelOf(principal, found.room);
    if (reaches(has, level)) return found;
    if (reaches(has, "r")) throw denied(`${level} on the room of ${id}`);
    throw new HearthError("activation.not-found", `There is no activation ${id}.`);
  };

  // Every level reads.
  const readableRooms: Access["readableRooms"] = async (principal) =>
    (await permissions.of(principal)).flatMap(({ on }) => (on.startsWith("room_") ? [on as RoomId] : []));

  const find: Access["find"] = async (principal, type, name) => {
    const found = await named(principal, type, name);
    if (found !== undefined && (await sees(principal, found))) return found;
    const there = (await seen(principal, await records.list(type))).map(({ handle }) => handle);
    throw new HearthError("record.not-found", `There is no ${type} "${name}".`, {
      hint: there.length === 0 ? `List them: hearth ${type} list` : `There are: ${there.slice(0, 20).join(", ")}`,
    });
  };

  const access: Access = {
    home,
    self,
    levelOf,
    permissions: (principal) => permissions.of(principal),
    require,
    seen,
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
          `${agent.content.name} is a program elsewhere: nobody here can wait for it.`,
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

    async shows(principal, event) {
      switch (event.type) {
        case "record-changed": {
          // A room that is gone: as it was.
          return sees(principal, event.record);
        }
        case "grant-changed":
          return event.agent === principal.agent || reaches(await levelOf(principal, event.on), "x");
        case "secret-changed":
          return reaches(await levelOf(principal, event.on), "x");
        // What all agents together spend is for those who look after the home.
        case "budget-warned":
          return event.agent !== undefined || reaches(await levelOf(principal, home), "x");
        case "key-created":
        case "key-revoked":
          return event.by === principal.agent || reaches(await levelOf(principal, home), "x");
        default:
          return true;
      }
    },

    stillOpen(principal, stream) {
      let known = permissions.version();
      return async () => {
        const version = permissions.version();
        if (version === known) return true;
        try {
          await access.requireStream(principal, stream);
          known = version;
          return true;
        } catch {
          return false;
        }
      };
    },

    requireStream: (principal, stream) => meetStream(access, principal, stream),
  };
  return access;
};

const filter = async <Item>(
  items: readonly Item[],
  keep: (item: Item) => Promise<boolean>,
): Promise<readonly Item[]> => {
  const kept = await Promise.all(items.map(keep));
  return items.filter((_, index) => kept[index] === true);
};

const denied = (needed: string): HearthError =>
  new HearthError("auth.denied", `This takes ${needed}.`, {
    hint: "Whoever decides there can give it: hearth grant add NAME LEVEL --on PLACE",
  });
