import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { commandsForEach } from "../fakes/fake-command-line.ts";

const own = commandsForEach();
const { hearth, json } = own;
const idOf = (digit: number): string => `upl_${String(digit).repeat(26)}`;

/** A room with two files of one name. */
const furnish = (): string => {
  const den = own.house.addRoom({ name: "Den", kind: "group" });
  const about = { type: "text/plain", sizeBytes: 7, hash: "0".repeat(64), name: "a.txt", by: own.house.owner.id };
  const files = [2, 1].map((digit) => ({
    ...about,
    ...{ id: idOf(digit), at: digit, message: `evt_${String(digit).repeat(26)}`, offset: digit },
  }));
  own.house.answer(`GET /api/rooms/${den.id}/attachments`, { files, isComplete: true });
  own.house.answer(`GET /api/rooms/${den.id}/attachments/${idOf(2)}`, "newest");
  return den.id;
};

test("`room files` lists files, the newest last", async () => {
  furnish();
  const { out } = await hearth("room", "files", "den");
  expect(out).toMatch(new RegExp(`^FILE.*\n${idOf(1)} +a\\.txt +text/plain +7 bytes +Owner .*\n${idOf(2)} [^\n]*\n$`));
  expect(await json("room", "files", "den")).toMatchObject([{ id: idOf(1) }, { id: idOf(2), name: "a.txt" }]);
});

test("`room files` with a name saves the newest one, and overwrites nothing", async () => {
  furnish();
  const path = join(own.house.home, "saved");
  const saved = await hearth("room", "files", "den", "a.txt", "--to", path);
  expect([saved.code, saved.out]).toEqual([0, `Saved ${path}, 8 bytes.\n`]);
  expect(await readFile(path, "utf8")).toBe('"newest"');
  const again = await hearth("room", "files", "den", idOf(2), "--to", path);
  expect([again.code, again.err.includes("cannot be created")]).toEqual([2, true]);
});

test("`room files` with an unknown name, or --to without a name, is a usage error", async () => {
  furnish();
  expect((await hearth("room", "files", "den", "b.txt")).code).toBe(2);
  expect((await hearth("room", "files", "den", "--to", "x")).code).toBe(2);
  expect(existsSync("x")).toBe(false);
});
