import { expect, test } from "bun:test";
import { createMemoryStorage } from "@hearth/client";
import { ActivationId, AgentId, type BrainChange, type BrainFile, ChangeId } from "@hearth/protocol";
import { brainPath } from "../house/paths.ts";
import {
  effectWords,
  formatSize,
  kindWords,
  describeChange,
  describeAuthor,
  undoTitles,
} from "./history/change-words.ts";
import { createDrafts } from "./files/drafts.ts";
import { findHiddenLines, describeSpan } from "./files/file-remarks.tsx";
import { lineEndingOf, fromField, toField } from "./files/line-ends.ts";
import { checkNewPath } from "./files/new-file.tsx";
import { brainPlaceOf, pathOfFile, pathOfHistory, pathOfWorkspaceFile, pathOfWorkspaceFolder } from "./place.ts";
import { describeDecision } from "./proposals/proposal-card.tsx";
import { describePendingCount } from "./proposals/proposals-tab.tsx";
import { notesOf } from "./prompt-tab.tsx";
import { countFiles, toTree, type TreeNode } from "./files/tree.ts";
import { describeUndone } from "./history/undo-dialog.tsx";
import { effectsOf, isFirstState, findChangesSince } from "./history/undo-effects.ts";
import { parseUnifiedDiff, reverseDiff } from "./history/unified.ts";

const id = (prefix: string, count: number): string => `${prefix}_${count.toString().padStart(26, "0")}`;
const agent = AgentId.parse(id("agent", 2));
const activation = ActivationId.parse(id("act", 1));

/** A change at this place of the history: path, content before, content after. */
const change = (
  place: number,
  ...versions: readonly (readonly [string, (string | undefined)?, (string | undefined)?])[]
): BrainChange => ({
  id: ChangeId.parse(id("chg", place)),
  place,
  kind: "write",
  at: place * 1000,
  versions: versions.map(([path, before, after]) => ({
    path,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    isErased: false,
  })),
});

/** As the router passes it on. */
const placeAt = (address: string) => {
  const { pathname, search } = new URL(address, "http://house.test/");
  return brainPlaceOf(decodeURI(pathname), decodeURI(search.slice(1)));
};

test("every file has its own path, which survives the router's decoding", () => {
  for (const path of [
    "SOUL.md",
    "memory/2026-01-02.md",
    "a%2Fb.md",
    "100 % #1?.md",
    "küche/%25.md",
    "x\u202e.md",
    "%",
  ]) {
    expect(placeAt(pathOfFile("küche", path))).toEqual({ kind: "file", agent: "küche", path });
    expect(placeAt(pathOfHistory("main", path))).toEqual({ kind: "history", agent: "main", path });
    const workspace = { kind: "workspace", agent: "main", path } as const;
    expect(placeAt(pathOfWorkspaceFile("main", path))).toEqual({ ...workspace, isFile: true });
    expect(placeAt(pathOfWorkspaceFolder("main", path))).toEqual({ ...workspace, isFile: false });
  }
  expect(pathOfFile("main", "memory/2026-01-02.md")).toBe("/brain/main/files?file=memory/2026-01-02.md");
});

test("every tab has a path, and unknown paths show the files", () => {
  for (const path of [brainPath("main"), "/brain/main/", "/brain/main/files", "/brain/main/nothing"])
    expect(placeAt(path)).toEqual({ kind: "files", agent: "main" });
  expect(placeAt(brainPath("main", "proposals"))).toEqual({ kind: "proposals", agent: "main" });
  expect(placeAt(pathOfWorkspaceFolder("main", ""))).toMatchObject({ kind: "workspace", path: "", isFile: false });
  expect(placeAt(brainPath("main", "prompt"))).toEqual({ kind: "prompt", agent: "main" });
  expect(placeAt(brainPath("main", "history"))).toEqual({ kind: "history", agent: "main", path: undefined });
});

const file = (path: string): BrainFile => ({ path, sizeBytes: 1, hash: "h", isGuarded: false });
const outline = (nodes: readonly TreeNode[]): unknown =>
  nodes.map((node) => (node.kind === "file" ? node.name : [node.name, outline(node.nodes)]));

test("files come before folders, sorted by name, and dates newest first", () => {
  const paths = ["memory/2026-01-01.md", "USER.md", "memory/rooms/x/a.md", "memory/2026-01-03.md", "AGENTS.md"];
  const tree = toTree(paths.map(file));
  const rooms = ["rooms", [["x", ["a.md"]]]];
  expect(outline(tree)).toEqual(["AGENTS.md", "USER.md", ["memory", ["2026-01-03.md", "2026-01-01.md", rooms]]]);
  expect(countFiles(tree)).toBe(paths.length);
  expect(toTree([])).toEqual([]);
  // Files of days are newest first. Other files are before and after them by their names.
  const names = ["0 first.md", "2026-01-02.md", "2026-01-03 tea.md", "notes.md"];
  for (const order of [names, names.toReversed()])
    expect(outline(toTree(order.map(file)))).toEqual(["0 first.md", "2026-01-03 tea.md", "2026-01-02.md", "notes.md"]);
});

test("line endings of the file survive an edit", () => {
  for (const text of ["", "one", "a\nb\n", "a\r\nb\r\n"]) expect(fromField(toField(text), text)).toBe(text);
  expect(["a\n", "a\r\n", "a\nb\r\n", "a\rb"].map(lineEndingOf)).toEqual(["lf", "crlf", "mixed", "mixed"]);
  expect(fromField("a\nb", "x\ny\r\n")).toBe("a\nb");
  expect(fromField("a\nb", undefined)).toBe("a\nb");
});

test("drafts are stored per file, and survive page changes until they are discarded", () => {
  const storage = createMemoryStorage();
  const drafts = createDrafts(storage, agent);
  expect(drafts.put("a.md", { text: "x", hash: "h" })).toBe(true);
  expect(drafts.put("new.md", { text: "y" })).toBe(true);
  const reopened = createDrafts(storage, agent);
  expect([reopened.get("a.md"), reopened.get("new.md"), reopened.get("b.md")]).toEqual([
    { text: "x", hash: "h" },
    { text: "y" },
    undefined,
  ]);
  expect(reopened.paths()).toEqual(["a.md", "new.md"]);
  expect(createDrafts(storage, AgentId.parse(id("agent", 3))).paths()).toEqual([]);
  reopened.drop("a.md");
  expect(drafts.paths()).toEqual(["new.md"]);
});

test("without storage space a draft lasts as long as the page, and no outdated one is kept", () => {
  const drafts = createDrafts(createMemoryStorage({ maxLength: 100 }), agent);
  expect(drafts.put("a.md", { text: "short" })).toBe(true);
  const long = { text: "long ".repeat(50) };
  expect(drafts.put("a.md", long)).toBe(false);
  expect(drafts.get("a.md")).toEqual(long);
  expect(drafts.paths()).toEqual(["a.md"]);
  drafts.drop("a.md");
  expect(drafts.get("a.md")).toBeUndefined();
});

test("invalid stored drafts are ignored", () => {
  const storage = createMemoryStorage();
  for (const kept of ["", "{", "null", "7", '{"text":1}']) {
    storage.set(`brain:${agent}:a.md`, kept);
    expect(createDrafts(storage, agent).get("a.md")).toBeUndefined();
  }
});

const DIFF = "@@ -1,3 +1,2 @@\n same\n-old\n-more\n+new\n\\ No newline at end of file\n";

test("a diff is parsed into typed lines, and its reversal swaps added and removed", () => {
  const shown = (lines: ReturnType<typeof parseUnifiedDiff>) => lines.map(({ kind, text }) => `${kind}: ${text}`);
  expect(shown(parseUnifiedDiff(DIFF))).toEqual([
    ...["heading: @@ -1,3 +1,2 @@", "same: same", "removed: old", "removed: more", "added: new"],
    "heading: \\ No newline at end of file",
  ]);
  expect(shown(reverseDiff(parseUnifiedDiff(DIFF))).slice(0, 5)).toEqual([
    ...["heading: @@ -1,2 +1,3 @@", "same: same", "removed: new", "added: old", "added: more"],
  ]);
  expect(shown(reverseDiff(parseUnifiedDiff("-a\n+b\n x\n")))).toEqual(["removed: b", "added: a", "same: x"]);
});

test("the effects of reverting several changes are combined per file", () => {
  const changes = [
    change(5, ["both.md", "2", "3"], ["gone.md", "1", undefined]),
    change(4, ["new.md", undefined, "1"], ["same.md", "2", "1"]),
    change(3, ["both.md", "1", "2"], ["same.md", "1", "2"]),
  ];
  expect(effectsOf(changes)).toEqual([
    { path: "both.md", outcome: "changed" },
    { path: "gone.md", outcome: "restored" },
    { path: "new.md", outcome: "deleted" },
  ]);
  expect(effectsOf([])).toEqual([]);
});

test("restoring goes back to the first known state at most", () => {
  const changes = [change(3, ["a", "1", "2"]), change(2, ["a", undefined, "1"]), change(1, ["b", undefined, "1"])];
  expect(findChangesSince(changes, 3000).map(({ place }) => place)).toEqual([3]);
  expect(findChangesSince(changes, 0).map(({ place }) => place)).toEqual([3, 2]);
  expect(changes.map(isFirstState)).toEqual([false, false, true]);
});

test("changes have readable titles, and invisible characters in names are shown", () => {
  expect(describeChange(change(1, ["a.md"], ["b\u202e.md"]))).toBe("Saved: a.md, b‹U+202E›.md");
  expect(describeChange(change(1, ["a"], ["b"], ["c"], ["d"], ["e"]))).toBe("Saved: a, b, c and 2 more");
  for (const words of [kindWords, effectWords])
    expect(new Set(Object.values(words)).size).toBe(Object.keys(words).length);
  expect(describeAuthor({}, () => "Ada")).toBe("Edited on disk");
  expect(describeAuthor({ by: agent }, () => "Ada")).toBe("Ada");
  const titles = [{ change: change(1).id }, { activation }, { since: 0 }].map((what) => undoTitles(what).title);
  expect(titles).toEqual([
    ...["Revert this change?", "Revert all changes of this run?"],
    expect.stringMatching(/^Restore to .*1970/),
  ]);
  expect([999, 1500, 15_000, 50_000_000].map((bytes) => formatSize(bytes, "en"))).toEqual([
    ...["999 B", "1.5 kB", "15 kB", "50 MB"],
  ]);
});

test("the outcome of a revert mentions erased content and empty reverts", () => {
  expect(describeUndone({ erased: [] })).toBe("No changes were needed.");
  expect(describeUndone({ change: change(2, ["a.md"]), erased: [] })).toBe("1 file restored.");
  expect(describeUndone({ change: change(2, ["a.md"], ["b.md"]), erased: ["a.md"] })).toBe(
    "2 files restored. Content of a.md was erased permanently and could not be restored.",
  );
});

test("remarks name lines with invisible characters and lines from untrusted sources", () => {
  expect(findHiddenLines("plain\nwith\ttab\r\n")).toEqual([]);
  expect(findHiddenLines(`a\nb\u202ec\n${"x".repeat(400)}\u200b`)).toEqual([
    { number: 2, line: "b\u202ec" },
    { number: 3, line: `${"x".repeat(300)}…` },
  ]);
  const label = { integrity: "untrusted", readers: "anyone", sources: ["https://example.org"] } as const;
  const mutable = { ...label, sources: [...label.sources] };
  expect(describeSpan({ from: 3, to: 5, label: mutable })).toBe("Lines 3–5: https://example.org (untrusted)");
  expect(describeSpan({ from: 3, to: 3, label: { ...mutable, sources: [] } })).toBe("Line 3: untrusted");
});

test("a new name is a visible path inside the brain", () => {
  for (const path of ["", "/a", "a//b", "../a", "a/./b", ".git/x", "a/"]) expect(checkNewPath(path)).toBeString();
  for (const path of ["a.md", "instructions/tone.md", "a b.md"]) expect(checkNewPath(path)).toBeUndefined();
});

test("a decision about a proposal names the person and the reason", () => {
  expect(describeDecision({ state: "pending" }, () => "Ada")).toBeUndefined();
  expect(describeDecision({ state: "approved", by: agent }, () => "Ada")).toBe(
    "Ada approved this. The change is active.",
  );
  expect(describeDecision({ state: "denied", reason: "no\u202e" }, () => "Ada")).toBe(
    "An admin denied this. no‹U+202E›",
  );
  expect([0, 1, 2].map(describePendingCount)).toEqual([
    ...["No pending proposals", "1 pending proposal", "2 pending proposals"],
  ]);
});

test("a prompt part explains differences from its file", () => {
  const part = { name: "a", place: "prefix", text: "", length: 1, fileLength: 1, tokens: 1 } as const;
  expect(notesOf({ ...part, isCut: false, hiddenLines: 0 })).toEqual([]);
  expect(notesOf({ ...part, isCut: true, hiddenLines: 1 })).toEqual([
    expect.stringMatching(/^shortened/),
    "one untrusted line left out",
  ]);
});
