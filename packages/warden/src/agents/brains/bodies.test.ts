import { describe, expect, test } from "bun:test";
import type { AgentId } from "@hearth/protocol";
import { createMemoryBlobs } from "../../kernel/store/memory-blobs.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { createBodies } from "./bodies.ts";

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const agent = `agent_${"0".repeat(26)}` as AgentId;

const open = () => {
  const store = createMemoryStore();
  const blobs = createMemoryBlobs(hash);
  const bodies = createBodies({ agent, hash, store, blobs });
  return {
    store,
    blobs,
    bodies,
    /** Stores a text, and returns its hash. */
    async keep(text: string, base?: string): Promise<string> {
      await store.commit({ writes: await bodies.plan(bytesOf(text), base) });
      return hash(text);
    },
    rowOf: async (hash: string) => (await store.select({ table: "brain_bodies", where: { agent, hash: hash } }))[0],
    async size(): Promise<number> {
      const rows = await store.select({ table: "brain_bodies" });
      const blobsOf = await Promise.all(
        rows.map(async (row) => (row.text === null ? await blobs.get(row.hash) : undefined)),
      );
      return [...rows.map(({ text }) => text?.length ?? 0), ...blobsOf.map((bytes) => bytes?.length ?? 0)].reduce(
        (sum, length) => sum + length,
        0,
      );
    },
  };
};

const LINE = `${"x".repeat(149)}\n`;

test("a log that grows by 200 lines takes a tenth of its versions, and each version is read as it was", async () => {
  const { keep, bodies, size } = open();
  let text = "";
  let base: string | undefined;
  const versions: string[] = [];
  for (let line = 0; line < 200; line += 1) {
    text += `${line} ${LINE}`;
    base = await keep(text, base);
    versions.push(text);
  }
  const whole = versions.reduce((sum, version) => sum + version.length, 0);
  expect(whole).toBeGreaterThan(3_000_000);
  expect(await size()).toBeLessThan(whole / 10);
  for (const version of versions) expect(textOf(await bodies.read(hash(version)))).toBe(version);
});

test("every sixteenth content is whole, so a read needs at most sixteen rows", async () => {
  const { keep, rowOf } = open();
  const depths: (number | undefined)[] = [];
  let base: string | undefined;
  for (let line = 0; line < 40; line += 1) {
    base = await keep(LINE.repeat(20) + "y\n".repeat(line), base);
    depths.push((await rowOf(base))?.depth);
  }
  expect(depths).toEqual(Array.from({ length: 40 }, (_, index) => index % 16));
});

describe("a content is whole", () => {
  test.each([
    ["if the difference saves less than half of it", "a".repeat(100), `${"a".repeat(40)}${"b".repeat(60)}`],
    ["if its base is not text", "\u0000", LINE],
  ])("%s", async (_why, before, after) => {
    const { keep, rowOf } = open();
    const base = await keep(before);
    expect(await rowOf(await keep(after, base))).toMatchObject({ base: null, depth: 0 });
  });

  test("if its base is missing or damaged", async () => {
    const { keep, rowOf, blobs } = open();
    expect(await rowOf(await keep(LINE, hash("nothing")))).toMatchObject({ base: null, text: LINE });
    const long = LINE.repeat(200);
    const base = await keep(long);
    await blobs.erase(base);
    expect(await rowOf(await keep(`${long}more\n`, base))).toMatchObject({ base: null, text: null });
  });

  test("if it was stored before, also as the base of its new base", async () => {
    const { keep, rowOf, bodies } = open();
    const first = await keep(LINE);
    const second = await keep(`${LINE}more\n`, first);
    expect(await rowOf(second)).toMatchObject({ base: first });
    await keep(LINE, second);
    expect(await rowOf(first)).toMatchObject({ base: null });
    await keep(`${LINE}more\n`, hash("other"));
    expect(await rowOf(second)).toMatchObject({ base: first });
    expect(textOf(await bodies.read(second))).toBe(`${LINE}more\n`);
  });
});

test("a long content differs from a blob, and a content that is no text is a blob", async () => {
  const { keep, rowOf, bodies } = open();
  const long = LINE.repeat(200);
  const base = await keep(long);
  const next = await keep(`${long}more\n`, base);
  expect([await rowOf(base), await rowOf(next)]).toMatchObject([
    { text: null, base: null },
    { base, depth: 1 },
  ]);
  expect(textOf(await bodies.read(next))).toBe(`${long}more\n`);
  expect(await rowOf(await keep("\u0000", base))).toMatchObject({ text: null, base: null });
});

test("a content whose difference or base was changed is reported as damaged", async () => {
  const { keep, store, bodies } = open();
  const base = await keep(LINE);
  const next = await keep(`${LINE}more\n`, base);
  const set = async (of: string, columns: { readonly text?: string; readonly base?: string }) =>
    store.commit({ writes: [{ kind: "update", table: "brain_bodies", where: { agent, hash: of }, set: columns }] });
  for (const [of, columns] of [
    [next, { text: '[0,0,"other"]' }],
    [next, { text: "none" }],
    [next, { base: hash("nothing") }],
    [next, { base: next }],
    [base, { text: "other" }],
  ] as const) {
    const [before] = await store.select({ table: "brain_bodies", where: { agent, hash: of } });
    await set(of, columns);
    await expect(bodies.read(next)).rejects.toMatchObject({ code: "store.damaged" });
    await set(of, { text: before?.text ?? "", ...(typeof before?.base === "string" ? { base: before.base } : {}) });
  }
  expect(textOf(await bodies.read(next))).toBe(`${LINE}more\n`);
});

test("contents that are stored again differ only from each other", async () => {
  const { keep, store, bodies, rowOf } = open();
  const gone = await keep(LINE);
  const texts = [1, 2, 3].map((count) => `${LINE}${"more\n".repeat(count)}`);
  const writes = await bodies.planAll(
    texts.map((text, index) => ({ bytes: bytesOf(text), base: index === 0 ? gone : hash(texts[index - 1] ?? "") })),
  );
  await store.commit({ writes: [...writes, { kind: "delete", table: "brain_bodies", where: { agent, hash: gone } }] });
  expect(await Promise.all(texts.map((text) => rowOf(hash(text))))).toMatchObject([
    { base: null },
    { base: hash(texts[0] ?? ""), depth: 1 },
    { base: hash(texts[1] ?? ""), depth: 2 },
  ]);
  for (const text of texts) expect(textOf(await bodies.read(hash(text)))).toBe(text);
});
