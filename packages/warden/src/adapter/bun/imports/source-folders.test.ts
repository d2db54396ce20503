/** Folders of other programs, read by a real process. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MAX_IMPORT_PARTS } from "@hearth/protocol/api";
import { FOREIGN_TOKEN, writeClaudeCodeHome, writeOpenClawHome } from "@hearth/testing/foreign-homes";
import type { Item } from "../../../http/imports/plan.ts";
import { placeOf } from "../../../http/imports/plan.ts";
import { createSourceFolders } from "./source-folders.ts";

let root: string;
let home: string;
let source: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "hearth-sources-"));
  home = join(root, "house");
  source = join(root, ".openclaw");
  for (const folder of [home, source]) mkdirSync(folder);
});
afterEach(() => rmSync(root, { recursive: true }));

const readAll = async (places: readonly string[], folder = source): Promise<readonly Item[]> => {
  const items: Item[] = [];
  await createSourceFolders(home).read({ kind: "openclaw", folder }, places, async (found) => {
    for await (const item of found) items.push(item);
  });
  return items;
};

describe("a folder of another program", () => {
  test("is listed without its texts, and read in the same parts", async () => {
    await writeOpenClawHome(source);
    const folders = createSourceFolders(home);
    const listed = await folders.list({ kind: "openclaw", folder: source });
    expect(listed.find((item) => item.kind === "file" && item.to === "SOUL.md")).toEqual({
      kind: "file",
      from: "workspace/SOUL.md",
      to: "SOUL.md",
      hash: new Bun.CryptoHasher("sha256").update("You are Molty, a lobster.\n").digest("hex"),
    });
    expect(JSON.stringify(listed)).not.toContain("lobster");
    const hiding = listed.flatMap((item) => ("hidesSecrets" in item ? [placeOf(item)] : []));
    expect(hiding).toEqual(["file USER.md", "file memory/imported/openclaw/main-4f2a.md"]);

    const items = await readAll(["file SOUL.md", "job tea", "file memory/imported/openclaw/main-4f2a.md"]);
    expect(items.map(placeOf)).toEqual(["file SOUL.md", "file memory/imported/openclaw/main-4f2a.md", "job tea"]);
    expect(items[0]).toMatchObject({ text: "You are Molty, a lobster.\n" });
    expect(JSON.stringify(items)).not.toContain(FOREIGN_TOKEN);
    // The copy may hold private text.
    expect(existsSync(join(home, "run/import.jsonl"))).toBe(false);
  });

  test("is found in the folder of the user, with each agent if OpenClaw has several", async () => {
    const folders = createSourceFolders(home, { userFolder: root });
    await writeOpenClawHome(source);
    expect(await folders.places()).toEqual([{ kind: "openclaw", folder: source }]);
    mkdirSync(join(source, "agents/scout"));
    mkdirSync(join(root, ".hermes"));
    expect(await folders.places()).toEqual([
      { kind: "openclaw", folder: source },
      { kind: "openclaw", folder: join(source, "agents/main") },
      { kind: "openclaw", folder: join(source, "agents/scout") },
      { kind: "hermes", folder: join(root, ".hermes") },
    ]);
  });

  test("may contain any line separator, and a copy that a killed daemon left is replaced", async () => {
    mkdirSync(join(home, "run"));
    writeFileSync(join(home, "run/import.jsonl"), "cut off");
    mkdirSync(join(source, "workspace"));
    const text = `one\u2028two\u2029three\r\nfour${"x".repeat(200_000)}`;
    writeFileSync(join(source, "workspace/SOUL.md"), text);
    writeFileSync(join(source, "workspace/USER.md"), "Ada\n");
    expect(await readAll(["file SOUL.md", "file USER.md"])).toMatchObject([{ text }, { text: "Ada\n" }]);
  });

  test("that cannot be read imports nothing, and its copy is removed", async () => {
    await writeOpenClawHome(source);
    let uses = 0;
    const runImport = () => Promise.reject(new Error("the disk failed"));
    const read = createSourceFolders(home, { runImport }).read({ kind: "openclaw", folder: source }, [], async () => {
      uses += 1;
    });
    expect(await read.catch((error: unknown) => error)).toMatchObject({
      code: "import.failed",
      message: `${source} cannot be read: the disk failed`,
    });
    expect(uses).toBe(0);
    const broken = createSourceFolders(home).read({ kind: "openclaw", folder: source }, ["file SOUL.md"], async () => {
      throw new Error("the house failed");
    });
    expect(await broken.catch((error: unknown) => error)).toMatchObject({ message: "the house failed" });
    expect(existsSync(join(home, "run/import.jsonl"))).toBe(false);
  });

  test("A65: is refused if it is relative, missing, a file, or has files of this house, also through a link", async () => {
    mkdirSync(join(home, "brains"));
    writeFileSync(join(root, "file"), "");
    symlinkSync(home, join(root, "link"));
    const folders = createSourceFolders(home);
    for (const folder of ["x/y", "/nowhere", join(root, "file"), home, join(home, "brains"), root, join(root, "link")])
      expect([folder, await folders.list({ kind: "openclaw", folder }).catch((error: unknown) => error)]).toEqual([
        folder,
        expect.objectContaining({ code: "import.failed" }),
      ]);
    expect(await readAll([], join(root, "link")).catch((error: unknown) => error)).toMatchObject({
      code: "import.failed",
    });
    symlinkSync(source, join(root, "other"));
    expect(await folders.list({ kind: "openclaw", folder: join(root, "other") })).toEqual([]);
  });

  test("A65: links below it are not followed, and the names of what they lead to are not shown", async () => {
    const outside = join(root, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "private.md"), "secret words");
    mkdirSync(join(source, "workspace"));
    symlinkSync(outside, join(source, "workspace/memory"));
    symlinkSync(outside, join(source, "agents"));
    symlinkSync(join(outside, "private.md"), join(source, "workspace/SOUL.md"));
    const listed = await createSourceFolders(home).list({ kind: "openclaw", folder: source });
    expect(listed).toEqual([
      { kind: "left", from: "workspace/SOUL.md", why: "It is a link, or is below one, and links are not followed." },
    ]);
    expect(await readAll(["file SOUL.md", "file memory/private.md"])).toEqual([]);
  });

  test("with too many parts is refused, with the command that has no limit", async () => {
    mkdirSync(join(source, "cron"));
    const jobs = Array.from({ length: MAX_IMPORT_PARTS + 1 }, () => ({}));
    writeFileSync(join(source, "cron/jobs.json"), JSON.stringify({ jobs }));
    const failure = await createSourceFolders(home)
      .list({ kind: "openclaw", folder: source })
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ message: expect.stringContaining("hearth import openclaw") });
  });
});

test("the folders of other programs in the user's folder are found", async () => {
  expect(await createSourceFolders(home, { userFolder: join(root, "nowhere") }).places()).toEqual([]);
  await writeClaudeCodeHome(join(root, ".claude"));
  expect(await createSourceFolders(home, { userFolder: root }).places()).toEqual([
    { kind: "openclaw", folder: source },
    { kind: "claude-code", folder: join(root, ".claude") },
  ]);
});
