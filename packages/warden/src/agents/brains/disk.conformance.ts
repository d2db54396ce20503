/** Conformance tests of a brain's disk. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import type { BrainDisk, BrainTree } from "./disk.ts";

export interface DiskHarness extends AsyncDisposable {
  readonly disk: BrainDisk;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const unlimited = { skips: () => false, maxFiles: 1000 };

export const brainDiskConformance = (name: string, open: () => Promise<DiskHarness>): void => {
  describe(`${name}: a brain's disk`, () => {
    let harness: DiskHarness;
    let tree: BrainTree;
    beforeEach(async () => {
      harness = await open();
      await harness.disk.makeFolder("main/workspace");
      tree = harness.disk.tree("main");
    });
    afterEach(() => harness[Symbol.asyncDispose]());

    test("returns the stored bytes, any bytes, and undefined for a missing file", async () => {
      const binaryBytes = new Uint8Array([0, 255, 0xed, 0xa0, 0x80, 13, 10]);
      const facts = await tree.replace("memory/odd.bin", binaryBytes, undefined);
      expect(facts?.sizeBytes).toBe(binaryBytes.length);
      const readResult = await tree.read("memory/odd.bin", 100);
      expect([readResult?.bytes, readResult?.stamp]).toEqual([binaryBytes, facts?.stamp]);
      expect(await tree.stat("memory/odd.bin")).toEqual({ ...facts } as never);
      for (const path of ["none.md", "memory/none.md", "none/none.md"])
        expect([await tree.stat(path), await tree.read(path, 10)]).toEqual([undefined, undefined]);
    });

    test("a file that has changed meanwhile is neither replaced nor removed", async () => {
      const first = await tree.replace("a.md", bytes("one"), undefined);
      expect(await tree.replace("a.md", bytes("x"), undefined)).toBeUndefined();
      const second = await tree.replace("a.md", bytes("two"), first?.stamp);
      expect(second?.stamp).not.toBe(first?.stamp);
      expect(await tree.replace("a.md", bytes("x"), first?.stamp)).toBeUndefined();
      expect(await tree.remove("a.md", first?.stamp ?? "")).toBe(false);
      expect((await tree.read("a.md", 10))?.bytes).toEqual(bytes("two"));
      expect(await tree.remove("a.md", second?.stamp ?? "")).toBe(true);
      expect(await tree.stat("a.md")).toBeUndefined();
      expect(await tree.remove("a.md", second?.stamp ?? "")).toBe(false);
    });

    test("a file that is modified or replaced after a stat has another stamp at the next", async () => {
      const first = await tree.replace("memory/a.md", bytes("one"), undefined);
      expect(await tree.stat("memory/a.md")).toEqual(first as never);
      const second = await tree.replace("memory/a.md", bytes("two"), first?.stamp);
      expect(await tree.stat("memory/a.md")).toEqual(second as never);
      await tree.remove("memory/a.md", second?.stamp ?? "");
      expect(await tree.stat("memory/a.md")).toBeUndefined();
    });

    test("the names in a folder are current and sorted, and a missing folder has none", async () => {
      expect(await tree.names("skills")).toEqual([]);
      for (const path of ["skills/b/SKILL.md", "skills/a.md"]) await tree.replace(path, bytes("x"), undefined);
      expect(await tree.names("skills")).toEqual(["a.md", "b"]);
      const added = await tree.replace("skills/c.md", bytes("x"), undefined);
      expect(await tree.names("skills")).toEqual(["a.md", "b", "c.md"]);
      await tree.remove("skills/c.md", added?.stamp ?? "");
      expect(await tree.names("skills")).toEqual(["a.md", "b"]);
      expect(await tree.names("skills/a.md")).toEqual([]);
    });

    test("a file with more bytes than the limit is refused and not cut", async () => {
      await tree.replace("a.md", bytes("12345"), undefined);
      const error: unknown = await tree.read("a.md", 4).catch((thrown: unknown) => thrown);
      expect(isHearthError(error, "brain.too-large")).toBe(true);
      expect((await tree.read("a.md", 5))?.bytes).toHaveLength(5);
    });

    test("a folder is not a file", async () => {
      await tree.replace("memory/a.md", bytes("a"), undefined);
      for (const ask of [() => tree.stat("memory"), () => tree.read("memory", 10)]) {
        const error: unknown = await ask().catch((thrown: unknown) => thrown);
        expect(isHearthError(error, "brain.path")).toBe(true);
      }
    });

    test("a folder is listed with kinds and sizes, and with its first entries if it has more", async () => {
      for (const path of ["workspace/b.csv", "workspace/a/deep.txt", "workspace/c.txt"])
        await tree.replace(path, bytes(path), undefined);
      const listing = await tree.entries("workspace", 10);
      expect(listing).toMatchObject({
        entries: [
          { name: "a", kind: "folder" },
          { name: "b.csv", kind: "file", sizeBytes: 15 },
          { name: "c.txt", kind: "file", sizeBytes: 15 },
        ],
        isComplete: true,
      });
      const partialListing = await tree.entries("workspace", 2);
      expect([partialListing?.entries.length, partialListing?.isComplete]).toEqual([2, false]);
      expect(await tree.entries("workspace/none", 10)).toBeUndefined();
      const error: unknown = await tree.entries("workspace/b.csv", 10).catch((thrown: unknown) => thrown);
      expect(isHearthError(error, "brain.path")).toBe(true);
    });

    test("a file is read in pieces from any byte, and never as a mix of two versions", async () => {
      const wholeFile = new Uint8Array(700_000).map((_, index) => index % 251);
      const facts = await tree.replace("workspace/a.bin", wholeFile, undefined);
      const file = { path: "workspace/a.bin", stamp: facts?.stamp ?? "" };
      const join = async (from: number, to: number): Promise<Uint8Array> =>
        new Uint8Array(
          await new Blob(await Array.fromAsync(tree.pieces(file, from, to), (piece) => piece.slice())).arrayBuffer(),
        );
      expect(await join(0, wholeFile.length)).toEqual(wholeFile);
      expect(await join(300_001, 600_002)).toEqual(wholeFile.slice(300_001, 600_002));
      await tree.replace("workspace/a.bin", wholeFile.slice(1), facts?.stamp);
      const error: unknown = await join(0, 10).catch((thrown: unknown) => thrown);
      expect(isHearthError(error, "brain.changed")).toBe(true);
    });

    test("a walk lists every file in order, without skipped ones", async () => {
      for (const path of ["b.md", "a/z.md", "a/b.md", "skip/x.md", "c/skip/y.md"])
        await tree.replace(path, bytes(path), undefined);
      const skips = (name: string): boolean => name === "skip";
      const paths = async (folder: string): Promise<readonly string[]> =>
        (await tree.walk(folder, { ...unlimited, skips })).files.map(({ path }) => path);
      expect(await paths("")).toEqual(["a/b.md", "a/z.md", "b.md"]);
      expect(await paths("a")).toEqual(["a/b.md", "a/z.md"]);
      expect(await paths("none")).toEqual([]);
      const partialWalk = await tree.walk("", { ...unlimited, maxFiles: 2 });
      expect([partialWalk.files.length, partialWalk.notes.length > 0]).toEqual([2, true]);
    });
  });
};
