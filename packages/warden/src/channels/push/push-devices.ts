/** The devices of people that get notifications, and the people's choices. */
import type { Row, Store } from "../../kernel/index.ts";
import { readJson, writeJson } from "../../kernel/index.ts";
import type { Logins, Records } from "../../people/index.ts";
import type {
  AddPushDevice,
  AgentId,
  ChangePushChoices,
  PushChoices,
  PushRule,
  RoomId,
  SessionId,
  World,
} from "@hearth/protocol";
import { DEFAULT_CHOICES } from "@hearth/protocol/push-rules";

export type DeviceRow = Row<"push_devices">;

export interface PushDevicesOptions {
  readonly world: Pick<World, "clock" | "hash">;
  readonly store: Pick<Store, "select" | "commit">;
  readonly logins: Pick<Logins, "list">;
  readonly records: Pick<Records, "find">;
}

export const MAX_DEVICES = 20;
const ID_LENGTH = 32;

export const createPushDevices = ({ world, store, logins, records }: PushDevicesOptions) => {
  const drop = async (rows: readonly DeviceRow[]): Promise<void> => {
    if (rows.length === 0) return;
    await store.commit({
      writes: rows.map(({ id }) => ({ kind: "delete", table: "push_devices", where: { id } }) as const),
    });
  };

  /** Removes devices whose session or person no longer exists, and returns the other devices, oldest first. */
  const removeStale = async (agent: AgentId, rows: readonly DeviceRow[]): Promise<readonly DeviceRow[]> => {
    const person = await records.find("agent", agent);
    const sessions = new Set((await logins.list(agent)).map(({ id }) => id));
    const isOver = ({ session }: DeviceRow): boolean =>
      person === undefined || (session !== null && !sessions.has(session));
    await drop(rows.filter(isOver));
    return rows.filter((row) => !isOver(row)).toSorted((a, b) => a.created_at - b.created_at);
  };

  const of = async (agent: AgentId): Promise<readonly DeviceRow[]> =>
    removeStale(agent, await store.select({ table: "push_devices", where: { agent } }));

  const choicesOf = async (agent: AgentId): Promise<PushChoices> => {
    const [row] = await store.select({ table: "push_choices", where: { agent } });
    return row === undefined ? DEFAULT_CHOICES : readJson(row.choices);
  };

  return {
    of,
    drop,
    choicesOf,

    /** Returns all devices that may get a notification now, by person. */
    async all(): Promise<ReadonlyMap<AgentId, readonly DeviceRow[]>> {
      const rows = Map.groupBy(await store.select({ table: "push_devices" }), ({ agent }) => agent);
      const devicesByPerson = await Promise.all(
        [...rows].map(async ([agent, devices]) => [agent, await removeStale(agent, devices)] as const),
      );
      return new Map(devicesByPerson.filter(([, devices]) => devices.length > 0));
    },

    /**
     * Replaces the device with the same subscription or session. If there are too many devices, the
     * oldest one is removed.
     */
    async add(agent: AgentId, session: SessionId | undefined, device: AddPushDevice): Promise<DeviceRow> {
      const row: DeviceRow = {
        id: world.hash(`push ${agent} ${device.endpoint}`).slice(0, ID_LENGTH),
        agent,
        session: session ?? null,
        name: device.name,
        endpoint: device.endpoint,
        p256dh: device.keys.p256dh,
        auth: device.keys.auth,
        created_at: world.clock.now(),
        sent_at: null,
      };
      const isSame = (other: DeviceRow): boolean =>
        other.id === row.id || (session !== undefined && other.session === session);
      const devices = await of(agent);
      const otherDevices = devices.filter((other) => !isSame(other));
      const surplusCount = Math.max(0, otherDevices.length - MAX_DEVICES + 1);
      const replacedDevices = [...devices.filter(isSame), ...otherDevices.slice(0, surplusCount)];
      await store.commit({
        by: agent,
        guards: [{ kind: "exists", table: "records", where: { id: agent, type: "agent" } }],
        writes: [
          ...replacedDevices.map(({ id }) => ({ kind: "delete", table: "push_devices", where: { id } }) as const),
          { kind: "put", table: "push_devices", row },
        ],
      });
      return row;
    },

    /** Returns whether the person had this device. */
    async remove(agent: AgentId, id: string): Promise<boolean> {
      const { kind } = await store.commit({
        by: agent,
        guards: [{ kind: "exists", table: "push_devices", where: { agent, id } }],
        writes: [{ kind: "delete", table: "push_devices", where: { agent, id } }],
      });
      return kind === "committed";
    },

    /** Records the time of the last notification. The time only informs the person, so a power cut may lose it. */
    async sent(id: string): Promise<void> {
      const set = { sent_at: world.clock.now() };
      await store.commit({
        writes: [{ kind: "update", table: "push_devices", where: { id }, set }],
        isReproducible: true,
      });
    },

    async change(agent: AgentId, change: ChangePushChoices): Promise<void> {
      const oldChoices = await choicesOf(agent);
      const rooms = new Map(Object.entries(oldChoices.rooms) as [RoomId, PushRule][]);
      for (const [room, rule] of Object.entries(change.rooms ?? {}) as [RoomId, PushRule | null][]) {
        if (rule === null) rooms.delete(room);
        else rooms.set(room, rule);
      }
      const quiet = change.quiet === undefined ? oldChoices.quiet : (change.quiet ?? undefined);
      const choices: PushChoices = {
        rule: change.rule ?? oldChoices.rule,
        rooms: Object.fromEntries(rooms) as PushChoices["rooms"],
        showsText: change.showsText ?? oldChoices.showsText,
        ...(quiet === undefined ? {} : { quiet }),
      };
      await store.commit({
        by: agent,
        writes: [{ kind: "put", table: "push_choices", row: { agent, choices: writeJson(choices) } }],
      });
    },
  };
};

export type PushDevices = ReturnType<typeof createPushDevices>;
