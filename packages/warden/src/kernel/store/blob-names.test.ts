import { describe, expect, test } from "bun:test";
import { plainEvent, plainRow } from "../../fixtures/rows.ts";
import type { ActivationId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { findReferencedBodies, findHashesInInputs, readFrozenText, hashesIn } from "./blob-names.ts";
import { insertActivation } from "./conformance/rows.conformance.ts";
import { createMemoryBlobs } from "./memory-blobs.ts";
import { createMemoryStore } from "./memory.ts";
import type { Write } from "./store.ts";

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");
const [OUTPUT, EVENT, BODY, FROZEN, SUMMARY, SEGMENT, NONE] = ["o", "e", "b", "f", "s", "a", "none"].map(hash) as [
  ...[string, string, string, string, string, string, string],
];
const activation = (id: string, columns: { readonly frozen?: string; readonly frozen_blob?: string }): Write => {
  const insert = insertActivation(id);
  if (insert.kind !== "insert" || insert.table !== "activations") throw new Error("no insert");
  return { ...insert, row: { ...insert.row, ...columns } };
};

test("a hash is named by an output, an event, a body of a file, a frozen input, a summary or audit rows", async () => {
  const store = createMemoryStore();
  const step = { activation: "a" as ActivationId, kind: "tool", name: "read", input_hash: "h", effect: "pure" };
  const rest = { state: "done", output: null, labels: null, refused_by: null, started_at: 0, ended_at: 1 };
  const event = { type: "message", at: 0, body: null, labels: null };
  const { kind } = await store.commit({
    writes: [
      { kind: "insert", table: "steps", row: plainRow("steps", { ...step, ...rest, step: 0, output_blob: OUTPUT }) },
      {
        kind: "insert",
        table: "steps",
        row: plainRow("steps", { ...step, ...rest, step: 1, output: "short", output_blob: null }),
      },
      { kind: "append", stream: "room:r", event: plainEvent({ ...event, id: "evt_1", blob: EVENT }) },
      { kind: "append", stream: "room:r", event: plainEvent({ ...event, id: "evt_2", body: "short", blob: null }) },
      { kind: "insert", table: "brain_bodies", row: { agent: "a", hash: BODY, text: null } as never },
      { kind: "insert", table: "brain_bodies", row: { agent: "a", hash: NONE, text: "short" } as never },
      activation("act_1", { frozen_blob: FROZEN }),
      activation("act_2", {}),
      { kind: "insert", table: "compactions", row: { agent: "a", room: "r", place: 1, summary: SUMMARY } as never },
      { kind: "insert", table: "compactions", row: { agent: "a", room: "r", place: 2, summary: null } as never },
      { kind: "insert", table: "audit_segments", row: { house: "h", after: 0, through: 1, blob: SEGMENT } as never },
    ],
  });
  expect(kind).toBe("committed");
  const all = [OUTPUT, EVENT, BODY, FROZEN, SUMMARY, SEGMENT];
  expect([...(await findReferencedBodies(store, [...all, NONE]))].toSorted()).toEqual(all.toSorted());
  for (const hash of all) expect([...(await findReferencedBodies(store, [hash, hash]))]).toEqual([hash]);
  expect((await findReferencedBodies(store, [])).size).toBe(0);
});

test("hashes are looked up in groups of 256", async () => {
  const store = createMemoryStore();
  const hashes = Array.from({ length: 513 }, (_, index) => hash(String(index)));
  await store.commit({ writes: hashes.map((hash, index) => activation(`act_${index}`, { frozen_blob: hash })) });
  for (const count of [255, 256, 257, 512, 513]) {
    let queries = 0;
    const select: typeof store.select = (query) => ((queries += 1), store.select(query));
    const found = await findReferencedBodies({ select }, hashes.slice(0, count));
    // One query per table and group.
    expect([found.size, queries]).toEqual([count, 11 * Math.ceil(count / 256)]);
  }
});

describe("a frozen input", () => {
  const blobs = createMemoryBlobs(hash);

  test("is in its row, in a blob, or absent", async () => {
    const blob = await blobs.put(new TextEncoder().encode("long"));
    const textOf = (frozen: string | null, frozen_blob: string | null) =>
      readFrozenText(blobs, { frozen, frozen_blob });
    expect([await textOf("short", null), await textOf(null, blob), await textOf(null, null)]).toEqual([
      ...["short", "long", undefined],
    ]);
    expect(await textOf(null, NONE)).toBeUndefined();
    const broken = { get: () => Promise.reject(new TypeError("no such thing")) };
    await expect(readFrozenText(broken, { frozen: null, frozen_blob: blob })).rejects.toThrow("no such thing");
  });

  test("names the hashes in it, which are words of 64 hexadecimal digits", () => {
    expect(hashesIn(JSON.stringify({ parts: [{ hash: OUTPUT }, { hash: EVENT }] }))).toEqual([OUTPUT, EVENT]);
    expect(hashesIn(`${OUTPUT}0 x${OUTPUT} ${OUTPUT.slice(1)} ${OUTPUT.toUpperCase()}`)).toEqual([]);
  });

  test("is searched for hashes in every activation, page by page", async () => {
    const store = createMemoryStore();
    const { clock } = createFakeWorld({ hash });
    const count = 101;
    const name = (index: number): string => hash(`part ${index}`);
    const blob = await blobs.put(new TextEncoder().encode(`and ${name(0)}`));
    await store.commit({
      writes: Array.from({ length: count }, (_, index) =>
        activation(
          `act_${String(index).padStart(4, "0")}`,
          index === 0 ? { frozen_blob: blob } : { frozen: name(index) },
        ),
      ),
    });
    let queries = 0;
    const select: typeof store.select = (query) => ((queries += 1), store.select(query));
    const wanted = [name(0), name(1), name(99), name(100)];
    const found = await findHashesInInputs({ clock, store: { select }, blobs }, new Set([...wanted, NONE]));
    expect([[...found].toSorted(), queries]).toEqual([wanted.toSorted(), 3]);
    expect([(await findHashesInInputs({ clock, store: { select }, blobs }, new Set())).size, queries]).toEqual([0, 3]);
  });
});
