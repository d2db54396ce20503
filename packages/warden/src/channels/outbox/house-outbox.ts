/**
 * The outbox over the store. All pending work is in rows, so that after a crash the state of a row
 * shows the last finished step.
 */
import {
  toErasedColumns,
  newRow,
  toDelivery,
  toInsert,
  withoutExisting,
  type Log,
  type Store,
  type Row,
  type Notices,
  type Outbox,
  type Reply,
  type OutboxRow,
} from "../../kernel/index.ts";
import { type Attachment, DeliveryState, HearthError, readableText, type World } from "@hearth/protocol";
import type { Channels } from "../house-channels.ts";
import type { PassDelivery } from "./delivery-attempt.ts";
import { createDeliveries } from "./deliveries.ts";
import type { FileSource } from "./file-delivery.ts";
import { createWhyRouteClosed } from "./reply-routes.ts";
import type { SpeechSource } from "./speech-delivery.ts";

export interface OutboxOptions {
  readonly world: Pick<World, "clock" | "ids" | "random">;
  readonly log: Log;
  readonly store: Store;
  readonly channels: Channels;
  readonly pass: PassDelivery;
  /** The files of messages. */
  readonly uploads: FileSource;
  /** The audio of replies that people hear. */
  readonly speeches: SpeechSource;
  /** The notices, whose rows are sent after each `poke`. */
  readonly notices: Pick<Notices, "onPoke">;
  /** Removes secrets from the text before it is cut into pieces. When absent, the text stays unchanged. */
  readonly clean?: (text: string) => string;
}

export const createOutbox = (options: OutboxOptions): Outbox => {
  const { world, log, store, channels, pass, uploads, speeches, notices, clean = (text) => text } = options;
  const { clock, ids } = world;
  const deliveries = createDeliveries({ world, log, store, channels, pass, uploads, speeches });
  notices.onPoke(deliveries.poke);

  const whyRouteClosed = createWhyRouteClosed({ store, channels });

  /**
   * Returns the conversations that receive the reply, each with the message that the reply
   * answers there.
   */
  const findTargets = async ({ causes, room, route }: Reply): Promise<readonly Target[]> => {
    const inbound =
      causes.length === 0
        ? []
        : await store.select({ table: "inbound", and: [{ column: "event", is: "in", value: causes }] });
    const answeredTargets = newestOfEach(inbound, causes);
    if (route === undefined || (await whyRouteClosed(route, room)) !== undefined) return answeredTargets;
    const { channel, conversation } = route;
    const isAnswered = answeredTargets.some(
      (answer) => answer.channel === channel && answer.conversation === conversation,
    );
    return isAnswered ? answeredTargets : [...answeredTargets, { channel, conversation, message: null, answers: [] }];
  };

  const plan: Outbox["plan"] = async (reply) => {
    const targets = await findTargets(reply);
    if (targets.length === 0) return [];
    const now = clock.now();
    const rows: OutboxRow[] = [];
    for (const { channel: name, conversation, message, answers } of targets) {
      const channel = await channels.open(name);
      const maxBytes = channel?.traits.files?.maxBytes ?? 0;
      const { text, files } = partsOf(reply, maxBytes);
      const isHeard = maxBytes > 0 && reply.speech?.causes.some((cause) => answers.includes(cause)) === true;
      const cleanText = clean(text);
      // A channel that is missing now may return. Its message waits in one piece.
      const pieces = channel === undefined ? [cleanText] : channel.pieces(cleanText);
      const parts = [
        ...pieces.map((body, piece) => ({ part: [String(piece)], body })),
        ...files.map((file) => ({ part: ["file", file.id], body: clean(nameOf(file)), file: file.id })),
        ...(isHeard ? [{ part: ["speech"], body: clean(reply.speech?.text ?? ""), isSpoken: true as const }] : []),
      ];
      const commonFields = { channel: name, conversation, room: reply.room, event: reply.id, now };
      rows.push(
        ...parts.map(({ part, ...content }, piece) => {
          const id = ids.derive("out", reply.id, name, conversation, ...part);
          return newRow({ ...commonFields, ...content, id, piece, replyTo: piece === 0 ? message : null });
        }),
      );
    }
    return (await withoutExisting(store, rows)).map(toInsert);
  };

  const find = async (id: string): Promise<OutboxRow> => {
    const [row] = await store.select({ table: "outbox", where: { id } });
    if (row !== undefined) return row;
    throw new HearthError("record.not-found", `No delivery has the id ${id}.`, {
      hint: "To list the deliveries of a channel that need a decision: hearth channel show NAME",
    });
  };

  return {
    plan,
    whyRouteClosed,
    poke: deliveries.poke,
    run: deliveries.run,

    async list({ channel, state, limit }) {
      const newestByState = await Promise.all(
        (state === undefined ? DeliveryState.options : [state]).map((state) =>
          store.select({
            table: "outbox",
            where: { channel, state },
            order: [
              { column: "created_at", descending: true },
              { column: "place", descending: true },
            ],
            limit,
          }),
        ),
      );
      const rows = newestByState
        .flat()
        .toSorted((a, b) => b.created_at - a.created_at || b.place - a.place)
        .slice(0, limit);
      return rows.map(toDelivery);
    },

    async counts(channel) {
      const [queued, sending, unknown] = await Promise.all([
        store.select({ table: "outbox", where: { channel, state: "queued" } }),
        store.select({ table: "outbox", where: { channel, state: "sending" } }),
        store.select({ table: "outbox", where: { channel, state: "unknown", ended_at: null } }),
      ]);
      return { queued: queued.length + sending.length, unknown: unknown.length };
    },

    async lastMessageAt(channel) {
      const [[lastReceived], [lastSent]] = await Promise.all([
        store.select({
          table: "inbound",
          where: { channel, fate: "accepted" },
          order: [{ column: "at", descending: true }],
          limit: 1,
        }),
        store.select({
          table: "outbox",
          where: { channel, state: "sent" },
          order: [
            { column: "created_at", descending: true },
            { column: "place", descending: true },
          ],
          limit: 1,
        }),
      ]);
      const times = [lastReceived?.at, lastSent?.created_at].filter((at) => at !== undefined);
      return times.length === 0 ? undefined : Math.max(...times);
    },

    async decide(id, decision, by) {
      const row = await find(id);
      const now = clock.now();
      const result = await store.commit({
        by,
        guards: [{ kind: "exists", table: "outbox", where: { id, state: "unknown", ended_at: null } }],
        writes: [
          {
            kind: "update",
            table: "outbox",
            where: { id },
            // The time limit of the delivery starts again.
            set:
              decision === "leave"
                ? { ended_at: now, ...toErasedColumns(row) }
                : { state: "queued", not_before: 0, created_at: now, error: null },
          },
        ],
      });
      if (result.kind !== "committed") {
        throw new HearthError("record.version", `Delivery ${id} needs no decision: it is ${row.state}.`, {
          hint: `To see its state: hearth channel show ${row.channel}`,
        });
      }
      log.write("info", "a person decided about a delivery", { delivery: id, decision, by });
      deliveries.poke();
      return toDelivery(await find(id));
    },
  };
};

/** Returns the text of the reply for a channel, and the files that the channel sends after it. */
const partsOf = (
  { body, attachments = [], roomName, complete = (text) => text }: Reply,
  maxBytes: number,
): { readonly text: string; readonly files: readonly Attachment[] } => {
  const files = attachments.filter(({ sizeBytes }) => sizeBytes <= maxBytes);
  const oversized = attachments.filter(({ sizeBytes }) => sizeBytes > maxBytes);
  const text = readableText({ body, attachments: oversized });
  if (oversized.length === 0 || maxBytes === 0) return { text: complete(text), files };
  const roomText = roomName === undefined ? "its room" : `the room ${roomName}`;
  return { text: complete(`${text}\n(Too large for this chat. Open ${roomText} in Hearth to get it.)`), files };
};

/** Returns the text that a list of deliveries shows for a file. */
const nameOf = (file: Attachment): string => readableText({ body: { text: "" }, attachments: [file] });

interface Target {
  readonly channel: string;
  readonly conversation: string;
  readonly message: string | null;
  /** The causes of the reply that came in by this conversation. */
  readonly answers: readonly string[];
}

/** Returns the conversations of the causes, each with its newest cause, which the reply is shown to answer. */
const newestOfEach = (rows: readonly Row<"inbound">[], causes: readonly string[]): readonly Target[] => {
  const targets = new Map<string, Target>();
  const orderedRows = rows.toSorted((a, b) => causes.indexOf(a.event ?? "") - causes.indexOf(b.event ?? ""));
  for (const { channel, conversation, message, event } of orderedRows) {
    const key = JSON.stringify([channel, conversation]);
    const answers = [...(targets.get(key)?.answers ?? []), ...(event === null ? [] : [event])];
    targets.set(key, { channel, conversation, message, answers });
  }
  return [...targets.values()];
};
