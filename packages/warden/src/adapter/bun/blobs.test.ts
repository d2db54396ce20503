import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { blobsConformance } from "../../kernel/store/conformance/blobs.conformance.ts";
import { packBody, unpackBody } from "../../kernel/store/bodies.ts";
import { UNREFERENCED_MS } from "../../kernel/store/blobs.ts";
import { openBlobs } from "./blobs.ts";

const newFolder = (): string => mkdtempSync(join(tmpdir(), "hearth-blobs-"));

for (const durability of ["power", "process"] as const) {
  blobsConformance(`files on bun, ${durability}`, async () => {
    const folder = newFolder();
    return {
      blobs: await openBlobs(folder, { durability }),
      async age() {
        const before = new Date(Date.now() - UNREFERENCED_MS - 1000);
        for await (const path of new Bun.Glob("??/*").scan(folder)) utimesSync(join(folder, path), before, before);
      },
      [Symbol.asyncDispose]: () => Promise.resolve(rmSync(folder, { recursive: true })),
    };
  });
}

describe("a folder of blobs", () => {
  let folder: string;
  beforeEach(() => {
    folder = newFolder();
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const bytes = new TextEncoder().encode("hello");
  const pathOf = (hash: string): string => join(folder, hash.slice(0, 2), hash);

  test("outlives its process, in a folder that it creates if needed", async () => {
    const inner = join(folder, "deep", "blobs");
    const hash = await (await openBlobs(inner)).put(bytes);
    expect(await (await openBlobs(inner)).get(hash)).toEqual(bytes);
  });

  test("has files that only their owner can read, and no drafts", async () => {
    const hash = await (await openBlobs(folder)).put(bytes);
    expect(statSync(pathOf(hash)).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, hash.slice(0, 2))).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(folder, "drafts"))).toEqual([]);
  });

  test("names large bytes, whose hash another thread computes, by the same hash", async () => {
    const large = new Uint8Array(1024 * 1024).map((_, index) => index % 251);
    const blobs = await openBlobs(folder);
    const hash = await blobs.put(large);
    expect(hash).toBe(new Bun.CryptoHasher("sha256").update(large).digest("hex"));
    expect(Buffer.compare((await blobs.get(hash)) ?? Buffer.of(), large)).toBe(0);
  });

  test("stores again after the folder of a shard was removed", async () => {
    const blobs = await openBlobs(folder);
    const hash = await blobs.put(bytes);
    rmSync(join(folder, hash.slice(0, 2)), { recursive: true });
    await expect(blobs.put(bytes)).rejects.toMatchObject({ code: "store.unavailable" });
    expect(await blobs.put(bytes)).toBe(hash);
    expect(await blobs.get(hash)).toEqual(bytes);
  });

  test("removes files that an earlier process left half written", async () => {
    mkdirSync(join(folder, "drafts"));
    writeFileSync(join(folder, "drafts", "half"), "hal");
    await openBlobs(folder);
    expect(readdirSync(join(folder, "drafts"))).toEqual([]);
  });

  test("stays unchanged when there is nothing to remove, and replaces a drafts folder with wrong permissions", async () => {
    const drafts = join(folder, "drafts");
    await openBlobs(folder);
    const { ino } = statSync(drafts);
    await openBlobs(folder);
    expect(statSync(drafts).ino).toBe(ino);
    chmodSync(drafts, 0o755);
    await openBlobs(folder);
    expect(statSync(drafts).mode & 0o777).toBe(0o700);
    rmSync(drafts, { recursive: true });
    writeFileSync(drafts, "");
    await openBlobs(folder);
    expect(readdirSync(drafts)).toEqual([]);
  });

  test("R7: never returns damaged bytes, and storing the blob again repairs it", async () => {
    const blobs = await openBlobs(folder);
    const hash = await blobs.put(bytes);
    writeFileSync(pathOf(hash), "jello");
    const error = await blobs.get(hash).catch((reason: unknown) => reason);
    expect(isHearthError(error, "store.damaged")).toBe(true);
    await blobs.put(bytes);
    expect(await blobs.get(hash)).toEqual(bytes);
  });

  const damage: Readonly<Record<string, (path: string, whole: Uint8Array) => void>> = {
    "without its last byte": (path, whole) => writeFileSync(path, whole.slice(0, -1)),
    "without its second half": (path, whole) => writeFileSync(path, whole.slice(0, whole.length >> 1)),
    "without a byte": (path) => writeFileSync(path, ""),
    "with zeros where its bytes were": (path, whole) => writeFileSync(path, new Uint8Array(whole.length)),
    "with a byte more": (path, whole) => writeFileSync(path, new Uint8Array([...whole, 0])),
    "with one bit turned": (path, whole) =>
      writeFileSync(
        path,
        Uint8Array.from(whole, (byte, at) => byte ^ (at === 9_999 ? 4 : 0)),
      ),
    "that is a folder": (path) => {
      rmSync(path);
      mkdirSync(path);
    },
    "that is gone": (path) => rmSync(path),
  };
  for (const [what, harm] of Object.entries(damage)) {
    test(`with a blob ${what} returns no text for its row, but an error with a hint`, async () => {
      const blobs = await openBlobs(folder);
      const text = "a long text ".repeat(2000);
      const body = await packBody(blobs, text);
      harm(pathOf(body.blob ?? ""), new TextEncoder().encode(text));
      const error = await unpackBody(await openBlobs(folder), body).catch((reason: unknown) => reason);
      const code = what === "that is a folder" ? "store.unavailable" : "store.damaged";
      expect(isHearthError(error, code) && error.hint).toMatch(/backup|home folder/);
      expect(isHearthError(error) && error.message).toContain(
        what === "that is a folder" ? folder : (body.blob ?? "?"),
      );
    });
  }

  test("that cannot be written is unavailable, with a hint, and leaves no draft", async () => {
    const blobs = await openBlobs(folder);
    const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
    writeFileSync(join(folder, hash.slice(0, 2)), "in the way");
    const error = await blobs.put(bytes).catch((reason: unknown) => reason);
    expect(isHearthError(error, "store.unavailable") && error.hint).toMatch(/space/);
    expect(readdirSync(join(folder, "drafts"))).toEqual([]);
  });
});
