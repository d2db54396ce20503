import { expect, test } from "bun:test";
import { createMemoryStorage } from "@hearth/client";
import { type BrainFile, type Proposal, ProposalId } from "@hearth/protocol";
import type { ReactNode } from "react";
import { PendingProposalList } from "../inbox/pending-proposals.tsx";
import { mergeProposals, replaceProposal } from "../inbox/proposal-list.ts";
import { createFakeAgent, createFakeMe, createFakeUi, fakeHouse, fakeMain } from "../house/fake-ui.tsx";
import { renderUi, textAt, textOf } from "../rooms/fake-view.tsx";
import { BrainPage } from "./brain-page.tsx";
import { createDrafts } from "./files/drafts.ts";
import { FileBody } from "./files/file-page.tsx";
import { Files } from "./files/files-tab.tsx";
import { History } from "./history/history-tab.tsx";
import { IndexFacts } from "./memory/memory-index.tsx";
import { MemoryResults } from "./memory/memory-search.tsx";
import { describeParts } from "./memory/memory-words.ts";
import { PromptTable } from "./prompt-tab.tsx";
import { Proposals } from "./proposals/proposals-tab.tsx";
import { UndoPreviewView } from "./history/undo-dialog.tsx";
import type { FileView, LoadedFile } from "./files/use-file.ts";

const draw = (node: ReactNode): string => textOf(renderUi(node));
const nothing = (): void => {};

const showPage = (path: string, ui = createFakeUi()): string => textAt(path, <BrainPage />, ui);

test("the page is for admins of the agent's house, and for agents that run in it", () => {
  expect(showPage("/brain/main")).toContain(
    "Brain of Main Settings of Main Files Workspace Memory History Proposals Prompt",
  );
  const reader = createFakeUi({ houseSnapshot: { me: createFakeMe("w") } });
  expect(showPage("/brain/main", reader)).toContain("Only admins of this house can open this page");
  expect(showPage("/brain/ada")).toContain("Ada has no brain here");
  const far = createFakeAgent(2, "Main", { runs: "elsewhere" });
  const ui = createFakeUi({ houseSnapshot: { agents: new Map([[far.id, far]]) } });
  expect(showPage("/brain/main", ui)).toContain("Main has no brain here");
});

const file = (path: string, more: Partial<BrainFile> = {}): BrainFile => ({
  path,
  sizeBytes: 1,
  hash: "h",
  isGuarded: false,
  ...more,
});

const drawFiles = (files: readonly BrainFile[], path?: string): string => {
  const drafts = createDrafts(createMemoryStorage(), fakeMain.id);
  drafts.put("kept.md", { text: "x" });
  const notes = [{ path: "link", why: "is a link" }];
  return draw(
    <Files agent={fakeMain} path={path} drafts={drafts} brainFiles={{ files: [...files], notes }} reload={nothing} />,
  );
};

test("files show protection, unsaved text and ignored entries", () => {
  const text = drawFiles([file("SOUL.md", { isGuarded: true }), file("kept.md"), file("a\u202eb.md")]);
  expect(text).toContain("SOUL.md protected");
  expect(text).toContain("kept.md Not saved");
  expect(text).toContain("a‹U+202E›b.md");
  expect(text).toContain("link is a link");
  expect(text).toContain("Choose a file to view or edit.");
  // Unsaved text of a deleted file stays reachable.
  expect(drawFiles([])).toMatch(/No files yet.*kept\.md Not saved/);
});

test("a folder with many files is collapsed unless it contains the open file", () => {
  const many = Array.from({ length: 30 }, (_, index) => file(`memory/${index}.md`));
  expect(drawFiles(many)).toContain("memory 30 files");
  expect(drawFiles(many)).not.toContain("7.md");
  expect(drawFiles(many, "memory/7.md")).toContain("7.md");
});

const view = (loadedFile: LoadedFile | undefined, more: Partial<FileView> = {}): FileView => ({
  ...{
    loadedFile,
    loadError: undefined,
    reload: nothing,
    text: "",
    isChanged: false,
    hasConflict: false,
    isDraftStored: true,
  },
  isSaved: false,
  submission: { isBusy: false, error: undefined, run: async () => true, clear: nothing },
  setText: nothing,
  discard: nothing,
  save: nothing,
  saveOver: nothing,
  remove: async () => true,
  ...more,
});

const body = (loadedFile: LoadedFile | undefined, more: Partial<FileView> = {}): string =>
  draw(<FileBody path="a.md" view={view(loadedFile, more)} />);

test("a large, binary or missing file shows a notice and its unsaved text", () => {
  const large = { kind: "too-large", sizeBytes: 50_000_000 } as const;
  expect(body(large)).toContain("This file is too large (50 MB).");
  expect(body(large, { isChanged: true, text: "mine" })).toContain("mine Discard");
  const binary = { kind: "existing", file: { path: "a.md", hash: "h", sizeBytes: 4, spans: [] } } as const;
  expect(body({ ...binary, file: { ...binary.file, spans: [] } })).toContain(
    "This file is not a text file. Its 4 B are not valid UTF-8, so they cannot be shown here.",
  );
  expect(body({ kind: "missing" })).toContain("This file does not exist. Saving creates it.");
});

test("a Markdown file is rendered, with its front matter as code; other files and unsaved text are in the editor", () => {
  const load = (path: string): LoadedFile => ({
    kind: "existing",
    file: { path, hash: "h", sizeBytes: 4, text: "", spans: [] },
  });
  const text = "---\nname: cook\n---\n# Pasta\n";
  const drawn = renderUi(<FileBody path="a.md" view={view(load("a.md"), { text })} />);
  expect(drawn).toContain('<h2 dir="auto">Pasta</h2>');
  expect(drawn).toMatch(/<pre><code>name: cook<\/code>/);
  expect(drawn).not.toContain("<textarea");
  expect(body(load("a.md"))).toContain("This file is empty.");
  for (const [path, isChanged] of [
    ["a.txt", false],
    ["a.md", true],
  ] as const)
    expect(renderUi(<FileBody path={path} view={view(load(path), { isChanged })} />)).toContain("<textarea");
});

test("an edit conflict shows both versions and the effect of saving", () => {
  const there: LoadedFile = {
    kind: "existing",
    file: { path: "a.md", hash: "h", sizeBytes: 4, text: "theirs", spans: [] },
  };
  const text = body(there, { isChanged: true, hasConflict: true, text: "mine" });
  expect(text).toMatch(
    /mine.*The file was changed while you edited it\..*theirs.*Removed: theirs.*Added: mine.*Overwrite with mine/,
  );
  expect(text).not.toContain("Discard changes");
  expect(body({ kind: "missing" }, { isChanged: true, hasConflict: true, text: "mine" })).toMatch(
    /mine.*The file was removed while you edited it\..*Save mine as a new file Discard mine/,
  );
  expect(body(there, { isChanged: true, isDraftStored: false })).toContain("This browser has no space");
});

test("empty history, an empty revert and an empty prompt show a text", () => {
  expect(draw(<History agent={fakeMain} changes={[]} isOfFile={false} reload={nothing} />)).toContain("No changes yet");
  expect(draw(<UndoPreviewView preview={{ effects: [], isIncomplete: false, diffs: [] }} />)).toContain("No changes");
  const report = { audience: "private", parts: [], tokens: 0 } as const;
  expect(draw(<PromptTable agent={fakeMain} report={{ ...report, parts: [] }} />)).toContain(
    "The prompt contains no brain files",
  );
});

test("the preview of a revert lists files, and shortens long lists", () => {
  const effects = Array.from({ length: 60 }, (_, index) => ({ path: `${index}.md`, outcome: "deleted" as const }));
  const text = draw(
    <UndoPreviewView
      preview={{ effects, isIncomplete: true, diffs: [{ path: "x", diff: "+new\n" }, { path: "y" }] }}
    />,
  );
  expect(text).toContain("60 files change: 0.md is removed");
  expect(text).toContain("and 10 more");
  expect(text).toContain("This list does not show all changes");
  expect(text).toContain("Removed: new");
  expect(text).toContain("y is not a text file");
});

test("without proposals the page explains what they are", () => {
  const draws = draw(<Proposals agent={fakeMain} proposals={[]} onDecided={nothing} />);
  expect(draws).toBe(
    "No pending proposals When Main proposes a change to its own instructions, the change appears here for your approval.",
  );
});

const proposal: Proposal = {
  id: ProposalId.parse(`prop_${"1".padStart(26, "0")}`),
  house: fakeHouse.id,
  agent: fakeMain.id,
  at: 1,
  path: "SOUL.md",
  why: "It changes a boundary.",
  halts: true,
  diff: "-Never lie.\n+Lie.\n",
  state: "pending",
  label: { integrity: "untrusted", readers: "anyone", sources: ["https://example.org"] },
};

test("a proposal shows its reason, its sources and its changes; a decided one has no buttons", () => {
  const drawOne = (proposal: Proposal): string =>
    draw(<Proposals agent={fakeMain} proposals={[proposal]} onDecided={nothing} />);
  expect(drawOne(proposal)).toMatch(
    /Main is paused until you decide\..*1 pending proposal.*It changes a boundary\. Built from untrusted content: https:\/\/example\.org .*Removed: Never lie\..*Added: Lie\..*Approve Deny/,
  );
  const denied = drawOne({ ...proposal, state: "denied" });
  expect(denied).toMatch(/No pending proposals.*Decided proposals.*An admin denied this/);
  expect(denied).not.toContain("Approve");
  const stale = drawOne({ ...proposal, stale: "SOUL.md was changed at the same lines since." });
  expect(stale).toMatch(
    /This proposal no longer applies\. SOUL\.md was changed.*Deny it and ask Main for a new proposal\..*Deny/,
  );
  expect(stale).not.toContain("Approve");
});

test("the inbox shows each proposal with its agent, and paused agents", () => {
  const second = { ...proposal, id: ProposalId.parse(`prop_${"2".padStart(26, "0")}`), path: "AGENTS.md" };
  const list = <PendingProposalList agents={[fakeMain]} proposals={[proposal, second]} onDecided={nothing} />;
  expect(draw(list)).toMatch(
    /2 changes to Main The agent is paused until you decide\. Change to SOUL\.md .* Approve Deny Change to AGENTS\.md/,
  );
  expect(renderUi(list)).toContain('href="/ui/brain/main/proposals"');
});

test("a proposal that was decided in the inbox stays; one decided elsewhere leaves; new ones come last", () => {
  const make = (count: number, at: number): Proposal => ({
    ...proposal,
    id: ProposalId.parse(`prop_${`${count}`.padStart(26, "0")}`),
    at,
  });
  const [first, second, third, fourth] = [make(1, 4), make(2, 3), make(3, 2), make(4, 1)] as const;
  const decided: Proposal = { ...first, state: "denied" };
  const shown = replaceProposal(mergeProposals([], [first, second]), decided);
  expect(shown.map(({ id, state }) => [id, state])).toEqual([
    [second.id, "pending"],
    [first.id, "denied"],
  ]);
  const stale = { ...third, stale: "Changed." };
  expect(mergeProposals([...shown, third], [fourth, stale])).toEqual([decided, stale, fourth]);
});

const fact = {
  ...{
    path: "MEMORY.md",
    headings: ["Boiler"],
    lines: [3, 4] as [number, number],
    text: "- a\n- b\u202e",
    date: "2026-05-01",
  },
  label: { integrity: "owner" as const, readers: "anyone" as const, sources: [] },
  score: 1.72,
  parts: { words: 2.126, age: -0.4, form: 0.001 },
};

test("a memory hit links to its file, and shows date, sources and ranking", () => {
  const page = { integrity: "untrusted" as const, readers: "anyone" as const, sources: ["https://e.org/<b>"] };
  const answer = { mode: "lexical" as const, rebuilding: true, problem: "ollama answered 500.", found: [fact] };
  const own = draw(<MemoryResults agent={fakeMain} answer={answer} onChange={nothing} />);
  for (const words of ["MEMORY.md:3-4", "Boiler · 2026-05-01", "Keyword search only", "ollama answered 500."])
    expect(own).toContain(words);
  expect(own).not.toContain("Untrusted sources:");
  const html = renderUi(
    <MemoryResults agent={fakeMain} answer={{ ...answer, found: [{ ...fact, label: page }] }} onChange={nothing} />,
  );
  expect(html).toContain('href="/ui/brain/main/files?file=MEMORY.md"');
  expect(textOf(html)).toContain("Untrusted sources: https://e.org/");
  expect(html).not.toContain("<b>");
  expect(html).not.toContain("\u202e");
  expect(draw(<MemoryResults agent={fakeMain} answer={{ ...answer, found: [] }} onChange={nothing} />)).toContain(
    "No results",
  );
  expect(describeParts(fact.parts)).toEqual([
    { title: "keywords", value: "+2.13" },
    { title: "age", value: "−0.40" },
  ]);
});

test("the index shows progress, embedding model and excluded files", () => {
  const leftOut = [{ path: "big.md", why: "has 9 bytes" }];
  const status = { files: 3, chunks: 1200, vectors: 7, leftOut, catchingUp: true, rebuilding: false };
  const moving = draw(<IndexFacts status={{ ...status, embedder: "ollama/m" }} />);
  for (const words of ["Keyword search; 7 of 1,200 chunks also by meaning.", "ollama/m", "big.md : has 9 bytes"])
    expect(moving).toContain(words);
  expect(draw(<IndexFacts status={status} />)).toContain("None (keywords only)");
  expect(draw(<IndexFacts status={{ ...status, catchingUp: false, problem: "It is off." }} />)).toContain(
    "Keyword search only: It is off.",
  );
});
