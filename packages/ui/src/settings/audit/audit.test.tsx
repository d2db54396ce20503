import { describe, expect, test } from "bun:test";
import { AgentId, type AuditRow, AuditType, type Level, type Right } from "@hearth/protocol";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { Router } from "wouter";
import { createFakeMe, createFakeUi, fakeHouse, fakeMain, fakeOwner } from "../../house/fake-ui.tsx";
import { UiProvider } from "../../house/ui.tsx";
import { MakeInvite } from "../invites/make-invite.tsx";
import { toAuditFilter } from "./audit-filters.ts";
import { AuditPage } from "./audit-page.tsx";
import { AuditTable } from "./audit-rows.tsx";
import { describeAct, describeActor, describeCredential, describeFacts, kinds, type Names } from "./audit-words.ts";
import * as texts from "./text.ts";
import { VerificationResult } from "./verify-section.tsx";

const draw = (content: ReactNode, path = "/settings/audit"): string =>
  renderToStaticMarkup(
    <UiProvider value={createFakeUi()}>
      <Router ssrPath={path}>{content}</Router>
    </UiProvider>,
  );

const rowOf = (type: string, facts: object | string, offset = 1): AuditRow => ({
  ...{ stream: `audit:${fakeHouse.id}`, offset, id: `evt_${offset}`, type, at: Date.UTC(2026, 2, 4, 12) },
  ...{ body: typeof facts === "string" ? facts : JSON.stringify(facts), blob: null, labels: null, seal: "5ea1" },
});

const names: Names = {
  agent: (id) => ({ [fakeOwner.id]: "Ada", [fakeMain.id]: "Main" })[id] ?? "Former member",
  place: (id) => (id === fakeHouse.id ? "Home" : "Kitchen"),
};
const [ada, main] = [fakeOwner.id, fakeMain.id];

describe("an act", () => {
  test.each([
    [
      "grant",
      { change: "written", agent: ada, target: fakeHouse.id, level: "w", rights: '["audit"]' },
      "Ada is now Member + Audit log in Home",
    ],
    ["grant", { change: "removed", agent: ada, target: "room_1" }, "Access of Ada to Kitchen removed"],
    ["key", { change: "added", id: "key_1", name: "lamp", agent: main }, "API key “lamp” of Main created"],
    ["key", { change: "changed", id: "key_1", revoked_at: 5 }, "API key revoked"],
    ["login", { change: "added", agent: ada, method: "password" }, "Ada logged in"],
    ["login", { change: "removed", agent: ada }, "Session of Ada removed"],
    ["passkey", { change: "added", agent: ada, name: "Phone" }, "Passkey “Phone” of Ada added"],
    [
      "invite",
      { change: "added", level: "r", rights: '["secrets"]' },
      "Invite link for the role Viewer + Secrets created",
    ],
    ["invite", { change: "changed", used_by: ada }, "Invite link used by Ada"],
    ["secret", { change: "written", name: "TOKEN" }, "Secret “TOKEN” saved"],
    ["stop", { change: "written", scope: main }, "Main stopped"],
    ["stop", { change: "removed", scope: "all" }, "All agents resumed"],
    ["approval", { change: "changed", name: "write", state: "allowed" }, "Approval of write given"],
    ["step", { change: "added", kind: "tool", name: "write", state: "started" }, "Call of write started"],
    ["step", { change: "changed", kind: "model", state: "done" }, "Model call finished"],
    ["activation", { change: "changed", agent: main, state: "replied" }, "Run of Main: replied"],
    ["egress", { change: "added", method: "GET", host: "a.example", outcome: "refused" }, "GET to a.example: refused"],
    ["config", { change: "changed", table: "budget.day" }, "hearth.toml edited: budget.day"],
    ["daemon", { change: "started" }, "Hearth started"],
    ["log", { change: "added", after: 0, through: 4 }, "Rows 1 to 4 moved to a segment"],
    ["record", { change: "added", type: "room", handle: "kitchen" }, "Room kitchen added"],
    ["a-later-type", {}, "a-later-type"],
    ["grant", "no JSON", "Role changed"],
  ] as const)("of type %s with %j reads as a sentence", (type, facts, sentence) => {
    expect(describeAct(rowOf(type, facts), names)).toBe(sentence);
  });

  test("of every type has a title for the filter and a sentence", () => {
    expect([...kinds].toSorted()).toEqual(AuditType.options.toSorted());
    expect(new Set(Object.values(texts.kindTitles)).size).toBe(AuditType.options.length);
    for (const type of AuditType.options)
      for (const change of ["added", "written", "changed", "removed"])
        expect(describeAct(rowOf(type, { change }), names)).not.toMatch(/undefined|_/);
  });

  test("has its actor, credential and right", () => {
    const row = rowOf("config", { by: ada, agent: main, via: "key", key: "key_1", right: "providers" });
    expect(describeActor(row, names)).toBe("Ada");
    expect(describeCredential(row)).toBe("with an API key · by the right “Model providers”");
    expect(describeActor(rowOf("step", { agent: main, person: ada }), names)).toBe("Main");
    expect([describeActor(rowOf("daemon", {}), names), describeCredential(rowOf("daemon", {}))]).toEqual([
      "Hearth",
      undefined,
    ]);
  });

  test("has all facts with names and dates in its details", () => {
    const lines = describeFacts(
      rowOf("key", { agent: main, expires_at: 7, input_sha256: "ab" }),
      names,
      (at) => `on ${at}`,
    );
    expect(lines).toEqual([
      { name: "Agent", value: `Main (${main})` },
      { name: "Expires", value: "on 7" },
      { name: "input (SHA-256)", value: "ab" },
    ]);
    const shown = (type: string, facts: object) =>
      describeFacts(rowOf(type, facts), names, String).map(({ name, value }) => `${name}: ${value}`);
    expect(
      shown("step", { change: "written", state: "done", content_sha256: "ab", content_bytes: 2, via: "login" }),
    ).toEqual([
      "Change: saved (written)",
      "Status: finished (done)",
      "Content (SHA-256): ab",
      "Content (bytes): 2",
      "Credential: browser session (login)",
    ]);
    expect(shown("delivery", { state: "sent", outcome: "constructor" })).toEqual([
      "Status: sent",
      "Outcome: constructor",
    ]);
  });
});

test("filters of the address become a query; the last day is included, and unknown values filter nothing", () => {
  const none = { kind: "", person: "", agent: "", from: "", to: "" };
  const day = (date: number) => new Date(2026, 2, date).getTime();
  expect(toAuditFilter({ kind: "grant", person: ada, agent: main, from: "2026-03-04", to: "2026-03-05" })).toEqual({
    ...{ type: "grant", person: ada, agent: main },
    ...{ from: day(4), until: day(6) },
  });
  expect(toAuditFilter({ ...none, kind: "no-type", person: "ada", from: "yesterday" })).toEqual(toAuditFilter(none));
  expect(Object.values(toAuditFilter(none)).filter((value) => value !== undefined)).toEqual([]);
});

test("the page has every kind, person and agent in its filters, and the export as a download", () => {
  const markup = draw(<AuditPage house={fakeHouse} />);
  for (const title of [...Object.values(texts.kindTitles), "Ada", "Main"])
    expect(markup).toContain(`>${title}</option>`);
  expect(markup).toContain(`href="/api/houses/${fakeHouse.id}/audit/export" download="audit-home.jsonl"`);
});

test("a removed member in the address stays chosen", () => {
  const gone = AgentId.parse(`agent_${"9".repeat(26)}`);
  const markup = renderToStaticMarkup(
    <UiProvider value={createFakeUi()}>
      <Router ssrPath="/settings/audit" ssrSearch={`person=${gone}`}>
        <AuditPage house={fakeHouse} />
      </Router>
    </UiProvider>,
  );
  expect(markup).toMatch(new RegExp(`<option value="${gone}" selected="">Former member</option>`));
});

test("the table lists acts; without rows it says whether the whole log was searched", () => {
  const markup = draw(<AuditTable page={{ rows: [rowOf("stop", { change: "written", scope: main, by: ada })] }} />);
  for (const text of ["Main stopped", ">Ada<", "<time"]) expect(markup).toContain(text);
  expect(draw(<AuditTable page={{ rows: [] }} />)).toContain("No rows match.");
  expect(draw(<AuditTable page={{ rows: [], next: 5 }} />)).toContain("in the part that was searched");
});

test("a verification shows its size and duration, and each fault in plain words", () => {
  const report = { house: fakeHouse.id, rows: 1234 };
  const intact = draw(<VerificationResult report={{ ...report, findings: [] }} durationMs={1250} />);
  expect(intact).toContain("The log is intact");
  expect(intact).toMatch(/1.234 rows verified in 1\.3 s\./);
  const findings = [{ fault: "truncated", from: 3, to: 4, text: "Rows 3 to 4 are missing at the end." }] as const;
  const damaged = draw(<VerificationResult report={{ ...report, findings: [...findings] }} durationMs={0} />);
  for (const text of ["The log does not match its seals", "Rows are missing at the end: Rows 3 to 4", "backup"])
    expect(damaged).toContain(text);
});

test("an invite link to the house offers the rights of Members", () => {
  const show = (level: Level, rights: readonly Right[] = []) => {
    const me = createFakeMe(level);
    const ui = createFakeUi({
      houseSnapshot: { me: { ...me, permissions: [{ on: fakeHouse.id, level, rights: [...rights] }] } },
    });
    return renderToStaticMarkup(
      <UiProvider value={ui}>
        <MakeInvite house={fakeHouse} invites={[]} onCreated={() => {}} />
      </UiProvider>,
    );
  };
  const markup = show("x");
  expect(markup).toContain("The person also manages");
  for (const title of ["Model providers", "Secrets", "Audit log", "Approvals"])
    expect(markup).toContain(`<span>${title}</span>`);
});
