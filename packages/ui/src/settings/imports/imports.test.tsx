import { expect, test } from "bun:test";
import type { ImportPart, ImportState } from "@hearth/protocol";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { Router } from "wouter";
import { createFakeUi, fakeMain } from "../../house/fake-ui.tsx";
import { UiProvider } from "../../house/ui.tsx";
import { toGroups } from "./groups.ts";
import { SourceForm } from "./import-page.tsx";
import { PreviewSection } from "./preview-section.tsx";
import { ReportSection } from "./report-section.tsx";

const draw = (content: ReactNode): string =>
  renderToStaticMarkup(
    <UiProvider value={createFakeUi()}>
      <Router ssrPath="/settings/import">{content}</Router>
    </UiProvider>,
  );

const file = (to: string, more: Partial<ImportPart> = {}): ImportPart => ({
  kind: "file",
  from: `workspace/${to}`,
  to,
  fate: "new",
  ...more,
});
const PARTS: readonly ImportPart[] = [
  file("memory/imported/openclaw/a.md", { hidesSecrets: true }),
  file("SOUL.md", { fate: "replaces" }),
  file("memory/day.md"),
  file("MEMORY.md"),
  file("skills/x/SKILL.md"),
  { kind: "job", from: "cron/jobs.json: News", to: "news", fate: "new" },
  { kind: "channel", from: "openclaw.json", to: "telegram", fate: "new" },
  file("USER.md", { fate: "same" }),
  { kind: "left", from: "credentials", fate: "left", why: "Logins are not copied." },
];

test("parts are grouped for people, in one order", () => {
  expect(toGroups(PARTS).map(({ kind, parts }) => [kind, parts.map(({ index }) => index)])).toEqual([
    ["persona", [1]],
    ["memory", [2, 3]],
    ["skills", [4]],
    ["history", [0]],
    ["jobs", [5]],
    ["channels", [6]],
    ["same", [7]],
    ["left", [8]],
  ]);
});

test("a preview offers every new and changed part, and says what is left out and what hides secrets", () => {
  const preview = { id: "p", kind: "openclaw" as const, folder: "/x", agent: fakeMain.id, parts: [...PARTS] };
  const markup = draw(<PreviewSection preview={preview} onStarted={() => {}} />);
  expect(markup).toContain("Import 7 parts</button>");
  expect(markup).toContain("Secrets are removed from 1 part, and are not imported.");
  expect(markup).toContain("Left out: 1 part");
  expect([...markup.matchAll(/type="checkbox"/g)]).toHaveLength(6);
  const empty = draw(<PreviewSection preview={{ ...preview, parts: [] }} onStarted={() => {}} />);
  expect(empty).toContain("The folder has nothing that can be imported.");
  expect(empty).toMatch(/<button[^>]*disabled[^>]*>Import 0 parts/);
});

test("the form begins with a folder that the house found", () => {
  const places = [
    { kind: "hermes" as const, folder: "/home/ada/.hermes" },
    { kind: "hermes" as const, folder: "/home/ada/.hermes/profiles/work" },
    { kind: "openclaw" as const, folder: "/home/ada/.openclaw" },
  ];
  const markup = draw(<SourceForm places={places} bots={[fakeMain]} onPreview={() => {}} />);
  expect(markup).toMatch(/value="\/home\/ada\/\.hermes"/);
  expect(markup).toMatch(/<option value="hermes" selected="">Hermes Agent/);
  // The other folders of the program are suggestions.
  expect(markup).toMatch(/<datalist[^>]*><option value="[^"]*\/\.hermes"><\/option><option value="[^"]*\/work">/);
  expect(markup).not.toContain("/home/ada/.openclaw");
});

test("an import shows its progress, then a report, or why it ended early", () => {
  const base = { places: [], source: { kind: "openclaw" as const, folder: "/x" }, agent: fakeMain.id, total: 8 };
  const show = (state: ImportState): string => draw(<ReportSection state={state} agent={fakeMain} />);
  expect(show({ state: "none", places: [] })).toBe("");
  const running = show({ ...base, state: "running", done: 3 });
  expect(running).toContain("Importing from OpenClaw");
  expect(running).toContain("3 of 8 parts");
  expect(running).toMatch(/<progress[^>]*value="3" max="8"|<progress[^>]*max="8"[^>]*value="3"/);
  const refused = file("x.md", { fate: "failed", why: "The house refused it." });
  const done = show({ ...base, state: "done", done: 8, parts: [...PARTS, refused] });
  expect(done).toContain("7 parts imported.");
  expect(done).toContain("The house refused 1 part.");
  expect(done).toContain("Refused: 1 part");
  const failed = show({ ...base, state: "failed", done: 0, parts: [], problem: "The disk is full." });
  expect(failed).toContain("The import ended early");
  expect(failed).toContain("The disk is full. Parts that were imported stay.");
});
