import { expect, test } from "bun:test";
import type {
  AgentId,
  Attachment,
  Citation,
  EventId,
  MessageEvent,
  RoomRecord,
  SpokenReplies,
  Stored,
} from "@hearth/protocol";
import { createBunWorld } from "../../../adapter/bun/world.ts";
import type { Kernel } from "../../../kernel/open.ts";
import { newActivation } from "../../../kernel/journal/activation.ts";
import { createJournal } from "../../../kernel/journal/journal.ts";
import type { Reply } from "../../../kernel/outbox/outbox.ts";
import { replyIdOf } from "../../../kernel/outbox/rows.ts";
import { createMemoryBlobs } from "../../../kernel/store/memory-blobs.ts";
import { createMemoryStore } from "../../../kernel/store/memory.ts";
import type { Write } from "../../../kernel/store/store.ts";
import type { Row } from "../../../kernel/store/tables/tables.ts";
import { type Ended, toFinalState } from "./final-state.ts";
import { createEndMessages } from "./end-messages.ts";

const agent = "agent_1" as AgentId;
const room = { id: "room_1", content: { name: "Kitchen" } } as RoomRecord;
const file = { name: "a.txt" } as Attachment;
const DELIVERY = { kind: "delete", table: "outbox", where: { id: "delivery" } } as unknown as Write;
const REMOVAL = { kind: "delete", table: "attachments", where: { event: "removal" } } as unknown as Write;

/** The messages of a room, and the choices of their authors. */
interface Heard {
  readonly speaks?: boolean;
  readonly messages?: Readonly<Record<string, unknown>>;
  readonly choices?: Readonly<Record<string, SpokenReplies>>;
}

/** An activation for the second message of a room, and the parts that plan its end. */
const setUp = async ({ speaks = false, messages: heard = {}, choices = {} }: Heard = {}) => {
  const world = createBunWorld();
  const store = createMemoryStore();
  const blobs = createMemoryBlobs(world.hash);
  const delivered: Reply[] = [];
  const messages = createEndMessages({
    kernel: {
      world,
      store,
      journal: createJournal({ world, store, blobs }),
      streams: {
        find: async (_stream: string, id: string) => heard[id] as Stored<MessageEvent> | undefined,
      } as unknown as Kernel["streams"],
      config: {
        current: () => (speaks ? { voice: { speak: { kind: "fake" } } } : {}),
      } as unknown as Kernel["config"],
    },
    voiceChoices: { of: async (person) => choices[person] ?? "never" },
    rooms: {
      compose: async ({ id }, { text }, author) => ({
        type: "message",
        room: id,
        author,
        at: 5,
        body: { format: "markdown", text },
        mentions: ["agent_2" as AgentId],
        causes: [],
      }),
    },
    uploads: { attachmentsOf: async () => [file], planRemoval: async () => ({ guards: [], writes: [REMOVAL] }) },
    outbox: {
      plan: async (reply) => {
        delivered.push(reply);
        return [DELIVERY];
      },
    },
  });
  const activationFor = (offset: number): Row<"activations"> => {
    const message = {
      id: `evt_${offset}`,
      offset,
      room: room.id,
      author: "agent_p",
    } as unknown as Stored<MessageEvent>;
    return newActivation({ world, message, agent, trigger: "direct", now: 1 });
  };
  const row = activationFor(2);
  /** Merges the message at this offset into an activation. */
  const merge = async (offset: number, into: Row<"activations">): Promise<Row<"activations">> => {
    const merged = { ...activationFor(offset), merged_into: into.id };
    await store.commit({ writes: [{ kind: "insert", table: "activations", row: merged }] });
    return merged;
  };
  const plan = (
    outcome: Ended,
    more: {
      readonly room?: RoomRecord;
      readonly row?: Row<"activations">;
      readonly files?: readonly Attachment[];
      readonly elsewhere?: string[];
    } = {},
  ) => {
    const ending = { row: more.row ?? row, outcome, room: more.room ?? room, files: more.files ?? [] };
    return messages.plan(ending, toFinalState(ending), new Set(more.elsewhere as never));
  };
  return { world, store, row, messages, merge, plan, delivered };
};

test("a reply names every message that it answers in room order, also those merged into merged ones", async () => {
  const { world, row, merge, plan, delivered } = await setUp();
  await merge(1, await merge(3, row));
  const { events, writes } = await plan({ kind: "reply", toolCalls: 0, text: "Hello" });
  expect(events).toMatchObject([
    {
      stream: "room:room_1",
      id: replyIdOf(world.ids, row.id),
      event: { type: "message", activation: row.id, causes: ["evt_1", "evt_2", "evt_3"], body: { text: "Hello" } },
    },
  ] as never);
  expect(writes).toEqual([DELIVERY]);
  expect(delivered).toMatchObject([{ causes: ["evt_1", "evt_2", "evt_3"], roomName: "Kitchen" }] as never);
});

test("the partial reply of a stopped activation mentions no agent and is not delivered", async () => {
  const { plan, delivered } = await setUp();
  const { events, writes } = await plan({ kind: "stopped", partial: { text: "I will" } });
  expect(events).toMatchObject([{ event: { body: { text: "I will" }, stopped: true, mentions: [] } }]);
  expect(writes).toEqual([]);
  expect(delivered).toEqual([]);
});

test("a failure is an event in the room, and a message with its hint in the conversations", async () => {
  const { row, merge, plan, delivered } = await setUp();
  await merge(3, row);
  const error = { code: "provider.auth", message: "The key was refused.", hint: "Set a new key." } as const;
  const { events } = await plan({ kind: "failed", error }, { elsewhere: ["evt_3"] });
  expect(events).toMatchObject([{ event: { type: "activation-failed", causes: ["evt_2"], error } }] as never);
  expect(delivered).toMatchObject([
    { body: { text: "The key was refused.\n\nSet a new key." }, causes: ["evt_2"] },
  ] as never);
});

test("a child says nothing in the room", async () => {
  const { row, plan, delivered } = await setUp();
  const child = { ...row, parent: row.id };
  const error = { code: "provider.auth", message: "The key was refused." } as const;
  for (const outcome of [
    { kind: "reply", toolCalls: 0, text: "Hello" },
    { kind: "failed", error },
  ] as const)
    expect(await plan(outcome, { row: child })).toEqual({ events: [], writes: [] });
  expect(delivered).toEqual([]);
});

test("files are part of the reply, and removed when no message names them", async () => {
  const { plan } = await setUp();
  const replied = await plan({ kind: "reply", toolCalls: 0, text: "" }, { files: [file] });
  expect(replied.events).toMatchObject([{ event: { attachments: [file] } }]);
  expect(replied.writes).toEqual([DELIVERY]);
  const error = { code: "provider.auth", message: "The key was refused." } as const;
  const failed = await plan({ kind: "failed", error }, { files: [file] });
  expect(failed.writes).toEqual([REMOVAL, DELIVERY]);
});

test("citations are part of the reply, and a channel gets their words without the addresses", async () => {
  const { plan, delivered } = await setUp();
  const address = "inbox/0123456789abcdef#page-2";
  const citations = [{ address, room: room.id, file: "upl_1", name: "a.pdf", place: "page-2" }] as Citation[];
  const text = `See [a.pdf, page 2](${address}).`;
  expect((await plan({ kind: "reply", toolCalls: 0, text, citations })).events).toMatchObject([
    { event: { body: { text }, citations } },
  ] as never);
  expect(delivered).toMatchObject([{ body: { text: "See [a.pdf, page 2]." } }] as never);
});

const note = { type: "audio/wav" } as Attachment;
const direct = { id: "room_1", content: { name: "Kitchen", kind: "direct" } } as RoomRecord;
const said = (author: string, more: Partial<MessageEvent> = {}) => ({ type: "message", author, ...more });

/** The listeners of a reply to the first and the second message, in the event and for the channels. */
const heardBy = async (
  heard: Heard,
  outcome: Ended = { kind: "reply", toolCalls: 0, text: "Hello" },
  where: RoomRecord = direct,
) => {
  const { row, merge, plan, delivered } = await setUp({ speaks: true, ...heard });
  await merge(1, row);
  const { events } = await plan(outcome, { room: where });
  const event = events[0]?.event as MessageEvent;
  return { people: event.spokenFor, causes: delivered[0]?.speech?.causes };
};

test("a reply is spoken for the authors of its causes who chose so", async () => {
  const messages = { evt_1: said("agent_a", { attachments: [note] }), evt_2: said("agent_b") };
  const of = (a: SpokenReplies | undefined, b: SpokenReplies | undefined) =>
    heardBy({ messages, choices: { ...(a && { agent_a: a }), ...(b && { agent_b: b }) } });
  expect(await of(undefined, undefined)).toEqual({ people: undefined, causes: undefined });
  expect(await of("never", "never")).toEqual({ people: undefined, causes: undefined });
  expect(await of("voice-notes", "voice-notes")).toEqual({ people: ["agent_a"], causes: ["evt_1"] } as never);
  expect(await of("always", "always")).toEqual({
    people: ["agent_a", "agent_b"],
    causes: ["evt_1", "evt_2"],
  } as never);
});

test("the channels get the text as it is read aloud", async () => {
  const { plan, delivered } = await setUp({
    speaks: true,
    messages: { evt_2: said("agent_b") },
    choices: { agent_b: "always" },
  });
  await plan({ kind: "reply", toolCalls: 0, text: "See [a.pdf](inbox/0#page-2)." });
  expect(delivered[0]?.speech).toEqual({ text: "See [a.pdf](inbox/0#page-2).", causes: ["evt_2"] } as never);
});

test("the room does not play a reply to a message that came from a channel", async () => {
  const heard = { speaks: true, messages: { evt_2: said("agent_b") }, choices: { agent_b: "always" } } as const;
  const { store, plan, delivered } = await setUp(heard);
  const inbound: Row<"inbound"> = {
    ...{ channel: "tele", external: "u", at: 1, conversation: "c", message: "m", sender: "s" },
    ...{ room: room.id, event: "evt_2" as EventId, fate: "accepted", received_at: 1 },
  };
  await store.commit({ writes: [{ kind: "insert", table: "inbound", row: inbound }] });
  const { events } = await plan({ kind: "reply", toolCalls: 0, text: "Hello" }, { room: direct });
  expect((events[0]?.event as MessageEvent | undefined)?.spokenFor).toBeUndefined();
  expect(delivered[0]?.speech?.causes).toEqual(["evt_2"] as never);
});

test("only channels get the speech of a reply in a room that is not direct", async () => {
  const heard = { messages: { evt_2: said("agent_b") }, choices: { agent_b: "always" } } as const;
  expect(await heardBy(heard, undefined, room)).toEqual({ people: undefined, causes: ["evt_2"] } as never);
});

test("no reply is spoken in a house without a speaker, of a job, or when it was stopped", async () => {
  const choices = { agent_b: "always" } as const;
  const messages = { evt_2: said("agent_b") };
  const nothing = { people: undefined, causes: undefined };
  expect(await heardBy({ speaks: false, messages, choices })).toEqual(nothing);
  const job = { name: "Report", context: "room" } as never;
  expect(await heardBy({ messages: { evt_2: said("agent_b", { job }) }, choices })).toEqual(nothing);
  expect(await heardBy({ messages, choices }, { kind: "stopped", partial: { text: "I will" } })).toEqual(nothing);
  expect(await heardBy({ messages, choices })).not.toEqual(nothing);
});
