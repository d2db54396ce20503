/** A forgotten source is removed from the records of turns. */
import { describe, expect, test } from "bun:test";
import { type PlainColumns, plainRow } from "../../../fixtures/rows.ts";
import type { AgentId, AgentRecord, Label, StoredMessage } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { insertActivation, insertStep } from "../../../kernel/store/conformance/rows.conformance.ts";
import { createTextBlobCache } from "../../../kernel/store/blobs.ts";
import { createMemoryBlobs } from "../../../kernel/store/memory-blobs.ts";
import { createMemoryStore } from "../../../kernel/store/memory.ts";
import type { ForgetTarget } from "../../memory/forget-target.ts";
import { createTurnTraces } from "./turn-traces.ts";

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");
const AGENT = `agent_${"1".repeat(26)}` as AgentId;
const ROOM = `room_${"1".repeat(26)}`;
const label: Label = { integrity: "untrusted", readers: "private", sources: ["a page"] };

const nothing: ForgetTarget = {
  ...{ agent: { id: AGENT } as AgentRecord, by: AGENT, texts: [], isReadAnywhere: false, deletesReplies: false },
  ...{ turns: new Set(), files: new Set(), isSource: () => false, occursIn: () => false },
};
const saysSecret = (text: string): boolean => text.includes("secret");

const open = async () => {
  const { clock } = createFakeWorld({ hash });
  const store = createMemoryStore();
  const blobs = createMemoryBlobs(hash);
  const put = (text: string) => blobs.put(new TextEncoder().encode(text));
  const frozenWith = (over: object): string =>
    JSON.stringify({
      ...{ v: 2, model: "fake/m", fallback: [], zone: "UTC", parts: [], names: {}, tools: [], maxRounds: 5, at: 1 },
      ...{
        agent: { id: AGENT, handle: "main", name: "Main" },
        room: { id: ROOM, handle: "hall", name: "Hall", kind: "group" },
      },
      ...{ house: { id: `house_${"1".repeat(26)}`, handle: "home", name: "Home" }, config: "", loop: 1 },
      range: { start: 10, cause: 15, head: 20 },
      ...over,
    });
  const add = async (id: string, over: Partial<PlainColumns<"activations">>) => {
    const insert = insertActivation(id);
    if (insert.kind !== "insert" || insert.table !== "activations") throw new Error("no insert");
    const row = plainRow("activations", { ...insert.row, agent: AGENT, room: ROOM, ...over });
    await store.commit({ writes: [{ kind: "put", table: "activations", row }] });
    return row;
  };
  const frozenOf = async (id: string) => {
    const [row] = await store.select({ table: "activations", where: { id } });
    return row?.frozen === null || row === undefined ? undefined : JSON.parse(row.frozen);
  };
  const traces = createTurnTraces({ store, blobs, texts: createTextBlobCache({ clock, blobs }) });
  return { store, put, frozenWith, add, frozenOf, traces };
};

describe("the input of a running turn", () => {
  test("loses a summary that ended, and keeps any other", async () => {
    const { put, frozenWith, add, frozenOf, traces } = await open();
    const [gone, kept] = [await put("an old summary"), await put("another summary")];
    for (const [id, summary] of [
      ["act_1", gone],
      ["act_2", kept],
    ] as const)
      await add(id, { frozen: frozenWith({ summary: { hash: summary, label, messages: 3, through: 10 } }) });
    const { blobs, steps, turns } = await traces.erase(nothing, new Set([gone]));
    expect([(await frozenOf("act_1"))?.summary, (await frozenOf("act_2"))?.summary?.hash]).toEqual([undefined, kept]);
    expect([blobs, steps, [...turns]]).toEqual([[gone], 0, []]);
  });

  test("loses the lines of a part that say the target, and an account of unfinished work that does", async () => {
    const { put, frozenWith, add, frozenOf, traces } = await open();
    const [told, plain] = [await put("one\nthe secret\ntwo"), await put("plain")];
    const parts = [
      { name: "MEMORY.md", hash: told },
      { name: "SOUL.md", hash: plain },
    ];
    await add("act_1", { frozen: frozenWith({ parts, unfinished: { hash: told, label } }) });
    await add("act_2", { frozen: frozenWith({ unfinished: { hash: plain, label } }) });
    const { blobs } = await traces.erase({ ...nothing, occursIn: saysSecret }, new Set());
    const left = await frozenOf("act_1");
    expect(left.parts.map((part: { hash: string }) => part.hash)).toEqual([hash("one\ntwo"), plain]);
    expect(["unfinished" in left, (await frozenOf("act_2")).unfinished.hash]).toEqual([false, plain]);
    expect(new Set(blobs)).toEqual(new Set([told]));
  });
});

describe("an ended turn", () => {
  test("loses its input if that says the target, and keeps it otherwise", async () => {
    const { put, frozenWith, add, frozenOf, traces } = await open();
    const told = await put("the secret");
    await add("act_1", { ended_at: 5, frozen: frozenWith({ parts: [{ name: "MEMORY.md", hash: told }] }) });
    await add("act_2", { ended_at: 5, frozen: frozenWith({ unfinished: { hash: told, label } }) });
    await add("act_3", { ended_at: 5, frozen: frozenWith({ parts: [{ name: "SOUL.md", hash: await put("plain") }] }) });
    await add("act_4", { ended_at: 5 });
    const { blobs } = await traces.erase({ ...nothing, occursIn: saysSecret }, new Set());
    expect([await frozenOf("act_1"), await frozenOf("act_2")]).toEqual([undefined, undefined]);
    expect(await frozenOf("act_3")).toBeDefined();
    expect(new Set(blobs)).toEqual(new Set([told]));
  });
});

test("a turn has read a message that its input held, directly or in its summary", async () => {
  const { put, frozenWith, add, traces } = await open();
  const summary = { hash: await put("a summary"), label, messages: 3, through: 10 };
  await add("act_plain", { frozen: frozenWith({}) });
  await add("act_summed", { frozen: frozenWith({ summary }) });
  await add("act_child", { frozen: frozenWith({}), parent: "act_plain" });
  await add("act_away", { frozen: frozenWith({}), room: `room_${"2".repeat(26)}` });
  await add("act_none", {});
  const readersOf = async (offset: number) =>
    [...(await traces.read({ ...nothing, message: { room: ROOM, offset } as StoredMessage })).turns].toSorted();
  expect(await readersOf(11)).toEqual(["act_plain", "act_summed"]);
  expect(await readersOf(20)).toEqual(["act_plain", "act_summed"]);
  expect(await readersOf(21)).toEqual([]);
  expect(await readersOf(10)).toEqual(["act_summed"]);
  expect(await readersOf(1)).toEqual(["act_summed"]);
  expect((await traces.read(nothing)).turns.size).toBe(0);
});

test("a turn that recalled a file of the message elsewhere has read it, and loses the result", async () => {
  const { store, add, traces } = await open();
  const message = { room: ROOM, offset: 11, id: "evt_file" } as StoredMessage;
  const outputs = {
    act_quotes: ["recall", 'MEMORY.md:3\na bike\n\n"a.pdf", page 2 (a file of evt_file)\nThe deposit.\nIt is high.'],
    act_other: ["recall", '"b.pdf", page 2 (a file of evt_other)\nThe rent.'],
    act_shell: ["shell", "evt_file\nnot a quote"],
  } as const;
  for (const [id, [name, text]] of Object.entries(outputs)) {
    await add(id, { ended_at: 5, room: `room_${"2".repeat(26)}` });
    const output = JSON.stringify({ text, failed: false });
    const insert = insertStep(1);
    if (insert.kind !== "insert" || insert.table !== "steps") throw new Error("no insert");
    const row = plainRow("steps", { ...insert.row, activation: id, name, state: "done", output });
    await store.commit({ writes: [{ kind: "insert", table: "steps", row }] });
  }
  const { turns, said } = await traces.read({ ...nothing, message });
  expect([[...turns], said]).toEqual([["act_quotes"], ["The deposit.\nIt is high."]]);
  expect((await traces.erase({ ...nothing, message }, new Set())).steps).toBe(1);
  const rows = await store.select({ table: "steps" });
  expect(rows.filter(({ output }) => output === null).map(({ activation }) => String(activation))).toEqual([
    "act_quotes",
  ]);
});
