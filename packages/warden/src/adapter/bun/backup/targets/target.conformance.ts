/** Conformance tests of a backup target. */
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isHearthError } from "@hearth/protocol";
import { failure } from "../../../../fixtures/home-on-disk.ts";
import type { BackupTarget, TargetFile } from "./target.ts";

export interface BackupTargetHarness extends AsyncDisposable {
  readonly target: BackupTarget;
  /** An empty folder of this machine. */
  readonly folder: string;
  /** Creates small objects directly in the store, without the target. */
  fill(keys: readonly string[]): void | Promise<void>;
  /** Makes later transfers fail midway while the argument is true. Targets without a connection have no `cut`. */
  cut?(isCut: boolean): void | Promise<void>;
}

const LARGE_TEXT = "0123456789abcdef".repeat(1 << 16);
const OBJECT_COUNT = 1203;

export const backupTargetConformance = (name: string, open: () => Promise<BackupTargetHarness>): void => {
  const fileOf = ({ folder }: BackupTargetHarness, text: string, fileName = "in"): TargetFile => {
    const path = join(folder, fileName);
    writeFileSync(path, text);
    const hash = new Bun.CryptoHasher("sha256").update(text).digest("hex");
    return { path, hash, sizeBytes: Buffer.byteLength(text) };
  };
  const read = async (harness: BackupTargetHarness, key: string): Promise<string | undefined> => {
    const path = join(harness.folder, crypto.randomUUID());
    const digest = await harness.target.get(key, path);
    if (digest === undefined) return undefined;
    const text = readFileSync(path, "utf8");
    expect(digest).toEqual({
      hash: new Bun.CryptoHasher("sha256").update(text).digest("hex"),
      sizeBytes: Buffer.byteLength(text),
    });
    return text;
  };
  const keysOf = async ({ target }: BackupTargetHarness, prefix = ""): Promise<readonly string[]> =>
    (await target.list(prefix)).map(({ key }) => key).toSorted();

  describe(`backup target: ${name}`, () => {
    test("an empty target has no objects, and a missing one is undefined", async () => {
      await using harness = await open();
      expect(await keysOf(harness)).toEqual([]);
      expect(await keysOf(harness, "objects/")).toEqual([]);
      expect(await read(harness, "objects/aa/none")).toBeUndefined();
      await harness.target.delete("objects/aa/none");
      await harness.target.removeIncomplete();
    });

    test("what was put is listed with its size, read byte for byte, replaced and deleted", async () => {
      await using harness = await open();
      const { target } = harness;
      await target.put("objects/ab/abcd", fileOf(harness, "ä\n\0bytes"));
      await target.put("objects/ab/large", fileOf(harness, LARGE_TEXT));
      await target.put("backup-000001.json", fileOf(harness, ""));
      expect((await target.list("objects/")).toSorted((a, b) => (a.key < b.key ? -1 : 1))).toEqual([
        { key: "objects/ab/abcd", sizeBytes: 9 },
        { key: "objects/ab/large", sizeBytes: LARGE_TEXT.length },
      ]);
      expect(await keysOf(harness, "backup-")).toEqual(["backup-000001.json"]);
      expect(await keysOf(harness)).toEqual(["backup-000001.json", "objects/ab/abcd", "objects/ab/large"]);
      expect([await read(harness, "objects/ab/abcd"), await read(harness, "backup-000001.json")]).toEqual([
        "ä\n\0bytes",
        "",
      ]);
      expect((await read(harness, "objects/ab/large")) === LARGE_TEXT).toBe(true);
      await target.put("objects/ab/abcd", fileOf(harness, "other"));
      expect(await read(harness, "objects/ab/abcd")).toBe("other");
      await target.delete("objects/ab/abcd");
      expect(await read(harness, "objects/ab/abcd")).toBeUndefined();
      expect(await keysOf(harness)).toEqual(["backup-000001.json", "objects/ab/large"]);
    });

    test("a list has every object, also beyond 1,000", async () => {
      await using harness = await open();
      const keys = Array.from(
        { length: OBJECT_COUNT },
        (_, index) => `objects/${index % 7}/${String(index).padStart(5, "0")}`,
      );
      await harness.fill(keys);
      expect(await keysOf(harness, "objects/")).toEqual(keys.toSorted());
    });

    test("a file whose bytes differ from the stated ones is refused", async () => {
      await using harness = await open();
      const file = fileOf(harness, "one");
      writeFileSync(file.path, "two");
      expect(isHearthError(await failure(harness.target.put("objects/aa/one", file)), "backup.damaged")).toBe(true);
      expect(await keysOf(harness)).toEqual([]);
    });

    test("an interrupted transfer creates no object, keeps the existing one, and never returns a truncated file", async () => {
      await using harness = await open();
      const { target, folder, cut } = harness;
      if (cut === undefined) return;
      await target.put("objects/ab/kept", fileOf(harness, LARGE_TEXT));
      await cut(true);
      const replaceError = await failure(target.put("objects/ab/kept", fileOf(harness, `${LARGE_TEXT}more`)));
      const addError = await failure(target.put("objects/ab/added", fileOf(harness, LARGE_TEXT)));
      const getError = await failure(target.get("objects/ab/kept", join(folder, "out")));
      for (const error of [replaceError, addError, getError])
        expect(isHearthError(error, "backup.unreachable") ? "unreachable" : error).toBe("unreachable");
      await cut(false);
      expect(await keysOf(harness)).toEqual(["objects/ab/kept"]);
      expect((await read(harness, "objects/ab/kept")) === LARGE_TEXT).toBe(true);
      await target.removeIncomplete();
      expect(await keysOf(harness)).toEqual(["objects/ab/kept"]);
      expect(existsSync(join(folder, "in"))).toBe(true);
    });
  });
};
