/** Conformance tests of `Files`. The harness plays other writers of the folder. */
import { expect, test } from "bun:test";
import { type ErrorCode, HearthError, isHearthError } from "@hearth/protocol";
import type { Files, WalkOptions } from "./files.ts";

export interface FilesHarness extends AsyncDisposable {
  readonly files: Files;
  /**
   * Creates an entry that must be refused: a link to a file inside, a file with a second hard link,
   * a pipe.
   */
  plant(path: string, what: "link" | "hard-link" | "other"): Promise<void>;
}

export const filesConformance = (name: string, open: () => Promise<FilesHarness>): void => {
  const clause = (title: string, check: (harness: FilesHarness) => Promise<void>): void =>
    test(`${name}: ${title}`, async () => {
      await using harness = await open();
      await check(harness);
    });

  clause("a written file is read back byte for byte", async ({ files }) => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 256);
    expect(await files.write("a.bin", bytes)).toEqual({ created: true });
    expect(await files.read("a.bin", 100_000)).toEqual(bytes);
    await files.write("empty", new Uint8Array(0));
    expect(await files.read("empty", 0)).toEqual(new Uint8Array(0));
  });

  clause("a second write replaces the whole file and returns `created: false`", async ({ files }) => {
    await files.write("a", text("a long first text"));
    expect(await files.write("a", text("short"))).toEqual({ created: false });
    expect(await files.read("a", 100)).toEqual(text("short"));
    expect((await files.list(".", 10)).total).toBe(1);
  });

  clause("pieces are one file, and a source that throws changes nothing", async ({ files }) => {
    const pieces = async function* (fails?: true) {
      yield text("one ");
      if (fails) throw new HearthError("cell.lost", "It broke off.");
      yield text("two");
    };
    expect(await files.write("in/a", pieces(), "read-only")).toEqual({ created: true });
    await refuses(files.write("in/b", pieces(true), "read-only"), "cell.lost");
    await refuses(files.write("in/a", pieces(true)), "cell.lost");
    expect(await files.read("in/a", 100)).toEqual(text("one two"));
    expect((await files.list("in", 10)).total).toBe(1);
  });

  clause("a write creates missing folders", async ({ files }) => {
    await files.write("./a/b/c.txt", text("x"));
    expect(await files.read("a/b/c.txt", 10)).toEqual(text("x"));
    expect(await files.stat("a/b/")).toMatchObject({ name: "b", kind: "folder" });
    expect(await files.stat(".")).toMatchObject({ kind: "folder" });
  });

  clause("a removed file is gone, and its folder stays", async ({ files }) => {
    await files.write("a/b", text("x"));
    await files.remove("a/b");
    await refuses(files.read("a/b", 10), "tool.not-found");
    await refuses(files.remove("a/b"), "tool.not-found");
    await refuses(files.remove("a"), "tool.path");
    expect(await files.list("a", 10)).toEqual({ entries: [], total: 0 });
  });

  clause("a file over the limit is refused, a file at the limit is not", async ({ files }) => {
    await files.write("a", text("12345"));
    expect(await files.read("a", 5)).toEqual(text("12345"));
    await refuses(files.read("a", 4), "tool.too-large");
  });

  clause("a missing file or folder is `tool.not-found`", async ({ files }) => {
    await files.write("a/b", text("x"));
    for (const path of ["c", "a/c", "c/d", "a/c/d"]) {
      await refuses(files.read(path, 10), "tool.not-found");
      await refuses(files.stat(path), "tool.not-found");
      await refuses(files.list(path, 10), "tool.not-found");
      await refuses(files.walk(path, everything), "tool.not-found");
    }
  });

  clause("a folder cannot be read or written, and a file cannot be listed or used as a folder", async ({ files }) => {
    await files.write("a/b", text("x"));
    await refuses(files.read("a", 10), "tool.path");
    await refuses(files.write("a", text("y")), "tool.path");
    await refuses(files.list("a/b", 10), "tool.path");
    await refuses(files.walk("a/b", everything), "tool.path");
    await refuses(files.read("a/b/c", 10), "tool.path");
    await refuses(files.write("a/b/c", text("y")), "tool.path");
    expect(await files.read("a/b", 10)).toEqual(text("x"));
  });

  clause("an invalid path is refused by every method, and nothing is created", async ({ files }) => {
    for (const path of INVALID_PATHS) {
      await refuses(files.read(path, 10), "tool.path");
      await refuses(files.write(path, text("x")), "tool.path");
      await refuses(files.remove(path), "tool.path");
      await refuses(files.stat(path), "tool.path");
      await refuses(files.list(path, 10), "tool.path");
      await refuses(files.walk(path, everything), "tool.path");
    }
    expect((await files.list(".", 10)).total).toBe(0);
  });

  clause("the root is a folder and never a file", async ({ files }) => {
    await refuses(files.read(".", 10), "tool.path");
    await refuses(files.write(".", text("x")), "tool.path");
    await refuses(files.read("a/", 10), "tool.path");
  });

  clause("encoded dots and slashes are plain characters in names", async ({ files }) => {
    for (const path of [
      "%2e%2e%2fa",
      "..%2fa",
      "...",
      "..a",
      "a..",
      "%00",
      "．．",
      "@a",
      "a b",
      "-r",
      "$HOME",
      "./~a",
      "./C:",
    ]) {
      await files.write(path, text(path));
      expect(await files.read(path, 100)).toEqual(text(path));
    }
    expect((await files.list(".", 100)).total).toBe(13);
  });

  clause("a link is refused at the end and in the middle of a path, and is not replaced", async ({ files, plant }) => {
    await plant("link", "link");
    await refuses(files.read("link", 10), "tool.path");
    await refuses(files.write("link", text("x")), "tool.path");
    await refuses(files.stat("link"), "tool.path");
    await refuses(files.list("link", 10), "tool.path");
    await refuses(files.walk("link", everything), "tool.path");
    await refuses(files.read("link/a", 10), "tool.path");
    await refuses(files.write("link/a", text("x")), "tool.path");
    expect(await files.list(".", 10)).toMatchObject({
      entries: expect.arrayContaining([expect.objectContaining({ name: "link", kind: "link" })]),
    });
  });

  clause("a file with a second hard link cannot be read or written", async ({ files, plant }) => {
    await plant("twin", "hard-link");
    await refuses(files.read("twin", 10), "tool.path");
    await refuses(files.write("twin", text("x")), "tool.path");
  });

  clause("a pipe is refused without waiting", async ({ files, plant }) => {
    await plant("pipe", "other");
    await refuses(files.read("pipe", 10), "tool.path");
    await refuses(files.write("pipe", text("x")), "tool.path");
    expect((await files.stat("pipe")).kind).toBe("other");
  });

  clause("a list is sorted by name, truncated at its limit, and has the total", async ({ files }) => {
    for (const path of ["b", "a", "C/x", "ä", "10", "9"]) await files.write(path, text("12"));
    expect((await files.list(".", 10)).entries.map((entry) => entry.name)).toEqual(["10", "9", "C", "a", "b", "ä"]);
    expect((await files.list("./", 2)).entries).toMatchObject([
      { name: "10", kind: "file", sizeBytes: 2 },
      { name: "9" },
    ]);
    expect((await files.list(".", 2)).total).toBe(6);
  });

  clause(
    "a walk returns files in a stable order, with paths from the root, without links and skipped folders",
    async ({ files, plant }) => {
      for (const path of ["b/2", "b/1", "b/c/3", "a", "node_modules/x", "b/node_modules/y"])
        await files.write(path, text("x"));
      await plant("b/link", "link");
      const paths = async (path: string, options: Partial<WalkOptions> = {}) => {
        const { files: foundFiles, complete } = await files.walk(path, {
          ...everything,
          skip: new Set(["node_modules"]),
          ...options,
        });
        const foundPaths = foundFiles.map((file) => file.path);
        return { paths: foundPaths.filter((foundPath) => !foundPath.includes("planted")), complete };
      };
      expect(await paths(".")).toEqual({ paths: ["a", "b/1", "b/2", "b/c/3"], complete: true });
      expect(await paths("b/c/")).toEqual({ paths: ["b/c/3"], complete: true });
      expect(await paths("node_modules")).toEqual({ paths: ["node_modules/x"], complete: true });
      expect(await paths("b", { maxDepth: 0 })).toEqual({ paths: ["b/1", "b/2"], complete: false });
      expect(await paths(".", { maxEntries: 3 })).toEqual({ paths: ["a", "b/1"], complete: false });
      expect(await paths(".", { signal: AbortSignal.abort() })).toEqual({ paths: [], complete: false });
    },
  );
};

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

const everything: WalkOptions = {
  maxEntries: 1000,
  maxDepth: 20,
  skip: new Set(),
  signal: new AbortController().signal,
};

const refuses = async (call: Promise<unknown>, code: ErrorCode): Promise<void> => {
  const error = await call.then(
    (value) => value,
    (reason: unknown) => reason,
  );
  expect(isHearthError(error) ? error.code : error).toBe(code);
};

const INVALID_PATHS: readonly string[] = [
  "",
  "/",
  "/etc/passwd",
  "/workspace/a",
  "//a",
  "..",
  "../a",
  "a/../b",
  "a/..",
  "./../a",
  "a//b",
  "a/./b",
  "././a",
  "a\\b",
  "..\\a",
  "\\\\host\\share",
  "~",
  "~/a",
  "~root/a",
  "C:",
  "C:/a",
  "file:///etc/passwd",
  "file:a",
  "HTTP://host/a",
  "a\0",
  "a\nb",
  "a\u007f",
  "a\u0085",
  "\ud800",
  "x".repeat(256),
  "ä".repeat(128),
  `${"x/".repeat(600)}a`,
];
