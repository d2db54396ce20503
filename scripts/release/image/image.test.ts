import { afterEach, beforeEach, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { list, type ReadEntry } from "tar";
import { closureOf, debianEntries, findDebianPackages, parsePackages } from "./debian.ts";
import { type Entry, writeLayer } from "./layer.ts";
import { writeLayout } from "./layout.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-image-test-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const text = (words: string): Uint8Array => new TextEncoder().encode(words);
const sha256 = (bytes: Uint8Array): string => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
const LONG = `opt/${"folder/".repeat(30)}file`;

const entries: readonly Entry[] = [
  { kind: "link", path: "bin", target: "usr/bin" },
  { kind: "folder", path: "data", mode: 0o700, owner: 1000 },
  { kind: "file", path: "usr/bin/run", from: text("#!/bin/sh\n"), isProgram: true },
  { kind: "file", path: LONG, from: text("long\n"), isProgram: false },
];

/** Lists the entries of an archive as `tar` shows them, one line for each. */
const linesOf = (path: string): readonly string[] => {
  const lines: string[] = [];
  list({
    file: path,
    sync: true,
    onReadEntry({ path: name, type, mode = 0, uid, gid, mtime, linkpath }: ReadEntry) {
      lines.push(
        `${type} ${name.replace(/\/$/, "")} ${mode.toString(8)} ${uid}:${gid} ${mtime?.getTime()} ${linkpath ?? ""}`.trim(),
      );
    },
  });
  return lines;
};

test("a layer has sorted entries with their folders, fixed times, and the owners and modes that they name", async () => {
  const path = join(folder, "layer");
  await writeLayer(entries, path);
  const folders = Array.from({ length: 30 }, (_, at) => `Directory opt${"/folder".repeat(at + 1)} 755 0:0 0`);
  expect(linesOf(path)).toEqual([
    "SymbolicLink bin 777 0:0 0 usr/bin",
    "Directory data 700 1000:1000 0",
    "Directory opt 755 0:0 0",
    ...folders,
    `File ${LONG} 644 0:0 0`,
    "Directory usr 755 0:0 0",
    "Directory usr/bin 755 0:0 0",
    "File usr/bin/run 755 0:0 0",
  ]);
});

test("the same entries in another order, from files of other times and modes, give the same layer", async () => {
  const file = join(folder, "run");
  writeFileSync(file, "#!/bin/sh\n", { mode: 0o600 });
  const others = entries.map((entry): Entry =>
    entry.path === "usr/bin/run" ? { kind: "file", path: entry.path, from: file, isProgram: true } : entry,
  );
  const one = await writeLayer(entries, join(folder, "one"));
  const other = await writeLayer(others.toReversed(), join(folder, "other"));
  expect(other).toEqual(one);
  const bytes = readFileSync(join(folder, "one"));
  expect(readFileSync(join(folder, "other"))).toEqual(bytes);
  expect(one).toEqual({ digest: sha256(bytes), size: bytes.length, diffId: sha256(gunzipSync(bytes)) });
});

test("a layer refuses a path that leaves the root, and two contents of one path", async () => {
  const write = (more: Entry) => writeLayer([...entries, more], join(folder, "layer"));
  await expect(write({ kind: "folder", path: "opt/../../etc" })).rejects.toThrow("its path leaves the root");
  await expect(write({ kind: "folder", path: "/etc" })).rejects.toThrow("its path leaves the root");
  await expect(write({ kind: "link", path: "bin", target: "opt" })).rejects.toThrow("have the path bin");
});

test("an image is a layout whose index leads to every blob by its hash", async () => {
  const path = join(folder, "layer");
  const layer = { ...(await writeLayer(entries, path)), path, about: "files" };
  const image = {
    ...{ reference: "localhost/hearth:1.0.0", architecture: "amd64", created: "2026-11-28T12:00:00Z" },
    ...{ config: { User: "1000:1000" }, layers: [layer] },
  };
  await writeLayout(image, join(folder, "image.tar"));
  const files = new Map<string, Uint8Array>();
  list({
    file: join(folder, "image.tar"),
    sync: true,
    onReadEntry(entry) {
      const parts: Uint8Array[] = [];
      entry.on("data", (part: Uint8Array) => parts.push(Uint8Array.from(part)));
      entry.on("end", () => files.set(entry.path, Buffer.concat(parts)));
    },
  });
  const read = (name: string) => JSON.parse(new TextDecoder().decode(files.get(name)));
  const blob = ({ digest, size }: { readonly digest: string; readonly size: number }): string => {
    const name = `blobs/${digest.replace(":", "/")}`;
    const bytes = files.get(name) ?? text("missing");
    expect([sha256(bytes), bytes.length]).toEqual([digest, size]);
    return name;
  };
  expect(read("oci-layout")).toEqual({ imageLayoutVersion: "1.0.0" });
  const [found] = read("index.json").manifests;
  expect(found.annotations).toEqual({ "org.opencontainers.image.ref.name": "localhost/hearth:1.0.0" });
  const manifest = read(blob(found));
  expect(manifest.layers.map(blob)).toEqual([`blobs/${layer.digest.replace(":", "/")}`]);
  expect(read(blob(manifest.config))).toMatchObject({
    ...{ architecture: "amd64", os: "linux", config: { User: "1000:1000" } },
    rootfs: { type: "layers", diff_ids: [layer.diffId] },
  });
});

const LISTED = `${[
  "shell\t1.0\tamd64\tii \t\tlibc6 (>= 2.34)\tdpkg (>= 1.19), awk:any",
  "libc6\t2.36\tamd64\tii \t\t\tlibgone | libgcc-s1 (>= 3)",
  "libgcc-s1\t12\tamd64\tii \t\t\t",
  "mawk\t1.3\tamd64\tii \tawk\t\t",
  "unneeded\t1\tall\tii \t\t\t",
  "removed\t1\tall\trc \t\t\t",
].join("\n")}\n`;

test("the packages of an image are those that are named and all that they need, also by another name", () => {
  const known = parsePackages(LISTED);
  expect(closureOf(["shell"], known).map(({ name, version }) => `${name} ${version}`)).toEqual([
    ...["libc6 2.36", "libgcc-s1 12", "mawk 1.3", "shell 1.0"],
  ]);
  expect(() => closureOf(["removed"], known)).toThrow("Run: apt-get install removed");
});

const hasDpkg = Bun.which("dpkg-query") !== null;

test.skipIf(!hasDpkg)("a package gives its programs and licence, but no manual", async () => {
  const dash = (await findDebianPackages(["dash"])).find(({ name }) => name === "dash");
  if (dash === undefined) throw new Error("dpkg-query does not know dash.");
  const found = await debianEntries(dash);
  expect(found).toContainEqual({
    kind: "file",
    path: "usr/bin/dash",
    from: expect.any(String) as never,
    isProgram: true,
  });
  expect(found.map(({ path }) => path)).toContain("usr/share/doc/dash/copyright");
  expect(found.filter(({ path }) => path.startsWith("usr/share/man/"))).toEqual([]);
  for (const each of found) if (each.kind === "file") expect(statSync(each.from as string).isFile()).toBe(true);
});
