/** Attachments that are found by what they contain. */
import { expect, test } from "bun:test";
import type {
  AgentId,
  AgentRecord,
  CitableFile,
  HouseId,
  Level,
  MessageEvent,
  RoomId,
  StoredMessage,
} from "@hearth/protocol";
import type { DocumentText } from "@hearth/protocol/documents";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createTestUploads } from "../../fixtures/uploads.ts";
import { createFakeLog } from "../../kernel/log/log.ts";
import { createMemoryBlobs } from "../../kernel/store/memory-blobs.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { createDurableStreams } from "../../kernel/streams/durable.ts";
import { createPassages } from "./passages.ts";

const [HALL, CELLAR] = [`room_${"1".repeat(26)}`, `room_${"2".repeat(26)}`] as [RoomId, RoomId];
const [BOT, ANA] = [`agent_${"1".repeat(26)}`, `agent_${"2".repeat(26)}`] as [AgentId, AgentId];
const house = `house_${"1".repeat(26)}` as HouseId;
const agent = { id: BOT, house } as AgentRecord;

/** The PDF of the tests. Its beginning decides the type. */
const PDF = "%PDF-1.7\n";
const LEASE = "[page 1]\nThe lease begins in May.\n\n[page 2]\nThe deposit is 1,234 euros.";

interface Scene {
  readonly result?: DocumentText;
  readonly isFinal?: boolean;
  /** Resolves when the conversion may end. */
  readonly gate?: Promise<void>;
  readonly levelOf?: (room: RoomId) => Level | undefined;
  readonly mayCarry?: (from: RoomId) => boolean;
}

const open = ({ result, isFinal = true, gate, levelOf = () => "r", mayCarry = () => true }: Scene = {}) => {
  const world = createFakeWorld({ hash: createBunWorld().hash });
  const store = createMemoryStore();
  const blobs = createMemoryBlobs(world.hash);
  const streams = createDurableStreams({ world, store, blobs, house: "alone" });
  const uploads = createTestUploads({ world, store, blobs });
  let conversions = 0;
  const passages = createPassages({
    kernel: { world, log: createFakeLog(), store, streams, signal: new AbortController().signal },
    people: {
      uploads,
      records: { find: async (_type: string, id: string) => ({ id }) } as never,
      permissions: { levelOf: async (_who: unknown, room: RoomId) => levelOf(room) ?? "none" } as never,
      mayCarry: async (_agent, from) => mayCarry(from),
    },
    documents: {
      hasOcr: async () => false,
      async convert(bytes) {
        await Array.fromAsync(bytes);
        await gate;
        conversions += 1;
        return { result: result ?? { kind: "text", text: LEASE, cut: false }, isFinal };
      },
    },
    authorsOf: async () => ({ names: { [ANA]: "Ana" }, standings: { [ANA]: "untrusted" } }),
  });
  /** Posts a message with a file. */
  const attach = async (
    name: string,
    text: string,
    { room = HALL, caption }: { readonly room?: RoomId; readonly caption?: string } = {},
  ): Promise<StoredMessage> => {
    const bytes = new TextEncoder().encode(text);
    const by = { agent: ANA, house };
    const { id: upload } = await uploads.begin(by, { name, sizeBytes: bytes.length });
    await uploads.append(ANA, upload, { offset: 0, bytes });
    const id = world.ids.fresh("evt");
    const stream = `room:${room}` as const;
    const message = { author: ANA, room, event: id, ...(caption === undefined ? {} : { caption }) };
    const { attachments, writes, guards } = await uploads.planMessage(message, [upload]);
    const body = { format: "markdown", text: "see" } as const;
    const event: MessageEvent = {
      type: "message",
      ...{ room, at: world.clock.now(), author: ANA, body, mentions: [], causes: [] },
      attachments: [...attachments],
    };
    await streams.commit({ guards, writes, events: [{ stream, id, event }] });
    const stored = await streams.find(stream, id);
    if (stored?.type !== "message") throw new Error("the message was not stored");
    return stored;
  };
  const find = async (text: string, rooms: readonly RoomId[] = [HALL, CELLAR]) => {
    const found = await passages.find({ text, rooms, limit: 10 });
    return { ...found, places: found.hits.map(({ file, place }) => `${file.name} ${place}`) };
  };
  const recall = (query: string, room = HALL) => passages.recall({ agent, room, query });
  return { world, store, streams, uploads, passages, attach, find, recall, conversions: () => conversions };
};

test("a document is converted once, and found with its page", async () => {
  const { attach, find, conversions, passages } = open();
  const message = await attach("lease.pdf", PDF);
  const { hits, places, isComplete } = await find("deposit");
  expect([places, isComplete]).toEqual([["lease.pdf page 2"], true]);
  expect(hits[0]).toMatchObject({
    message: { id: message.id },
    excerpt: { text: "The deposit is 1,234 euros.", marks: [[4, 11]] },
  });
  // The same content in another message is not converted again.
  await attach("copy.pdf", PDF, { room: CELLAR });
  expect((await find("deposit")).places).toEqual(["copy.pdf page 2", "lease.pdf page 2"]);
  expect(await passages.show(HALL, message.attachments?.[0]?.id ?? "", "page 2")).toMatchObject({ place: "page 2" });
  expect(conversions()).toBe(1);
});

test("a text file, a caption and a transcript are found, and an edited transcript by its new words", async () => {
  const { attach, find, store } = open();
  await attach("list.txt", "milk and bread");
  const message = await attach("note.bin", "\0\0", { caption: "The boiler at night" });
  expect((await find("bread")).places).toEqual(["list.txt "]);
  expect((await find("boiler")).places).toEqual(["note.bin caption"]);
  const upload = message.attachments?.[0]?.id;
  if (upload === undefined) throw new Error("the message has no file");
  const row = { upload, house, text: "water the roses", language: null, segments: null, source: "x", cost: 0 };
  await store.commit({
    writes: [{ kind: "put", table: "transcripts", row: { ...row, error: null, edited_by: null, at: 1 } }],
  });
  expect((await find("roses")).places).toEqual(["note.bin transcript"]);
  await store.commit({
    writes: [{ kind: "update", table: "transcripts", where: { upload }, set: { text: "tulips" } }],
  });
  expect([(await find("roses")).places, (await find("tulips")).places]).toEqual([[], ["note.bin transcript"]]);
  expect((await find("boiler")).places).toEqual(["note.bin caption"]);
});

test("a deleted message leaves the search, and its document is not shown", async () => {
  const { attach, find, recall, uploads, store, passages } = open();
  const message = await attach("lease.pdf", PDF);
  expect((await find("deposit")).hits.length).toBe(1);
  await store.commit({ writes: (await uploads.planRemoval(message.id)).writes });
  expect((await find("deposit")).hits).toEqual([]);
  expect((await recall("deposit")).found).toEqual([]);
  await expect(passages.show(HALL, message.attachments?.[0]?.id ?? "")).rejects.toMatchObject({
    code: "attachment.not-found",
  });
});

test("a search does not repeat a failed conversion, and finds the text that a later one stores", async () => {
  const { attach, find, conversions, uploads } = open({
    result: { kind: "refused", why: "Too slow." },
    isFinal: false,
  });
  const message = await attach("lease.pdf", PDF, { caption: "the lease" });
  expect((await find("lease")).places).toEqual(["lease.pdf caption"]);
  await find("lease");
  expect(conversions()).toBe(1);
  const upload = message.attachments?.[0]?.id;
  if (upload !== undefined) await uploads.keepText(upload, JSON.stringify({ kind: "text", text: LEASE, cut: false }));
  expect((await find("deposit")).places).toEqual(["lease.pdf page 2"]);
});

test("a search answers before a slow conversion ends, and says that it is not complete", async () => {
  const gate = Promise.withResolvers<void>();
  const { world, attach, find } = open({ gate: gate.promise });
  await attach("list.txt", "the deposit");
  expect((await find("deposit")).isComplete).toBe(true);
  await world.advance(10);
  await attach("lease.pdf", PDF);
  const asking = find("deposit");
  await world.advance(500);
  const early = await asking;
  expect([early.places, early.isComplete]).toEqual([["list.txt "], false]);
  gate.resolve();
  const late = await find("deposit");
  expect([late.places, late.isComplete]).toEqual([["lease.pdf page 2", "list.txt "], true]);
});

test("an agent recalls a page with the label of its message, and the path in its workspace", async () => {
  const { attach, recall } = open();
  const message = await attach("lease.pdf", PDF);
  const { found, isComplete } = await recall("How high is the deposit?");
  expect(isComplete).toBe(true);
  expect(found).toEqual([
    {
      message,
      ...{ name: "lease.pdf", place: "page 2", text: "The deposit is 1,234 euros." },
      citable: {
        ...{ room: HALL, name: "lease.pdf" },
        ...{ file: message.attachments?.[0]?.id, hash: message.attachments?.[0]?.hash },
      } as CitableFile,
      path: `inbox/${message.attachments?.[0]?.hash.slice(0, 16)}-lease.pdf`,
      label: { integrity: "untrusted", readers: "anyone", sources: ["a message of Ana"] },
    },
  ]);
  expect((await recall("violin")).found).toEqual([]);
  expect((await recall("deposit violin piano flute")).found).toEqual([]);
});

test("a caption and a transcript are recalled without a link, because no page shows them", async () => {
  const { attach, recall } = open();
  await attach("note.bin", "\0\0", { caption: "The boiler at night" });
  expect((await recall("boiler")).found).toMatchObject([{ place: "caption", citable: undefined }]);
});

test("an agent recalls a file of another room only if it and all readers of its room may read that room", async () => {
  for (const [scene, count] of [
    [{}, 1],
    [{ levelOf: () => undefined }, 0],
    [{ mayCarry: (from: RoomId) => from === HALL }, 0],
  ] as const) {
    const { attach, recall } = open(scene);
    await attach("lease.pdf", PDF, { room: CELLAR });
    const { found } = await recall("deposit");
    expect(found.map(({ path }) => path)).toEqual(Array.from({ length: count }, () => undefined));
    expect((await recall("deposit", CELLAR)).found.length).toBe(scene.mayCarry === undefined ? 1 : 0);
  }
});

test("a part of a document names the parts around it", async () => {
  const { attach, passages } = open();
  const [file] = (await attach("lease.pdf", PDF)).attachments ?? [];
  const id = file?.id ?? "";
  const first = { text: "The lease begins in May.", place: "page 1", next: "page 2", isCut: false };
  expect(await passages.show(HALL, id)).toEqual(first);
  for (const place of ["page 2", "page-2"])
    expect(await passages.show(HALL, id, place)).toEqual({
      ...{ text: "The deposit is 1,234 euros.", place: "page 2", previous: "page 1", isCut: false },
    });
  expect(await passages.show(HALL, id, "page-99")).toEqual({
    ...{ isCut: false, why: 'The document has no part "page-99".', next: "page 1" },
  });
  const [picture] = (await attach("a.bin", "\0\0")).attachments ?? [];
  expect(await passages.show(HALL, picture?.id ?? "")).toEqual({ isCut: false, why: "The file is not a document." });
  await expect(passages.show(CELLAR, id)).rejects.toMatchObject({ code: "attachment.not-found" });
});
