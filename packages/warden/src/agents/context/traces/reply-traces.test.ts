/** Which messages of an agent are deleted with a forgotten source, and which only named. */
import { describe, expect, test } from "bun:test";
import type { AgentId, AgentRecord, HouseId, RoomId, StoredMessage } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createMemoryBlobs } from "../../../kernel/store/memory-blobs.ts";
import { createMemoryStore } from "../../../kernel/store/memory.ts";
import { createDurableStreams } from "../../../kernel/streams/durable.ts";
import type { ForgetTarget } from "../../memory/forget-target.ts";
import { createTestUploads } from "../../../fixtures/uploads.ts";
import { createReplyTraces } from "./reply-traces.ts";

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");
const [BOT, ANA] = [`agent_${"1".repeat(26)}`, `agent_${"2".repeat(26)}`] as [AgentId, AgentId];
const [HALL, YARD] = [`room_${"1".repeat(26)}`, `room_${"2".repeat(26)}`] as [RoomId, RoomId];
const house = `house_${"1".repeat(26)}` as HouseId;
const agent = { id: BOT, house, content: { name: "Main", kind: "bot" } } as AgentRecord;

const nothing: ForgetTarget = {
  ...{ agent, by: ANA, texts: [], isReadAnywhere: false, deletesReplies: false, turns: new Set(), files: new Set() },
  ...{ isSource: () => false, occursIn: () => false },
};
/** Everything that names the secret; a text with only a name does if the name is not known. */
const carries = (text: string, isKnown?: (name: string) => boolean): boolean =>
  text.includes("secret") || (text.includes("Zorro") && isKnown?.("zorro") !== true);

const open = async () => {
  const world = createFakeWorld({ hash });
  const store = createMemoryStore();
  const streams = createDurableStreams({ world, store, blobs: createMemoryBlobs(hash) });
  const say = async (text: string, over: Partial<StoredMessage> = {}) => {
    const { room = HALL } = over;
    await streams.append({
      ...{ stream: `room:${room}`, id: world.ids.fresh("evt") },
      event: {
        ...{ type: "message", room, at: 1, author: BOT, body: { format: "markdown", text }, mentions: [], causes: [] },
        ...over,
      },
    });
  };
  const uploads = createTestUploads({ world, store });
  const traces = createReplyTraces({
    ...{ world, store, streams, uploads },
    records: {
      // The rooms have no title from a message.
      ...{ find: async () => undefined, mutate: () => Promise.reject(new Error("no record changes here")) },
      list: async (type: string) =>
        (type === "room"
          ? [HALL, YARD].map((id) => ({ id, content: {} }))
          : [{ id: ANA, content: { name: "Ana", kind: "human" } }]) as never,
    },
  });
  const find = async (meant: Partial<ForgetTarget>, readers: readonly string[] = []) => {
    const found = await traces.find({ ...nothing, ...meant }, new Set(readers), carries);
    return {
      said: found.messages.map(({ body }) => body.text),
      kept: found.kept.map(({ text }) => text),
      keptCount: found.keptCount,
      turns: [...found.turns],
    };
  };
  return { store, streams, uploads, say, traces, find };
};
const turn = (name: string) => ({ activation: `act_${name}` }) as Partial<StoredMessage>;
const labelled = (source: string): Partial<StoredMessage> => ({
  label: { integrity: "untrusted", readers: "private", sources: [source] },
});

describe("a message of the agent", () => {
  test("is deleted if its turn read the source and it contains some of it; otherwise it is named", async () => {
    const { say, find } = await open();
    await say("the secret", turn("read"));
    await say("the weather", turn("read"));
    await say("the secret of another turn", turn("other"));
    expect(await find({}, ["act_read"])).toEqual({
      ...{ said: ["the secret"], kept: ["the weather"], keptCount: 1, turns: ["act_read"] },
    });
    expect(await find({ deletesReplies: true }, ["act_read"])).toMatchObject({
      ...{ said: ["the secret", "the weather"], keptCount: 0 },
    });
  });

  test("counts as read from the source by its label, too", async () => {
    const { say, find } = await open();
    await say("the secret", labelled("a page"));
    await say("the weather", labelled("a page"));
    await say("the secret elsewhere", labelled("another page"));
    expect(await find({ isSource: (name) => name === "a page" })).toEqual({
      ...{ said: ["the secret"], kept: ["the weather"], keptCount: 1, turns: [] },
    });
  });

  test("is deleted for what it says alone if any turn may have read the source", async () => {
    const { say, find } = await open();
    await say("the secret", turn("any"));
    await say("the weather", turn("any"));
    expect(await find({ isReadAnywhere: false })).toEqual({ said: [], kept: [], keptCount: 0, turns: [] });
    expect(await find({ isReadAnywhere: true })).toEqual({
      ...{ said: ["the secret"], kept: [], keptCount: 0, turns: ["act_any"] },
    });
  });

  test("is deleted with its turn, and if it says the target itself", async () => {
    const { say, find } = await open();
    await say("one", turn("gone"));
    await say("two", turn("stays"));
    await say("three");
    expect((await find({ turns: new Set(["act_gone"]) })).said).toEqual(["one"]);
    expect((await find({ occursIn: (text) => text === "three" })).said).toEqual(["three"]);
  });

  test("stays if it has a name that others used in its room before", async () => {
    const { say, find } = await open();
    await say("I met Zorro.", { author: ANA });
    await say("Zorro in the hall", turn("read"));
    await say("Zorro in the yard", { ...turn("read"), room: YARD });
    expect(await find({}, ["act_read"])).toMatchObject({ said: ["Zorro in the yard"], kept: ["Zorro in the hall"] });
    // If the turns are unknown, a name may come from anywhere.
    expect((await find({ isReadAnywhere: true })).said).toEqual([]);
  });

  test("is deleted although others used the name only in the source", async () => {
    const { say, find } = await open();
    await say("I met Zorro.", { author: ANA, ...labelled("a page") });
    await say("Zorro in the hall", turn("read"));
    expect((await find({ isSource: (name) => name === "a page" }, ["act_read"])).said).toEqual(["Zorro in the hall"]);
  });
});

test("a message of another author is deleted only if it is the source", async () => {
  const { say, find, traces, store } = await open();
  await say("the secret", { author: ANA, ...turn("read") });
  const [row] = await store.select({ table: "events", where: { stream: `room:${HALL}` } });
  expect((await find({ deletesReplies: true, isReadAnywhere: true }, ["act_read"])).said).toEqual([]);
  expect((await find({ message: { id: row?.id, room: HALL } as StoredMessage })).said).toEqual(["the secret"]);
  expect(await traces.readSourceTexts({ ...nothing, isSource: (name) => name.includes("Ana") })).toEqual([
    "the secret",
  ]);
  expect(await traces.readSourceTexts(nothing)).toEqual([]);
});

test("the files of a forgotten message are removed with it", async () => {
  const { say, find, traces, store, streams, uploads } = await open();
  const { id } = await uploads.begin({ agent: ANA, house }, { name: "secret.txt", sizeBytes: 6 });
  const { attachment } = await uploads.append(ANA, id, { offset: 0, bytes: new TextEncoder().encode("secret") });
  if (attachment === undefined) throw new Error("the upload is not complete");
  await say("", { author: ANA, attachments: [attachment] });
  const [row] = await store.select({ table: "events", where: { stream: `room:${HALL}` } });
  if (row === undefined) throw new Error("there is no message");
  const plan = await uploads.planMessage({ author: ANA, room: HALL, event: row.id }, [id]);
  await store.commit({ writes: plan.writes });
  const message = { id: row.id, room: HALL } as StoredMessage;
  const { messages } = await traces.find({ ...nothing, message }, new Set(), carries);
  expect(messages.map(({ id: found }) => found)).toEqual([row.id]);
  await traces.deleteMessages(messages, ANA);
  await expect(uploads.open(HALL, id)).rejects.toMatchObject({ code: "attachment.not-found" });
  expect(JSON.stringify(await streams.find(`room:${HALL}`, row.id))).not.toContain("secret");
  expect((await find({ message })).said).toEqual([]);
});

test("the reactions to a forgotten message are removed with it", async () => {
  const { say, traces, store, streams } = await open();
  await say("the secret", { author: ANA });
  await say("other", { author: ANA });
  const [row, other] = await store.select({ table: "events", where: { stream: `room:${HALL}` } });
  if (row === undefined || other === undefined) throw new Error("there are no messages");
  for (const { id } of [row, other])
    await streams.append({
      stream: `room:${HALL}`,
      id: `evt_reaction_${id}` as typeof id,
      event: { type: "message-reacted", room: HALL, by: ANA, at: 1, message: id, emoji: "👍", isOn: true },
    });
  await traces.deleteMessages([{ id: row.id, room: HALL, offset: row.offset } as StoredMessage], ANA);
  const emojiOf = async (id: string) => await streams.find(`room:${HALL}`, `evt_reaction_${id}` as typeof row.id);
  expect(await emojiOf(row.id)).toMatchObject({ emoji: "", isOn: false });
  expect(await emojiOf(other.id)).toMatchObject({ emoji: "👍", isOn: true });
});
