/** `hearth repair` and `hearth doctor --deep` on the files of a stopped home. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeTerminal } from "../fakes/fake-terminal.ts";
import { run } from "../run.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "hearth-repair-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const hearth = async (...words: string[]) => {
  const terminal = createFakeTerminal({ home });
  const code = await run(words, terminal);
  return { code, ...terminal.written };
};

test("a home without a database is an error, and no file is created in it", async () => {
  const { code, err } = await hearth("repair");
  expect([code, err]).toEqual([1, expect.stringContaining("has no hearth.db")]);
  expect(await readdir(home)).toEqual([]);
});

test("an unreadable database is left unchanged, and the error names its copy", async () => {
  const noise = "no database ".repeat(2000);
  await writeFile(join(home, "hearth.db"), noise);
  const deep = await hearth("doctor", "--deep", "--json");
  expect([deep.code, JSON.parse(deep.out).every(({ ok }: { ok: boolean }) => ok)]).toEqual([1, false]);
  const { code, err } = await hearth("repair", "--json");
  expect([code, err]).toEqual([1, expect.stringContaining("contains no readable row")]);
  expect(await readFile(join(home, "hearth.db"), "utf8")).toBe(noise);
  const [copy = ""] = await readdir(join(home, "damaged"));
  expect(await readFile(join(home, "damaged", copy, "hearth.db"), "utf8")).toBe(noise);
});
