/**
 * Converts updates of channels to events of rooms, or refuses them. Each update is handled once, in
 * one commit, before the platform gets an acknowledgement.
 */
import {
  type Approach,
  type Pairings,
  type Records,
  type Rooms,
  refusalOf,
  type Uploads,
  wakesAlways,
} from "../../people/index.ts";
import {
  type DurableStreams,
  type Log,
  observe,
  type Notices,
  type Row,
  type Store,
  type Write,
} from "../../kernel/index.ts";
import {
  type AgentRecord,
  type EventId,
  HearthError,
  type HouseId,
  parseMentions,
  RefusalFate,
  type RoomId,
  type World,
  type RefusedInbound,
} from "@hearth/protocol";
import type { InboundUpdate as ChannelInbound, InboundFile, Webhook } from "../channel.ts";
import type { Channels } from "../house-channels.ts";
import { createConversationRooms } from "./conversation-room.ts";
import { followChannels } from "./follow-channels.ts";
import { createAcceptOrGiveUp } from "./accept-or-give-up.ts";
import { createMessages } from "./inbound-event.ts";
import { createInboundFiles, planRefusedNotice } from "./inbound-files.ts";
import { createPresses } from "./presses.ts";
import { createApprovalReplies, type Decide } from "./approval-replies.ts";
import { createStrangers } from "./strangers.ts";

export type AcceptResult =
  | { readonly kind: "accepted"; readonly room: RoomId; readonly event: EventId }
  /** The update was accepted before, so only the cursor was written. */
  | { readonly kind: "duplicate" }
  | { readonly kind: "refused"; readonly fate: RefusalFate };

/**
 * Contract:
 * - an update is one commit: its row, its event, new persons, the cursor; a redelivered update
 *   changes nothing
 * - files are fetched and stored before that commit, which makes them attachments of the message;
 *   the files of an interrupted attempt belong to no message and are removed like other such uploads
 * - a file that the platform or the house does not take is named in the message and to its sender
 * - an edit changes the message that it names. An edit of a message that never came counts as that
 *   message; if the message itself comes later, it is ignored, because its text is older
 * - a message whose sender is a group or a channel is ignored; if it addresses the agent, the answer
 *   says why
 * - the channel's admission is checked first, and updates of refused senders are ignored
 * - a stranger who writes directly gets a pairing code, at most once an hour; in a group strangers
 *   are ignored. No model reads their messages. Where the admission also admits unpaired senders,
 *   they become persons of the house with their first message, who may only take part in that
 *   conversation
 */
export interface Inbound {
  /**
   * Accepts an update, which is durable when the promise resolves. `cursor` acknowledges this
   * update and everything before it.
   */
  accept(channel: string, inbound: ChannelInbound, cursor?: string, signal?: AbortSignal): Promise<AcceptResult>;
  /**
   * Accepts one webhook delivery, which is durable when the promise resolves. Throws
   * `channel.unknown`, `channel.unverified`, `request.invalid`.
   */
  receive(channel: string, webhook: Webhook): Promise<void>;
  /** Reads every polled channel until `signal` aborts. Never rejects. */
  run(signal: AbortSignal): Promise<void>;
  /** Returns the updates that did not become events, newest first. */
  listRefused(channel: string, limit: number): Promise<readonly RefusedInbound[]>;
}

export interface InboundOptions {
  readonly world: World;
  readonly log: Log;
  readonly store: Store;
  readonly streams: DurableStreams;
  readonly records: Records;
  readonly rooms: Rooms;
  readonly uploads: Pick<Uploads, "limits" | "begin" | "append" | "cancel" | "planMessage">;
  readonly channels: Channels;
  readonly outbox: Pick<Notices, "planNotice" | "poke">;
  readonly pairings: Pick<Pairings, "admit">;
  /** The house of the channels' agents. */
  readonly house: HouseId;
  /** Decides approval requests. It is undefined if channels cannot answer them. */
  readonly decide?: Decide;
}

export const createInbound = (options: InboundOptions): Inbound => {
  const { world, log, store, streams, records, channels, outbox, pairings, house } = options;
  const strangers = createStrangers({ world, store, outbox });
  const files = createInboundFiles({ clock: world.clock, channels, uploads: options.uploads });
  const messages = createMessages({ ...options, files });
  const approvalReplies = createApprovalReplies({
    outbox,
    ...(options.decide === undefined ? {} : { decide: options.decide }),
  });
  const presses = createPresses({ store, records, channels, approvalReplies });
  const conversations = createConversationRooms({ world, store, records, rooms: options.rooms });
  /**
   * The last pending update of each channel. The updates of a channel are accepted one after
   * another.
   */
  const lastUpdates = new Map<string, Promise<unknown>>();

  const agentOf = async (channel: string): Promise<AgentRecord> => {
    const { agent: handle } = channels.settings(channel);
    const agent = await records.find("agent", handle, house);
    if (agent?.content.kind === "bot") return agent;
    throw new HearthError(
      "channel.failed",
      `The channel "${channel}" speaks for "${handle}", but no bot has that handle.`,
      {
        hint: `Create the bot: hearth agent add "${handle}", or name another bot: agent = "…" under [channels.${channel}]`,
      },
    );
  };

  const cursorOf = (channel: string, cursor: string | undefined): readonly Write[] =>
    cursor === undefined ? [] : [{ kind: "put", table: "cursors", row: { channel, cursor } }];

  const isKnown = async (channel: string, external: string): Promise<boolean> =>
    (await store.select({ table: "inbound", where: { channel, external }, limit: 1 })).length > 0;

  /**
   * Returns how the message arrived, for the admission rules. The edit of an accepted message
   * need not mention the agent again.
   */
  const approachOf = async (channel: string, inbound: ChannelInbound, agent: string): Promise<Approach> => {
    const { conversation, kind, messageId: message, text, isMention } = inbound;
    const isDirect = conversation.kind === "direct";
    const where = { channel, conversation: conversation.id, message, fate: "accepted" } as const;
    const isChange = kind === "edit" && (await store.select({ table: "inbound", where, limit: 1 })).length > 0;
    // In a group the platform knows best who is addressed. In a direct conversation it reports
    // every message as addressed, so only a name in the text is a mention.
    const isNamed = isChange || (isDirect ? parseMentions(text).includes(agent) : isMention);
    return { author: inbound.sender.id, isDirect, isNamed };
  };

  const acceptDuplicate = async (cursor: readonly Write[]): Promise<AcceptResult> => {
    if (cursor.length > 0) await store.commit({ writes: cursor });
    return { kind: "duplicate" };
  };

  const acceptNow = async (
    channel: string,
    inbound: ChannelInbound,
    cursor: readonly Write[],
    signal: AbortSignal,
  ): Promise<AcceptResult> => {
    if (await isKnown(channel, inbound.externalId)) return acceptDuplicate(cursor);
    const [sender] = await store.select({ table: "senders", where: { channel, external: inbound.sender.id } });
    const refuse = async (fate: RefusalFate, writes: readonly Write[] = []): Promise<AcceptResult> => {
      const row = toRow(channel, inbound, { fate, room: null, event: null }, world.clock.now());
      const { kind } = await store.commit({
        writes: [{ kind: "insert", table: "inbound", row }, ...writes, ...cursor],
      });
      if (kind !== "committed") return acceptDuplicate(cursor);
      if (writes.length > 0) outbox.poke();
      return { kind: "refused", fate };
    };
    if (sender?.state === "blocked") return refuse("blocked");
    if (inbound.isAnonymous === true) return refuse("ignored", await planAnonymousNotice(outbox, channel, inbound));
    if (inbound.kind === "press") {
      const pressed = await presses.take(channel, inbound, sender);
      const result = await refuse(sender?.state === "allowed" ? "ignored" : "unpaired");
      if (pressed !== undefined)
        observe(presses.answer(channel, inbound, pressed), log, "a button press could not be answered", { channel });
      return result;
    }
    const { admission = {}, agent: handle } = channels.settings(channel);
    const refusal = refusalOf(admission, await approachOf(channel, inbound, handle));
    if (refusal !== undefined) return refuse(refusal);
    // A person who was removed from the house is a stranger.
    const knownPerson =
      sender?.state === "allowed" && sender.person !== null ? await records.find("agent", sender.person) : undefined;
    const isPaired = admission.mode === undefined || admission.mode === "pairing";
    if (knownPerson === undefined && isPaired)
      return refuse("unpaired", await strangers.greet(channel, inbound, sender));

    const agent = await agentOf(channel);
    const person = knownPerson?.id ?? (await pairings.admit(channel, inbound.sender, agent.id));
    const { room, writes } = await conversations.find(channel, inbound.conversation, person, agent);
    const answerWrites = await approvalReplies.take(channel, inbound, { room: room.id, person });
    // An approval decision is for the house only: no model reads it.
    if (answerWrites !== undefined) return refuse("ignored", [...writes, ...answerWrites]);
    const isCalled = inbound.isMention || wakesAlways(admission, inbound.sender.id);
    const author = knownPerson ?? (await records.get("agent", person));
    const where = { room, person: author, mentionedAgents: isCalled ? [agent] : [] };
    const accepted = await messages.toEvent(channel, inbound, where, signal);
    if (accepted === undefined) return refuse("ignored");
    const row = toRow(
      channel,
      inbound,
      { fate: "accepted", room: accepted.event.room, event: accepted.id },
      world.clock.now(),
    );
    const notice = await planRefusedNotice(outbox, channel, inbound, accepted.files.refused);
    const result = await streams.commit({
      guards: accepted.guards,
      writes: [{ kind: "insert", table: "inbound", row }, ...writes, ...accepted.writes, ...notice, ...cursor],
      events: [{ stream: `room:${accepted.event.room}`, id: accepted.id, event: accepted.event }],
    });
    switch (result.kind) {
      case "committed":
        if (notice.length > 0) outbox.poke();
        return { kind: "accepted", room: accepted.event.room, event: accepted.id };
      case "refused":
        // An upload of the message was removed at the same time, so the update is tried again.
        if (accepted.files.uploads.length > 0)
          throw new HearthError("channel.failed", "A file of a message was removed.");
        // The message that the update edits was just deleted.
        return refuse("ignored");
      case "conflict":
        await files.discard(accepted.files, author);
        return acceptDuplicate(cursor);
    }
  };

  const accept: Inbound["accept"] = (channel, inbound, cursor, signal = new AbortController().signal) => {
    const previousUpdate = lastUpdates.get(channel) ?? Promise.resolve();
    const result = previousUpdate.then(() =>
      acceptNow(channel, toWellFormed(inbound), cursorOf(channel, cursor), signal),
    );
    lastUpdates.set(
      channel,
      result.catch(() => {
        // The caller handles the failure.
      }),
    );
    return result;
  };

  const giveUp = async (channel: string, inbound: ChannelInbound, cursor: string | undefined): Promise<void> => {
    const row = toRow(channel, toWellFormed(inbound), { fate: "failed", room: null, event: null }, world.clock.now());
    await store.commit({ writes: [{ kind: "put", table: "inbound", row }, ...cursorOf(channel, cursor)] });
  };

  const acceptOrGiveUp = createAcceptOrGiveUp({ clock: world.clock, log, accept, giveUp });

  return {
    accept,

    async receive(name, webhook) {
      channels.settings(name);
      const channel = await channels.open(name);
      if (channel === undefined) {
        throw new HearthError("channel.failed", `The channel "${name}" is off.`, {
          hint: "To see why: hearth channel list",
        });
      }
      // A `HearthError` makes the platform deliver the update again.
      for (const inbound of await channel.receive(webhook)) await acceptOrGiveUp(name, inbound);
    },

    run: (signal) => followChannels({ world, log, store, channels, acceptOrGiveUp }, signal),

    listRefused: (channel, limit) => listRefused(store, channel, limit),
  };
};

/** Answers a sender who hides behind a group or a channel, if they address the agent. */
const planAnonymousNotice = async (
  outbox: Pick<Notices, "planNotice">,
  channel: string,
  { conversation, messageId, externalId, isMention }: ChannelInbound,
): Promise<readonly Write[]> =>
  isMention
    ? outbox.planNotice({
        channel,
        conversation: conversation.id,
        text: "I cannot read messages of anonymous admins and channels. Write as yourself, so that I know who you are.",
        replyTo: messageId,
        idParts: ["anonymous", externalId],
      })
    : [];

const listRefused = async (
  store: Pick<Store, "select">,
  channel: string,
  limit: number,
): Promise<readonly RefusedInbound[]> => {
  const newestByFate = await Promise.all(
    RefusalFate.options.map(async (fate) => {
      const rows = await store.select({
        table: "inbound",
        where: { channel, fate },
        order: [{ column: "at", descending: true }, { column: "external" }],
        limit,
      });
      return rows.map((row) => ({ ...row, fate }));
    }),
  );
  const rows = newestByFate
    .flat()
    .toSorted((a, b) => b.at - a.at || (a.external < b.external ? -1 : 1))
    .slice(0, limit);
  return rows.map((row) => ({
    channel: row.channel,
    externalId: row.external,
    at: row.at,
    conversation: row.conversation,
    sender: row.sender,
    fate: row.fate,
  }));
};

const toRow = (
  channel: string,
  inbound: ChannelInbound,
  end: Pick<Row<"inbound">, "fate" | "room" | "event">,
  receivedAt: number,
): Row<"inbound"> => ({
  channel,
  external: inbound.externalId,
  at: inbound.at,
  conversation: inbound.conversation.id,
  message: inbound.messageId,
  sender: inbound.sender.id,
  received_at: receivedAt,
  ...end,
});

/** Replaces halves of surrogate pairs, which databases cannot store. */
const toWellFormed = (inbound: ChannelInbound): ChannelInbound => ({
  ...inbound,
  externalId: inbound.externalId.toWellFormed(),
  messageId: inbound.messageId.toWellFormed(),
  text: inbound.text.toWellFormed(),
  sender: { id: inbound.sender.id.toWellFormed(), name: inbound.sender.name.toWellFormed() },
  conversation: {
    ...inbound.conversation,
    id: inbound.conversation.id.toWellFormed(),
    name: inbound.conversation.name.toWellFormed(),
  },
  ...(inbound.files === undefined ? {} : { files: inbound.files.map(toWellFormedFile) }),
  ...(inbound.replyTo === undefined ? {} : { replyTo: inbound.replyTo.toWellFormed() }),
});

const toWellFormedFile = ({ name, summary, ...file }: InboundFile): InboundFile => ({
  ...file,
  name: name.toWellFormed(),
  summary: summary.toWellFormed(),
});
