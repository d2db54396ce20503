/**
 * Reads every room and notifies people. The offset is stored after the notifications are sent, so
 * that a crash repeats a notification and loses none. A repeated notification replaces the first
 * one by its topic.
 */
import { createWorkers, type DurableStreams, type Log, type Store } from "../../kernel/index.ts";
import type { Permissions, Records } from "../../people/index.ts";
import {
  type AgentId,
  type ApprovalAsked,
  type HouseId,
  idOfStream,
  includesLevel,
  type MessageEvent,
  type PushChoices,
  type RoomId,
  type RoomRecord,
  type Stored,
  type StreamName,
  titleOfRoom,
  type World,
} from "@hearth/protocol";
import { isQuiet, wantsApproval, wantsMessage } from "@hearth/protocol/push-rules";
import type { DeviceRow, PushDevices } from "./push-devices.ts";
import type { PushAttempt } from "./push-attempt.ts";
import { type PushParcel, TTL_MS } from "./push-send.ts";

export interface PushReaderOptions {
  readonly world: Pick<World, "clock" | "hash">;
  readonly log: Pick<Log, "write">;
  readonly store: Pick<Store, "select" | "commit">;
  readonly streams: Pick<DurableStreams, "read" | "find" | "heads" | "watch">;
  readonly records: Pick<Records, "find" | "list">;
  readonly permissions: Pick<Permissions, "levelOf" | "hasRight">;
  readonly devices: PushDevices;
  readonly attempt: PushAttempt;
  /** Removes secrets of the house from a text. */
  readonly clean: (text: string) => string;
}

export const READER = "push";
const BATCH_SIZE = 100;
/**
 * Maximum number of events of a room that are read back. The last message of a room stands for
 * older ones.
 */
const MAX_EVENTS_BACK = 200;
const RETRY_MS = 1000;
/** Maximum length of a topic at a push service. */
export const TOPIC_LENGTH = 32;
const MAX_TEXT = 200;

/** One notification for a person, from an event. */
interface Notification extends PushParcel {
  readonly at: number;
}

export const createPushReader = (options: PushReaderOptions) => {
  const { world, log, store, streams, records, permissions, devices, attempt, clean } = options;
  const { clock, hash } = world;
  const topicOf = (about: string): string => hash(`push ${about}`).slice(0, TOPIC_LENGTH);

  const isReply = async (message: Stored<MessageEvent>, person: AgentId): Promise<boolean> => {
    const answeredIds = message.replyTo === undefined ? message.causes : [message.replyTo, ...message.causes];
    for (const id of answeredIds) {
      const event = await streams.find(`room:${message.room}`, id);
      if (event?.type === "message" && event.author === person) return true;
    }
    return false;
  };

  const fromMessage = async (
    message: Stored<MessageEvent>,
    room: RoomRecord,
    showsText: boolean,
  ): Promise<Notification> => {
    const author = (await records.find("agent", message.author))?.content.name ?? "Hearth";
    const text = clean(message.body.text).slice(0, MAX_TEXT).toWellFormed();
    const topic = topicOf(room.id);
    const body = showsText && text.trim() !== "" ? text : (titleOfRoom(room) ?? room.content.name);
    return { at: message.at, topic, payload: { title: author, body, path: pathOf(room), tag: topic } };
  };

  /** Whether the person may answer what waits in this house. Without a room, only admins may. */
  const mayAnswer = async (agent: AgentId, house: HouseId, room?: RoomId): Promise<boolean> => {
    if (includesLevel(await permissions.levelOf({ agent }, house), "x")) return true;
    if (room === undefined || !(await permissions.hasRight({ agent }, house, "approve"))) return false;
    return includesLevel(await permissions.levelOf({ agent }, room), "r");
  };

  /** Returns the number on the app's icon, which the app itself counts in the same way. */
  const countPending = async (person: AgentId): Promise<number> => {
    const approvals = await store.select({ table: "approvals", where: { state: "pending" } });
    const proposals = await store.select({ table: "brain_proposals", where: { state: "pending" } });
    const areTheirs = await Promise.all([
      ...approvals.map(({ house, room }) => mayAnswer(person, house, room)),
      ...proposals.map(({ house }) => mayAnswer(person, house)),
    ]);
    return areTheirs.filter(Boolean).length;
  };

  const fromApproval = async (
    event: Stored<ApprovalAsked>,
    room: RoomRecord,
    person: AgentId,
  ): Promise<Notification> => {
    const title = (await records.find("agent", event.agent))?.content.name ?? "An agent";
    const topic = topicOf(event.approval);
    const body = `Asks for approval in ${titleOfRoom(room) ?? room.content.name}`;
    const pendingCount = await countPending(person);
    return { at: event.at, topic, payload: { title, body, path: pathOf(room), tag: topic, pending: pendingCount } };
  };

  /** Whether the reader, who can read the room, may decide. The right `approve` needs no more than that. */
  const mayDecide = async ({ person, agent }: ApprovalAsked, reader: AgentId): Promise<boolean> => {
    if (person !== undefined) return person === reader;
    const bot = await records.find("agent", agent);
    return bot !== undefined && (await permissions.hasRight({ agent: reader }, bot.house, "approve"));
  };

  /**
   * Returns the last message of the batch about which the person wants to be notified, and each
   * approval.
   */
  const notificationsFor = async (
    person: AgentId,
    choices: PushChoices,
    room: RoomRecord,
    events: readonly Stored[],
  ): Promise<readonly Notification[]> => {
    // Only people who can read the room learn anything of it.
    if (!includesLevel(await permissions.levelOf({ agent: person }, room.id), "r")) return [];
    const notifications = new Map<string, Notification>();
    for (const event of events) {
      if (clock.now() - event.at >= TTL_MS) continue;
      if (event.type === "message" && event.damaged !== true && event.copied === undefined) {
        const notifiable = { message: event, room, person, isReply: await isReply(event, person) };
        if (wantsMessage(choices, notifiable))
          notifications.set(room.id, await fromMessage(event, room, choices.showsText));
      } else if (event.type === "approval-asked" && wantsApproval(choices, room.id) && (await mayDecide(event, person)))
        notifications.set(event.approval, await fromApproval(event, room, person));
      else if (event.type === "approval-decided") notifications.delete(event.approval);
    }
    return [...notifications.values()];
  };

  const notify = async (
    person: AgentId,
    personDevices: readonly DeviceRow[],
    {
      room,
      events,
      signal,
    }: { readonly room: RoomRecord; readonly events: readonly Stored[]; readonly signal: AbortSignal },
  ): Promise<void> => {
    const choices = await devices.choicesOf(person);
    if (choices.quiet !== undefined && isQuiet(choices.quiet, clock.now())) return;
    for (const notification of await notificationsFor(person, choices, room, events)) {
      // A device gets notifications only of events after it was added.
      const recipients = personDevices.filter(({ created_at }) => created_at <= notification.at);
      await Promise.all(recipients.map((device) => attempt(device, notification, signal)));
    }
  };

  const deliver = async (room: RoomId, events: readonly Stored[], signal: AbortSignal): Promise<void> => {
    const record = await records.find("room", room);
    if (record === undefined) return;
    // The notifications are sent in parallel, so a push service that does not answer delays no other device.
    const people = [...(await devices.all())];
    await Promise.all(people.map(([person, devices]) => notify(person, devices, { room: record, events, signal })));
  };

  const readRoom = async (room: RoomId, signal: AbortSignal): Promise<void> => {
    const stream: StreamName = `room:${room}`;
    const head = (await streams.heads([stream])).get(stream)?.offset ?? 0;
    const [row] = await store.select({ table: "readers", where: { reader: READER, stream } });
    let offset = Math.max(row?.offset ?? 0, head - MAX_EVENTS_BACK);
    for (;;) {
      const events = await streams.read(stream, offset, BATCH_SIZE);
      const lastEvent = events.at(-1);
      if (lastEvent === undefined) return;
      await deliver(room, events, signal);
      // The rest is sent after the next start.
      if (signal.aborted) return;
      ({ offset } = lastEvent);
      await store.commit({
        writes: [{ kind: "put", table: "readers", row: { reader: READER, stream, offset } }],
        isReproducible: true,
        mayWait: true,
      });
    }
  };

  return {
    /** Follows all rooms until the signal aborts. */
    async run(signal: AbortSignal): Promise<void> {
      const workers = createWorkers({ sleep: clock.sleep, signal });
      const startReading = (room: RoomId): void =>
        workers.start(room, async ({ pause }) => {
          while (!signal.aborted) {
            try {
              return await readRoom(room, signal);
            } catch (error) {
              log.write("error", "a room could not be read for notifications and will be read again", { room, error });
              await pause(RETRY_MS);
            }
          }
        });
      const grownStreams = streams.watch(["room"], signal);
      for (const room of await records.list("room")) startReading(room.id);
      for await (const names of grownStreams) for (const name of names) startReading(idOfStream(name));
      await workers.idle();
    },
  };
};

const pathOf = ({ handle }: RoomRecord): string => `/rooms/${encodeURIComponent(handle)}`;
