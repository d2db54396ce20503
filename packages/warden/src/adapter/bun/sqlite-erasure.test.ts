import { plainEvent, plainSet } from "../../fixtures/rows.ts";
import { afterAll, afterEach, expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { Database } from "bun:sqlite";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { insert, record } from "../../kernel/store/conformance/rows.conformance.ts";
import { createSqliteStore } from "../../kernel/store/sqlite.ts";
import type { Write } from "../../kernel/store/store.ts";
import { createBunWorld } from "./world.ts";
import { openSqlite } from "./sqlite.ts";

const folder = mkdtempSync(join(tmpdir(), "hearth-erasure-"));
afterEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
});
afterAll(() => rmSync(folder, { recursive: true }));

test("deleted rows are gone from the file, in used and free pages", async () => {
  const path = join(folder, "hearth.db");
  const store = await createSqliteStore({ database: openSqlite(path), clock: createBunWorld().clock });
  const content = JSON.stringify({ text: "a thing to erase ".repeat(2000) });
  for (const id of ["small", "large"]) {
    const row = record(id, { content: id === "small" ? `"a thing to erase"` : content });
    await store.commit({ writes: [insert(row)] });
  }
  for (const id of ["small", "large"])
    await store.commit({ writes: [{ kind: "delete", table: "records", where: { id } }] });
  await store[Symbol.asyncDispose]();
  expect(readFileSync(path).includes("a thing to erase")).toBe(false);
});

const holders = (word: string): readonly string[] =>
  readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(word));

test("after a scrub, no file of an open database contains deleted or overwritten rows", async () => {
  const store = await createSqliteStore({
    database: openSqlite(join(folder, "hearth.db")),
    clock: createBunWorld().clock,
  });
  const WORD = "zanzibar-otter";
  const ids = Array.from({ length: 600 }, (_, index) => `r${index}`);
  // Rows of every size, so that pages are split, filled and joined.
  const contentOf = (id: string, index: number): string =>
    JSON.stringify({ text: `${id} ${(index % 3 === 0 ? WORD : "beside it") + " and more".repeat(index % 97)}` });
  await Promise.all(
    ids.map((id, index) => store.commit({ writes: [insert(record(id, { content: contentOf(id, index) }))] })),
  );
  await store.commit({
    writes: ["e1", "e2"].map((id) => ({
      ...{ kind: "append", stream: "room:r" },
      event: plainEvent({
        id,
        type: "message",
        at: 0,
        body: `${id} ${id === "e1" ? WORD.repeat(500) : "stays"}`,
        blob: null,
        labels: null,
      }),
    })),
  });
  expect(holders(WORD)).not.toEqual([]);
  await store.commit({
    writes: [
      ...ids.flatMap((id, index): Write[] => {
        if (index % 3 !== 0) return [];
        const where = { id };
        return [
          index % 2 === 0
            ? { kind: "delete", table: "records", where }
            : { kind: "update", table: "records", where, set: plainSet("records", { content: "{}" }) },
        ];
      }),
      {
        ...{ kind: "update", table: "events", where: { stream: "room:r", id: "e1" } },
        set: { body: "{}", blob: null, labels: null },
      },
    ],
  });
  await store.scrub();
  expect([holders(WORD), holders("beside it"), holders("stays")]).toEqual([[], ["hearth.db"], ["hearth.db"]]);
  await store[Symbol.asyncDispose]();
});

test("a scrub reports when another connection still holds the old content", async () => {
  const path = join(folder, "hearth.db");
  const store = await createSqliteStore({ database: openSqlite(path), clock: createBunWorld().clock });
  await store.commit({ writes: [insert(record("a"))] });
  const other = new Database(path, { readonly: true });
  const reading = other.query("select id from records").iterate();
  reading.next();
  await store.commit({ writes: [{ kind: "delete", table: "records", where: { id: "a" } }] });
  const error: unknown = await store.scrub().catch((reason: unknown) => reason);
  expect(isHearthError(error, "store.locked")).toBe(true);
  reading.return?.();
  other.close();
  await store.scrub();
  await store[Symbol.asyncDispose]();
}, 180_000);

test("the words of a replaced message leave the pages of the full-text index", async () => {
  const store = await createSqliteStore({
    database: openSqlite(join(folder, "hearth.db")),
    clock: createBunWorld().clock,
  });
  const WORD = "zanzibarotter";
  const stream = "room:r" as const;
  const event = (id: string) => plainEvent({ id, type: "message", at: 0, body: "{}", blob: null, labels: null });
  const ids = Array.from({ length: 50 }, (_, index) => `e${index}`);
  await store.commit({ writes: ids.map((id) => ({ kind: "append", stream, event: event(id) })) });
  for (const pending of await store.texts.pending(ids.length)) {
    const text = pending.offset % 5 === 0 ? `the ${WORD} is here` : "the word stays here";
    await store.texts.write([{ kind: "words", pending, text, author: "agent_a" }]);
  }
  await store.scrub();
  expect(holders(WORD)).toEqual(["hearth.db"]);
  await store.commit({
    writes: ids.flatMap((id, index): Write[] =>
      (index + 1) % 5 === 0
        ? [
            {
              kind: "update",
              table: "events",
              where: { stream, id },
              set: { body: '"gone"', labels: null, blob: null },
            },
          ]
        : [],
    ),
  });
  await store.scrub();
  expect(holders(WORD)).toEqual([]);
  await store[Symbol.asyncDispose]();
});
