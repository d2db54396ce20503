import { expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inboxPath, isHearthError, isInboxName } from "@hearth/protocol";
import { type FilesHarness, filesConformance } from "../../tools/files.conformance.ts";
import { createBunFiles } from "./files.ts";
import { createCheckedFolders, createDescriptorFolders, type Folders } from "./folders.ts";

interface Place extends FilesHarness {
  readonly root: string;
  readonly outside: string;
}

const openPlace = async (create?: (root: string) => Folders): Promise<Place> => {
  const base = mkdtempSync(join(tmpdir(), "hearth-files-"));
  const root = join(base, "root");
  const outside = join(base, "outside");
  for (const folder of [root, outside]) mkdirSync(folder);
  writeFileSync(join(outside, "secret"), "canary");
  return {
    root,
    outside,
    files: create === undefined ? createBunFiles(root) : createBunFiles(root, create(root)),
    async plant(path, what) {
      const at = join(root, path);
      if (what === "link") symlinkSync("planted", at);
      else if (what === "hard-link") linkSync(join(outside, "secret"), at);
      else Bun.spawnSync(["mkfifo", at]);
      if (what === "link") mkdirSync(join(at, "..", "planted"));
    },
    [Symbol.asyncDispose]: async () => rmSync(base, { recursive: true }),
  };
};

filesConformance("descriptors", () => openPlace(createDescriptorFolders));
filesConformance("checked", () => openPlace(createCheckedFolders));

const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => "done",
    (error: unknown) => (isHearthError(error) ? error.code : error),
  );

test("the draft of a file of a message has the name of such a file, so that it is removed after a crash", async () => {
  await using place = await openPlace();
  mkdirSync(join(place.root, "inbox"));
  const drafts: string[] = [];
  const pieces = async function* () {
    drafts.push(...readdirSync(join(place.root, "inbox")));
    yield Uint8Array.of(1);
  };
  const path = inboxPath({ hash: "0123456789abcdef".repeat(4), name: "a.bin" });
  await place.files.write(path, pieces(), "read-only");
  expect(drafts.map(isInboxName)).toEqual([true]);
  expect(readdirSync(join(place.root, "inbox"))).toEqual([path.slice("inbox/".length)]);
});

for (const [name, create] of [
  ["descriptors", createDescriptorFolders],
  ["checked", createCheckedFolders],
] as const) {
  test(`${name}: a link is refused for every target`, async () => {
    await using place = await openPlace(create);
    mkdirSync(join(place.root, "folder"));
    writeFileSync(join(place.root, "folder/inside"), "x");
    const targets = [
      "/etc/passwd",
      "../outside/secret",
      "folder/inside",
      "nothing-there",
      place.outside,
      "folder",
      "/dev/zero",
      "self",
    ];
    for (const [index, target] of targets.entries()) {
      symlinkSync(target, join(place.root, `link${index}`));
      expect(await codeOf(place.files.read(`link${index}`, 100))).toBe("tool.path");
      expect(await codeOf(place.files.write(`link${index}`, new Uint8Array(1)))).toBe("tool.path");
      expect(await codeOf(place.files.read(`link${index}/secret`, 100))).toBe("tool.path");
      expect(await codeOf(place.files.write(`link${index}/new`, new Uint8Array(1)))).toBe("tool.path");
      expect(await codeOf(place.files.list(`link${index}`, 9))).toBe("tool.path");
    }
    expect(readdirSync(place.outside)).toEqual(["secret"]);
    expect(readdirSync(join(place.root, "folder"))).toEqual(["inside"]);
    expect(existsSync(join(place.root, "nothing-there"))).toBe(false);
  });

  test(`${name}: a root that is a link is refused`, async () => {
    await using place = await openPlace(create);
    const root = join(place.root, "link");
    symlinkSync(place.outside, root);
    expect(await codeOf(createBunFiles(root, create(root)).read("secret", 100))).toBe("tool.path");
  });

  test(`${name}: error messages never contain the root's path`, async () => {
    await using place = await openPlace(create);
    symlinkSync(place.outside, join(place.root, "link"));
    mkdirSync(join(place.root, "folder"));
    for (const path of ["nothing", "link", "link/secret", "folder", "folder/x/y", "../outside/secret"]) {
      const error = await place.files.read(path, 10).catch((reason: unknown) => reason);
      if (!isHearthError(error)) throw error;
      expect(`${error.message} ${error.hint}`).not.toContain(place.root);
      expect(`${error.message} ${error.hint}`).not.toContain("/proc");
    }
  });

  test(`${name}: all descriptors are closed, also after failures`, async () => {
    await using place = await openPlace(create);
    const count = (): number => readdirSync("/proc/self/fd").length;
    await place.files.write("a/b/c", new Uint8Array(3));
    const before = count();
    for (let index = 0; index < 20; index += 1) {
      await place.files.write("a/b/c", new Uint8Array(3));
      await place.files.walk(".", {
        maxEntries: 2,
        maxDepth: 9,
        skip: new Set(),
        signal: new AbortController().signal,
      });
      for (const path of ["a/b/c", "a/b", "a/b/c/d", "a/x/y", "nothing"]) await codeOf(place.files.read(path, 1));
    }
    expect(count()).toBeLessThan(before + 10);
  });
}

test("a rewritten file keeps its mode except the setuid bit", async () => {
  await using place = await openPlace();
  const at = join(place.root, "run.sh");
  writeFileSync(at, "old");
  chmodSync(at, 0o4750);
  await place.files.write("run.sh", new Uint8Array(1));
  expect(statSync(at).mode & 0o7777).toBe(0o750);
});

test("a failed write keeps the old entry and leaves no draft", async () => {
  await using place = await openPlace();
  mkdirSync(join(place.root, "a"));
  // `write` returns at its sync; a folder is created at the path before the rename.
  const writing = place.files.write("a/file", new Uint8Array(4 * 1024 * 1024));
  mkdirSync(join(place.root, "a/file"));
  expect(await codeOf(writing)).toBe("tool.path");
  expect(readdirSync(join(place.root, "a"))).toEqual(["file"]);
  expect(lstatSync(join(place.root, "a/file")).isDirectory()).toBe(true);
});

test("D4: a device is refused without being opened", async () => {
  const files = createBunFiles("/dev");
  for (const path of ["null", "zero", "full", "tty"]) {
    expect(await codeOf(files.read(path, 10))).toBe("tool.path");
    expect(await codeOf(files.write(path, new Uint8Array(1)))).toBe("tool.path");
  }
});

const SWAPPED = [
  {
    what: "folders",
    path: "spot/secret",
    make: (at: string) => (mkdirSync(at), writeFileSync(join(at, "secret"), "inside")),
    link: "../outside",
  },
  { what: "files", path: "spot", make: (at: string) => writeFileSync(at, "inside"), link: "../outside/secret" },
] as const;

for (const { what, path, make, link } of SWAPPED) {
  test(`${what} that are swapped for links during a call never lead outside`, async () => {
    await using place = await openPlace(createDescriptorFolders);
    make(join(place.root, "spot"));
    symlinkSync(link, join(place.root, "other"));
    const swapper = Bun.spawn([process.execPath, "--no-install", "-e", SWAP], {
      cwd: place.root,
      stdout: "ignore",
      stderr: "inherit",
      env: {},
    });
    const seen = { inside: 0, "tool.path": 0, "tool.not-found": 0 };
    try {
      for (let round = 0; round < 50_000 && (seen.inside < 500 || seen["tool.path"] < 500); round += 1) {
        const result = await place.files.read(path, 100).then(
          (bytes) => new TextDecoder().decode(bytes),
          (error: unknown) => (isHearthError(error) ? error.code : String(error)),
        );
        expect(Object.keys(seen)).toContain(result);
        seen[result as keyof typeof seen] += 1;
        if (round % 10 === 0) await codeOf(place.files.write("spot/new", new Uint8Array(1)));
      }
    } finally {
      swapper.kill("SIGKILL");
      await swapper.exited;
    }
    expect(seen.inside).toBeGreaterThan(0);
    expect(seen["tool.path"]).toBeGreaterThan(0);
    expect(readdirSync(place.outside)).toEqual(["secret"]);
    expect(readFileSync(join(place.outside, "secret"), "utf8")).toBe("canary");
  });
}

for (const [name, create] of [
  ["descriptors", createDescriptorFolders],
  ["checked", createCheckedFolders],
] as const) {
  test(`${name}: a folder is not entered through a parent that became a link`, async () => {
    await using place = await openPlace(create);
    mkdirSync(join(place.root, "a"));
    mkdirSync(join(place.outside, "b"));
    const folders = create(place.root);
    using root = folders.root();
    using parent = folders.child(root, "a");
    renameSync(join(place.root, "a"), join(place.root, "moved"));
    symlinkSync(place.outside, join(place.root, "a"));
    expect(() => folders.child(parent, "b")).toThrow();
  });
}

/** Swaps `spot` and `other` until it is killed. A file written between two renames is deleted. */
const SWAP = `
const { renameSync, rmSync } = require("node:fs");
const put = (from, to) => {
  try { renameSync(from, to); } catch { rmSync(to, { recursive: true, force: true }); put(from, to); }
};
for (;;) { put("spot", "aside"); put("other", "spot"); put("aside", "other"); }`;

test("a file of a message is read-only on the disk, and can be replaced and removed", async () => {
  const { root, files, [Symbol.asyncDispose]: close } = await openPlace();
  await files.write("inbox/a", Uint8Array.of(1), "read-only");
  expect(statSync(join(root, "inbox/a")).mode & 0o777).toBe(0o444);
  await files.write("inbox/a", Uint8Array.of(2), "read-only");
  expect([...(await files.read("inbox/a", 10))]).toEqual([2]);
  await files.remove("inbox/a");
  expect(readdirSync(join(root, "inbox"))).toEqual([]);
  await close?.();
});
