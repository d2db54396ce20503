import { describe, expect, test } from "bun:test";
import { createMemoryStorage } from "@hearth/client";
import {
  type Check,
  type Hold,
  KeyId,
  type KeyInfo,
  type ProviderInfo,
  queueWords,
  type SecurityFinding,
} from "@hearth/protocol";
import { findingIds } from "@hearth/protocol/api";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { Router } from "wouter";
import { createFakeAgent, createFakeUi, type FakeUiOptions, fakeMain, fakeOwner } from "../house/fake-ui.tsx";
import { UiProvider } from "../house/ui.tsx";
import { describeModel } from "./agents/agents-page.tsx";
import { KeyList } from "./keys/keys-section.tsx";
import { findModelInUse } from "../models/model-in-use.ts";
import { NewKey } from "./keys/new-key.tsx";
import { textOf } from "../rooms/fake-view.tsx";
import { choicesOf, describeRemoval, ProviderTable, usersOf } from "./house/provider-table.tsx";
import { RecordFields } from "./form/section.tsx";
import { SettingsPage } from "./settings-page.tsx";
import { plainWords } from "../design/error-words.ts";
import { securityFixes } from "./house/security-fixes.ts";
import { SecurityFindings, summarizeFindings } from "./house/security-section.tsx";
import { CheckResults, summarizeChecks } from "./house/system-page.tsx";
import type { RecordForm } from "./form/use-record-form.ts";

const draw = (content: ReactNode, options: FakeUiOptions = {}): string =>
  renderToStaticMarkup(
    <Router ssrPath="/">
      <UiProvider value={createFakeUi(options)}>{content}</UiProvider>
    </Router>,
  );
const page = (path: string, options?: FakeUiOptions): string =>
  draw(
    <Router ssrPath={path}>
      <SettingsPage />
    </Router>,
    options,
  );
const headings = (markup: string): readonly string[] =>
  [...markup.matchAll(/<h[12][^>]*>([^<]*)/g)].map(([, text]) => text ?? "");

test.each([
  ["/settings", "General", ["Settings", "You", "House", "Appearance", "Houses"]],
  ["/settings/agents", "Agents", ["Agents", "Agents of Home", "Stop all agents"]],
  ["/settings/agents/main", "Agents", ["Settings", "Main", "Profile", "Model", "Fallback models", "Stop"]],
  ["/settings/agents/main/instructions", "Agents", ["Settings", "Main", "Instructions", "Context"]],
  ["/settings/agents/main/tools", "Agents", ["Settings", "Main", "API keys", "Sandboxes"]],
  ["/settings/agents/main/memory", "Agents", ["Settings", "Main", "Brain", "Memory search"]],
  ["/settings/agents/main/automations", "Agents", ["Settings", "Main", "Automations", "When it responds"]],
  ["/settings/agents/main/budget", "Agents", ["Settings", "Main", "Budget"]],
  ["/settings/agents/main/activity", "Agents", ["Settings", "Main"]],
  ["/settings/agents/main/advanced", "Agents", ["Settings", "Main", "New messages", "Remove"]],
  ["/settings/agents/ada", "Agents", ["Settings", "Ada", "Profile", "API keys"]],
  ["/settings/new-agent", "Agents", ["Settings", "Add agent or person"]],
  ["/settings/rooms", "Rooms", ["Settings", "Rooms"]],
  ["/settings/models", "Models", ["Settings", "Model providers", "Add provider", "Speech and pictures"]],
  ["/settings/system", "System", ["Settings", "This house", "Checks", "Security"]],
])("the path %s shows the sections %s", (path, title, expected) => {
  const markup = page(path);
  expect(headings(markup)).toEqual(expected);
  expect(/aria-current="page"[^>]*>([^<]*)/.exec(markup)?.[1]).toBe(title);
});

test("an unknown path shows an error and a link", () => {
  const markup = page("/settings/else");
  expect(markup).toContain("Page not found");
  expect(markup).toContain('href="/settings/agents"');
});

test("an agent that is not in the list is fetched before the page reports it as missing", () => {
  expect(page("/settings/agents/scout")).toContain("Loading");
});

test("the list shows each agent with its description, state and model", () => {
  const scout = createFakeAgent(3, "Scout", { model: "anthropic/claude-sonnet-5-5", description: "Keeps lists." });
  const agents = new Map([scout, fakeOwner, fakeMain].map((agent) => [agent.id, agent]));
  const markup = page("/settings/agents", { houseSnapshot: { agents } });
  expect(markup.indexOf("Main")).toBeLessThan(markup.indexOf("Scout"));
  expect(markup).toMatch(/href="\/settings\/agents\/scout"[^]*Keeps lists\.[^]*claude-sonnet-5-5 by Anthropic/);
  expect(markup).toMatch(/Ada \(you\)[^]*<span>Person<\/span>[^]*<td data-title="Model"><\/td>/);
  expect(page("/settings/agents", { houseSnapshot: { agents: new Map() } })).toContain("No agents yet");
  expect([describeModel(undefined), describeModel("offline/basic"), describeModel("den/a/b")]).toEqual([
    "No language model",
    "No language model",
    "a/b by den",
  ]);
});

test("one button stops an agent; a stopped agent shows who stopped it and a resume button", () => {
  const stopped = (...scopes: readonly Hold["scope"][]): string =>
    page("/settings/agents/main", {
      houseSnapshot: { holds: scopes.map((scope) => ({ scope, by: fakeOwner.id, at: 1 })) },
    });
  expect(stopped()).toMatch(/<button[^>]*>.*Stop Main<\/button>/);
  const own = stopped("house", fakeMain.id);
  expect(own).toMatch(/Main was stopped by <bdi>Ada<\/bdi> at <time/);
  expect(own).toMatch(/<button[^>]*>Resume Main<\/button>/);
  const all = stopped("house");
  expect(all).toMatch(/Main was stopped with all agents by <bdi>Ada<\/bdi>.*View all agents<\/a>/);
  expect(all).toContain("Stop Main</button>");
});

test("the agents page stops and resumes all agents, and marks stopped ones", () => {
  const holds = [{ scope: "house" as const, by: fakeOwner.id, at: 1 }];
  expect(page("/settings/agents")).toContain("Stop all agents now</button>");
  expect(page("/settings/agents")).not.toMatch(/<td data-title="Status">.*Stopped/);
  const markup = page("/settings/agents", { houseSnapshot: { holds } });
  expect(markup).toContain("Resume all agents</button>");
  expect(markup).toMatch(/<td data-title="Status">.*Stopped/);
});

test("each of the four queue modes has its own description", () => {
  const markup = page("/settings/agents/main/advanced");
  const valuesOf = (shown: string) => [...shown.matchAll(/type="radio"[^>]*value="(\w+)"/g)].map(([, value]) => value);
  expect(valuesOf(markup)).toEqual(["steer", "followup", "collect", "interrupt"]);
  expect(valuesOf(page("/settings/agents/main/automations"))).toEqual(["mention", "ambient"]);
  expect(valuesOf(page("/settings/agents/main/memory"))).toEqual(["hybrid", "lexical", "none"]);
  for (const words of Object.values(queueWords)) expect(markup).toContain(words);
  expect(markup).toMatch(/checked=""[^>]*value="steer"|value="steer"[^>]*checked=""/);
  const collecting = createFakeAgent(2, "Main", { queue: "collect" });
  const other = page("/settings/agents/main/advanced", {
    houseSnapshot: { agents: new Map([[collecting.id, collecting]]) },
  });
  expect(other).toMatch(/checked=""[^>]*value="collect"|value="collect"[^>]*checked=""/);
});

test("unsaved text is restored, without text of other fields", () => {
  const storage = createMemoryStorage();
  storage.set(`form:${fakeMain.id}:instructions`, '{"prompt":"Half a sentence"}');
  const markup = page("/settings/agents/main/instructions", { storage });
  expect(markup).toContain(">Half a sentence</textarea>");
  expect(markup).toContain("Discard changes");
  expect(page("/settings/agents/main", { storage })).toContain('value="Main"');
});

const form = (more: Partial<RecordForm<{ name: string }>>): RecordForm<{ name: string }> => ({
  values: { name: "Main" },
  isChanged: false,
  isBusy: false,
  isSaved: false,
  error: undefined,
  errorOf: () => undefined,
  set: () => {},
  save: () => {},
  discard: () => {},
  ...more,
});
const fields = (more: Partial<RecordForm<{ name: string }>>): string =>
  draw(<RecordFields form={form(more)}>fields</RecordFields>);

test("a form can be saved when something changed, confirms it, and keeps an error visible", () => {
  expect(fields({})).toMatch(/<button[^>]*disabled=""[^>]*>Save/);
  expect(fields({ isChanged: true })).not.toContain("disabled");
  expect(fields({ isChanged: true, isBusy: true })).toContain("Loading");
  expect(fields({ isSaved: true })).toContain("Saved");
  expect(fields({ isSaved: true, isChanged: true })).not.toContain("Saved");
  expect(fields({ isChanged: true, error: new TypeError("x") })).toContain('role="alert"');
});

const provider = (name: string, more: Partial<ProviderInfo> = {}): ProviderInfo => ({
  name,
  kind: "openai",
  source: "config",
  ready: true,
  detail: "key from file:keys/x",
  ...more,
});

const providers = (...listed: readonly ProviderInfo[]): string =>
  draw(
    <Router ssrPath="/settings/models">
      <ProviderTable providers={listed} agents={[fakeMain]} onChange={() => {}} />
    </Router>,
  );

test("the table of providers shows their state and their agents", () => {
  expect(textOf(providers(provider("anthropic")))).toContain("Anthropic Ready Test Key stored by Hearth");
  const missing = textOf(providers(provider("work", { ready: false, detail: "env:WORK_KEY is not set" })));
  expect(missing).toContain("Not ready WORK_KEY is not set");
  expect(missing).not.toContain("Test");
  const builtIn = providers(provider("offline", { source: "built-in", detail: "no language model" }));
  expect(textOf(builtIn)).toContain("Offline helper Ready No language model Main");
  // Nothing can be done with the offline helper, so its row has no menu.
  expect(builtIn).not.toContain("Actions of");
  expect(textOf(providers())).toBe("No model providers");
});

test("four providers have a search and a filter, and fewer have none", () => {
  const four = ["a", "b", "c", "d"].map((name) => provider(name));
  expect(providers(...four)).toContain("Filters of Model providers");
  expect(providers(...four.slice(1))).not.toContain("Filters of");
});

test("the menu of a provider has only what the provider and the user allow", () => {
  const offered = (info: ProviderInfo, isAdmin = true): readonly string[] =>
    choicesOf(isAdmin, () => {})
      .filter(({ applies = () => true }) => applies(info))
      .map(({ label }) => label);
  expect(offered(provider("anthropic", { keyIsStored: true }))).toEqual(["Change key", "Edit"]);
  expect(offered(provider("anthropic", { keyIsStored: true }), false)).toEqual(["Change key"]);
  expect(offered(provider("work", { ready: false }))).toEqual(["Edit"]);
  expect(offered(provider("both", { kind: "reliable" }))).toEqual([]);
  expect(offered(provider("offline", { source: "built-in" }))).toEqual([]);
  const scout = createFakeAgent(3, "Scout", { model: "den/a/b" });
  expect([findModelInUse([fakeOwner, fakeMain, scout], "den"), findModelInUse([scout], "de")]).toEqual([
    "a/b",
    undefined,
  ]);
});

test("the confirmation of a provider's removal names agents that can no longer answer", () => {
  expect(usersOf([fakeOwner, fakeMain, createFakeAgent(3, "Scout", { model: "den/a" })], "den")).toEqual(["Scout"]);
  expect(describeRemoval([])).not.toContain("cannot answer");
  expect(describeRemoval(["Scout", "Main"])).toContain("Scout, Main cannot answer until you choose another model");
});

test("failed checks are listed first, with instructions", () => {
  const checks = [
    { name: "store", ok: true, detail: "takes writes", fix: "not needed" },
    { name: "cells", ok: false, detail: "no walls", fix: "Install bubblewrap." },
  ];
  const markup = draw(<CheckResults checks={checks} />);
  expect(markup.indexOf("cells: no walls")).toBeLessThan(markup.indexOf("store: takes writes"));
  expect(markup).toContain("Install bubblewrap.");
  expect(markup).not.toContain("not needed");
  expect([[], checks, [...checks, { name: "x", ok: false, detail: "" }]].map(summarizeChecks)).toEqual([
    "All checks passed",
    "1 check failed",
    "2 checks failed",
  ]);
});

test("a failed check has a link to the page that fixes it, and no command", () => {
  const show = (check: Partial<Check>): string =>
    draw(
      <Router ssrPath="/settings/system">
        <CheckResults checks={[{ name: "brain main", ok: false, detail: "paused", ...check }]} />
      </Router>,
    );
  const fix = "Review the change: hearth brain proposals main";
  const linked = show({ fix, page: "proposals", agent: "main" });
  expect(linked).toContain('href="/brain/main/proposals"');
  expect(linked).toContain('aria-label="Review changes: brain main"');
  expect(linked).not.toMatch(/hearth brain|terminal/);
  expect(show({ fix })).toContain("The fix needs a terminal");
  expect(show({ page: "agent", agent: "main" })).toContain('href="/settings/agents/main"');
  expect(show({ ok: true, page: "models" })).not.toContain("<a ");
});

test("a check for something absent and unneeded is neither passed nor failed", () => {
  const signOf = (check: Pick<Check, "ok" | "absent">): string => {
    const markup = draw(<CheckResults checks={[{ name: "cell qemu", detail: "not here", ...check }]} />);
    return /<li.*?<\/svg>/.exec(markup)?.[0] ?? "";
  };
  const signs = [signOf({ ok: true }), signOf({ ok: true, absent: true }), signOf({ ok: false })];
  expect(new Set(signs).size).toBe(3);
  expect(summarizeChecks([{ name: "cell qemu", ok: true, absent: true, detail: "" }])).toBe("All checks passed");
});

describe("a security finding", () => {
  const finding: SecurityFinding = {
    id: "egress.loopback",
    severity: "low",
    what: "It leads here.",
    where: "hearth.toml line 3",
    fix: { kind: "config", section: "egress", key: "loopback" },
    change: { kind: "edit-settings", values: { "egress.loopback": null } },
    instead: "Or leave it. To see all: hearth config list.",
  };
  const grave: SecurityFinding = {
    id: "file.mode",
    severity: "high",
    what: "Others read it.",
    where: "/home/keys",
    fix: { kind: "command", command: "chmod go-rwx /home/keys" },
  };
  const show = (...findings: readonly SecurityFinding[]): string =>
    draw(
      <Router ssrPath="/settings/system">
        <SecurityFindings report={{ findings: [...findings], unseen: ["Walls."] }} onFixed={() => {}} />
      </Router>,
    );

  test("shows its place, its fix and other ways, without commands of a shell", () => {
    const markup = show(grave, finding);
    for (const text of [
      "Critical (/home/keys): Others read it.",
      "remove the access of other users",
      "Info (hearth.toml line 3): It leads here.",
      ">Block local programs</button>",
      "Or leave it.",
      "Not checked: Walls.",
    ])
      expect(markup).toContain(text);
    for (const text of ["chmod", "hearth config", "[egress]"]) expect(markup).not.toContain(text);
  });

  test("whose fix needs a choice links to the control of its agent", () => {
    const budget = { ...finding, id: "agent.no-budget", agent: fakeMain.id, change: undefined } as const;
    expect(show(budget)).toContain('href="/settings/agents/main/budget"');
    expect(show({ ...budget, id: "audit.broken" })).toContain('href="/settings/audit"');
  });

  test("has an entry in the table of fixes, whatever its kind, and no text of it names a command", () => {
    expect(Object.keys(securityFixes).toSorted()).toEqual([...findingIds].toSorted());
    for (const fix of Object.values(securityFixes)) {
      const text =
        fix.kind === "change"
          ? `${fix.button}. ${fix.effect("Main", { kind: "remove-rule", rule: "rule_1" as never })}`
          : fix.kind === "page"
            ? `${fix.link}.`
            : fix.text;
      expect(plainWords(text)).toBe(text);
    }
  });

  test("counts in the summary, which names the critical ones", () => {
    const summaries = [[], [finding], [grave], [grave, finding]].map((findings) =>
      summarizeFindings({ findings, unseen: [] }),
    );
    expect(summaries).toEqual([
      "No recommendations",
      "1 security recommendation",
      "1 security recommendation, 1 critical",
      "2 security recommendations, 1 critical",
    ]);
  });
});

const key = (count: number, name: string, more: Partial<KeyInfo> = {}): KeyInfo => ({
  id: KeyId.parse(`key_${String(count).padStart(26, "0")}`),
  name,
  agent: fakeOwner.id,
  createdAt: count,
  ...more,
});

test("valid keys are listed, newest first, each with its owner", () => {
  const keys = [key(1, "phone"), key(2, "old script", { revokedAt: 3 }), key(4, "lamp", { agent: fakeMain.id })];
  const markup = draw(<KeyList keys={keys} agents={[fakeOwner]} onRevoked={() => {}} />);
  expect(markup.indexOf("lamp")).toBeLessThan(markup.indexOf("phone"));
  expect(markup).toContain('<td data-title="Key owner">Ada</td>');
  expect(markup).toContain('<td data-title="Key owner">a former member</td>');
  expect(markup).not.toContain("old script");
  expect(markup).toContain('aria-label="Actions of phone"');
  expect(draw(<KeyList keys={[]} agents={[]} onRevoked={() => {}} />)).toContain("No API keys");
});

test("a new key is shown with a copy button", () => {
  const { id, name, agent } = key(1, "phone");
  const markup = draw(<NewKey newKey={{ id, name, agent, key: "hearth_abc" }} onClose={() => {}} />);
  expect(markup).toContain("API key for phone. It is shown only once.");
  expect(markup).toMatch(/<code[^>]*>hearth_abc<\/code>[^]*Copy/);
});
