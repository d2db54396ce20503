import { afterAll, afterEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isHearthError } from "@hearth/protocol";
import { applyTree, createBounds } from "./tree-apply.ts";
import { decodeTree, encodeTree, type Entry, type Item, nothing } from "./tree-codec.ts";
import { scanTree, type KnownVersions } from "./tree-scan.ts";

const base = mkdtempSync(join(tmpdir(), "hearth-tree-"));
const from = join(base, "from");
const to = join(base, "to");
const outside = join(base, "outside");

const open = (): void => {
  for (const folder of [from, to, outside]) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
  }
  writeFileSync(join(outside, "kept"), "kept");
};
open();
afterEach(open);
afterAll(() => rmSync(base, { recursive: true }));

const MANY = { maxEntries: 1000, except: new Set<string>() };

const scan = async (seen: KnownVersions, options: Partial<typeof MANY> = {}): Promise<readonly Entry[]> => {
  const entries: Entry[] = [];
  for await (const { entry } of scanTree(from, seen, { ...MANY, ...options })) entries.push(entry);
  return entries;
};
const paths = async (seen: KnownVersions, options: Partial<typeof MANY> = {}): Promise<readonly string[]> =>
  (await scan(seen, options)).map(({ kind, path }) => (kind === "gone" ? `-${path}` : path));

const apply = (items: AsyncIterable<Item>, bounds = createBounds(1_000_000, 1000)): Promise<void> =>
  applyTree(to, items, { links: "inside", bounds });

const one = async function* (entry: Entry, text = ""): AsyncGenerator<Item> {
  yield { entry, bytes: text === "" ? nothing() : bytes(text) };
};
async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
const file = (path: string, size: number, mode = 0o644): Entry => ({ kind: "file", path, mode, size });

describe("a copied tree", () => {
  test("has the same files, folders, links and modes", async () => {
    mkdirSync(join(from, "a/b"), { recursive: true });
    writeFileSync(join(from, "a/b/run.sh"), "x".repeat(200_000));
    chmodSync(join(from, "a/b/run.sh"), 0o755);
    writeFileSync(join(from, "ünïcode 😀"), "");
    symlinkSync("b/run.sh", join(from, "a/link"));
    await apply(decodeTree(encodeTree(scanTree(from, new Map(), MANY))));
    expect(new Set<unknown>(readdirSync(to, { recursive: true }))).toEqual(
      new Set(["a", "a/b", "a/b/run.sh", "a/link", "ünïcode 😀"]),
    );
    expect(readFileSync(join(to, "a/b/run.sh"), "utf8")).toBe("x".repeat(200_000));
    expect(statSync(join(to, "a/b/run.sh")).mode & 0o777).toBe(0o755);
    expect(readlinkSync(join(to, "a/link"))).toBe("b/run.sh");
  });

  test("survives any division into pieces", async () => {
    writeFileSync(join(from, "a"), "hello");
    writeFileSync(join(from, "b"), "");
    const whole = Buffer.concat(await Array.fromAsync(encodeTree(scanTree(from, new Map(), MANY))));
    const drops = async function* (): AsyncGenerator<Uint8Array> {
      for (const byte of whole) yield Uint8Array.of(byte);
    };
    await apply(decodeTree(drops()));
    expect(readFileSync(join(to, "a"), "utf8")).toBe("hello");
    expect(readFileSync(join(to, "b"), "utf8")).toBe("");
  });

  test("stays valid when a file shrinks or grows while it is read", async () => {
    const items = async function* (): AsyncGenerator<Item> {
      yield { entry: file("short", 4), bytes: bytes("ab") };
      yield { entry: file("long", 2), bytes: bytes("abcd") };
      yield { entry: file("next", 1), bytes: bytes("x") };
    };
    await apply(decodeTree(encodeTree(items())));
    expect(readFileSync(join(to, "short"), "utf8")).toBe("ab\0\0");
    expect(readFileSync(join(to, "long"), "utf8")).toBe("ab");
    expect(readFileSync(join(to, "next"), "utf8")).toBe("x");
  });
});

describe("a second look", () => {
  test("contains only changes, and only the topmost removed path", async () => {
    mkdirSync(join(from, "a/b"), { recursive: true });
    writeFileSync(join(from, "a/b/c"), "1");
    writeFileSync(join(from, "d"), "1");
    const seen: KnownVersions = new Map();
    expect(await paths(seen)).toEqual(["a", "a/b", "a/b/c", "d"]);
    expect(await paths(seen)).toEqual([]);
    writeFileSync(join(from, "d"), "2");
    expect(await paths(seen)).toEqual(["d"]);
    chmodSync(join(from, "d"), 0o700);
    expect(await paths(seen)).toEqual(["d"]);
    writeFileSync(join(from, "e"), "1");
    renameSync(join(from, "e"), join(from, "d"));
    expect(await paths(seen)).toEqual(["d"]);
    rmSync(join(from, "a"), { recursive: true });
    expect(await paths(seen)).toEqual(["-a"]);
  });

  test("applies removals and changes of kind", async () => {
    const seen: KnownVersions = new Map();
    const carry = () => apply(decodeTree(encodeTree(scanTree(from, seen, MANY))));
    mkdirSync(join(from, "a"));
    writeFileSync(join(from, "a/b"), "1");
    writeFileSync(join(from, "c"), "1");
    await carry();
    rmSync(join(from, "a"), { recursive: true });
    writeFileSync(join(from, "a"), "file");
    rmSync(join(from, "c"));
    mkdirSync(join(from, "c"));
    writeFileSync(join(from, "c/d"), "inner");
    await carry();
    expect(readFileSync(join(to, "a"), "utf8")).toBe("file");
    expect(readFileSync(join(to, "c/d"), "utf8")).toBe("inner");
    rmSync(join(from, "c"), { recursive: true });
    await carry();
    expect(readdirSync(to)).toEqual(["a"]);
  });

  test("skips excluded names at the top and entries over the limit", async () => {
    mkdirSync(join(from, "db"));
    writeFileSync(join(from, "db/secret"), "1");
    mkdirSync(join(from, "a/db"), { recursive: true });
    expect(await paths(new Map(), { except: new Set(["db"]) })).toEqual(["a", "a/db"]);
    expect(await paths(new Map(), { maxEntries: 2 })).toHaveLength(2);
  });

  test("does not follow a link", async () => {
    symlinkSync(outside, join(from, "way"));
    expect(await scan(new Map())).toEqual([{ kind: "link", path: "way", target: outside }]);
  });
});

describe("a hostile tree", () => {
  const heads = async function* (...entries: readonly unknown[]): AsyncGenerator<Uint8Array> {
    for (const entry of entries) {
      const head = Buffer.from(JSON.stringify(entry));
      const length = Buffer.alloc(4);
      length.writeUInt32BE(head.length);
      yield Buffer.concat([length, head]);
    }
  };

  test.each([
    ["up", "../outside/x"],
    ["from the top", "/etc/x"],
    ["up in the middle", "a/../../x"],
    ["up alone", ".."],
    ["here", "."],
    ["nothing", ""],
    ["nothing in the middle", "a//b"],
    ["here in the middle", "a/./b"],
    ["a NUL", "a\0b"],
    ["an open end", "a/"],
    ["a name that is too long", "x".repeat(300)],
    ["more than a system takes", `${"a/".repeat(3000)}a`],
  ])("is refused for a path of %s", async (_, path) => {
    for (const entry of [file(path, 0), { kind: "folder", path, mode: 0 }, { kind: "gone", path }]) {
      const error = await apply(decodeTree(heads(entry))).catch((reason: unknown) => reason);
      expect(isHearthError(error, "cell.protocol")).toBe(true);
    }
    expect(readdirSync(to)).toEqual([]);
    expect(readdirSync(outside)).toEqual(["kept"]);
  });

  test.each([
    ["bits that lend its owner's rights", { kind: "file", path: "x", mode: 0o4755, size: 0 }],
    ["a negative size", { kind: "file", path: "x", mode: 0, size: -1 }],
    ["no kind that is", { kind: "device", path: "x" }],
    ["nothing in it", null],
  ])("is refused for an entry with %s", async (_, entry) => {
    const error = await apply(decodeTree(heads(entry))).catch((reason: unknown) => reason);
    expect(isHearthError(error, "cell.protocol")).toBe(true);
  });

  test("is refused when it is truncated or has an endless head", async () => {
    const cut = async function* (): AsyncGenerator<Uint8Array> {
      yield* heads(file("x", 10));
      yield Buffer.from("12345");
    };
    const endless = async function* (): AsyncGenerator<Uint8Array> {
      yield Uint8Array.of(255, 255, 255, 255);
    };
    for (const source of [cut(), endless()]) {
      const error = await apply(decodeTree(source)).catch((reason: unknown) => reason);
      expect(isHearthError(error, "cell.protocol")).toBe(true);
    }
    expect(readdirSync(to)).toEqual([]);
  });

  test.each(["/etc/passwd", "../outside/kept", "../../x", "a/../../outside", "..", "a/..", "./../x"])(
    "has no link to %p in the folder afterwards",
    async (target) => {
      await apply(one({ kind: "link", path: "a", target }));
      expect(readdirSync(to)).toEqual([]);
    },
  );

  test("cannot combine links into a path that leads out", async () => {
    await apply(one({ kind: "link", path: "a/b/top", target: "../.." }));
    await apply(one({ kind: "link", path: "a/b/out", target: "top/../outside/kept" }));
    await apply(one({ kind: "link", path: "a/in", target: "b/../../x" }));
    await apply(one({ kind: "link", path: "a/up", target: "../x" }));
    expect(readdirSync(join(to, "a")).toSorted()).toEqual(["b", "up"]);
    expect(readdirSync(join(to, "a/b"))).toEqual(["top"]);
  });

  test("writes and removes nothing through an existing link", async () => {
    const plant = (): void => {
      rmSync(join(to, "way"), { recursive: true, force: true });
      symlinkSync(outside, join(to, "way"));
    };
    plant();
    await apply(one(file("way/kept", 1), "x"));
    expect(readFileSync(join(to, "way/kept"), "utf8")).toBe("x");
    expect(lstatSync(join(to, "way")).isDirectory()).toBe(true);
    plant();
    await apply(one({ kind: "gone", path: "way/kept" }));
    plant();
    await apply(one({ kind: "folder", path: "way/new", mode: 0o700 }));
    plant();
    await apply(one({ kind: "gone", path: "way" }));
    expect(existsSync(join(to, "way"))).toBe(false);
    mkdirSync(join(to, "folder"));
    symlinkSync(outside, join(to, "folder/inner"));
    await apply(one({ kind: "gone", path: "folder" }));
    symlinkSync(join(outside, "kept"), join(to, "file"));
    await apply(one(file("file", 1), "x"));
    expect(readdirSync(outside)).toEqual(["kept"]);
    expect(readFileSync(join(outside, "kept"), "utf8")).toBe("kept");
  });

  test("never exceeds the bounds, however it is split", async () => {
    const bounds = createBounds(10, 3);
    await apply(one(file("a", 6), "123456"), bounds);
    await apply(one(file("a", 8), "12345678"), bounds);
    const error = await apply(one(file("b", 3), "123"), bounds).catch((reason: unknown) => reason);
    expect(isHearthError(error, "tool.failed")).toBe(true);
    expect(readdirSync(to)).toEqual(["a"]);
    const free = createBounds(10, 2);
    await apply(one(file("a", 10), "1234567890"), free);
    await apply(one({ kind: "gone", path: "a" }), free);
    await apply(one(file("b", 10), "1234567890"), free);
    await apply(one({ kind: "folder", path: "c", mode: 0o700 }), free);
    const more = await apply(one({ kind: "folder", path: "d", mode: 0o700 }), free).catch((reason: unknown) => reason);
    expect(isHearthError(more, "tool.failed")).toBe(true);
  });

  test("never replaces a whole file by half of one", async () => {
    writeFileSync(join(to, "a"), "whole");
    const broken = async function* (): AsyncGenerator<Item> {
      yield {
        entry: file("a", 100),
        bytes: (async function* (): AsyncGenerator<Uint8Array> {
          yield Buffer.from("half");
          throw new Error("it broke");
        })(),
      };
    };
    expect(await apply(broken()).catch((error: Error) => error.message)).toBe("it broke");
    expect(readdirSync(to)).toEqual(["a"]);
    expect(readFileSync(join(to, "a"), "utf8")).toBe("whole");
  });
});
