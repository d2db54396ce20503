import { expect, test } from "bun:test";
import { Approval, BrainChange, EgressEntry, noUsage, type StepPrompt } from "@hearth/protocol";
import { ActivationDetail } from "@hearth/protocol/api";
import { renderToStaticMarkup } from "react-dom/server";
import { Router } from "wouter";
import { createFakeMe, createFakeUi, fakeEntry, fakeHouse, fakeMain, fakeOwner } from "../house/fake-ui.tsx";
import { UiProvider } from "../house/ui.tsx";
import { traceReply } from "./run-reply.tsx";
import { RunView } from "./run-page.tsx";
import { PromptParts } from "./run-prompt.tsx";
import { modelsOf, type RunRecord, secretsOf, sourcesOf, timelineOf, withModelNames } from "./timeline.ts";

const digits = "1".repeat(26);
const id = `act_${digits}`;
const page = "https://example.org/page";
const untrusted = { integrity: "untrusted", readers: "anyone", sources: [page] };
const step = (index: number, kind: string, name: string, more: object = {}) => ({
  ...{ activation: id, step: index, kind, name, effect: "pure", state: "done" },
  ...{ startedAt: 1200 + index * 100, endedAt: 1250 + index * 100 },
  ...more,
});
const call = { kind: "tool", call: "c1", name: "fetch", input: { url: page }, state: "done", output: "the page" };
const detail = (more: object = {}): ActivationDetail =>
  ActivationDetail.parse({
    ...{ id, agent: fakeMain.id, room: fakeEntry.room.id, trigger: "direct", cause: `evt_${digits}` },
    ...{ state: "replied", usage: { ...noUsage, inputTokens: 1200, outputTokens: 40, cost: 12_000 }, depth: 0 },
    ...{ createdAt: 1000, startedAt: 1100, endedAt: 3000 },
    message: { author: fakeOwner.id, at: 900, text: "Read the page" },
    steps: [
      step(0, "model", "den/large", { glimpse: "asks for fetch", usage: { ...noUsage, inputTokens: 600 } }),
      step(1, "tool", "fetch", { glimpse: "the page", failed: false, label: untrusted }),
      step(2, "intake", "intake", { glimpse: "one more message", messages: [] }),
      step(3, "model", "den/large", { glimpse: "Done." }),
    ],
    parts: [{ kind: "text", text: "Let me see." }, call],
    ...more,
  });
const request = EgressEntry.parse({
  ...{ id: `egr_${digits}`, agent: fakeMain.id, activation: id, at: 1310, host: "example.org", port: 443 },
  ...{ method: "GET", path: "/page", outcome: "allowed", status: 200, sentBytes: 310, receivedBytes: 4100 },
  secrets: ["pages", "pages"],
});
const approval = Approval.parse({
  ...{ id: `apr_${digits}`, house: fakeHouse.id, agent: fakeMain.id, activation: id, step: 1, room: fakeEntry.room.id },
  ...{ what: { kind: "tool", name: "fetch", input: "{}", hash: "0" }, asks: [], display: "fetch", offers: [] },
  ...{ state: "used", scope: "once", by: fakeOwner.id, createdAt: 1305, expiresAt: 9000 },
});
const record = (more: Partial<RunRecord> = {}): RunRecord => ({
  detail: detail(),
  requests: [request],
  approvals: [approval],
  changes: [],
  ...more,
});
const draw = (shown: RunRecord, level: "r" | "x" = "x"): string =>
  renderToStaticMarkup(
    <UiProvider value={createFakeUi({ houseSnapshot: { me: createFakeMe(level) } })}>
      <Router ssrPath={`/runs/${id}`}>
        <RunView record={shown} />
      </Router>
    </UiProvider>,
  );

test("the timeline has every record of a run, oldest first", () => {
  const told = timelineOf(record()).map((entry) =>
    entry.kind === "step" ? `${entry.step.name} ${entry.call?.call ?? ""}`.trim() : entry.kind,
  );
  expect(told).toEqual([
    "queued",
    "started",
    "den/large",
    "fetch c1",
    "approval",
    "request",
    "intake",
    "den/large",
    "ended",
  ]);
});

test("a queued run has one entry, and entries of the same millisecond keep their order", () => {
  const queued = detail({ state: "queued", startedAt: undefined, endedAt: undefined, steps: [], parts: [] });
  const kinds = (shown: RunRecord) => timelineOf(shown).map(({ kind }) => kind);
  expect(kinds({ detail: queued, requests: [], approvals: [], changes: [] })).toEqual(["queued"]);
  const instant = detail({ startedAt: 1000, endedAt: 1000, steps: [], parts: [] });
  expect(kinds({ detail: instant, requests: [], approvals: [], changes: [] })).toEqual(["queued", "started", "ended"]);
});

test("sources name the steps that returned them; an unnamed untrusted result has an unknown source", () => {
  const { steps } = detail({
    steps: [
      step(0, "tool", "fetch", { label: untrusted }),
      step(1, "tool", "read", { label: { ...untrusted, sources: [] } }),
      step(2, "tool", "fetch", { label: { ...untrusted, sources: [page, "file notes.md"] } }),
      step(3, "tool", "now", { label: { integrity: "owner", readers: "anyone", sources: [] } }),
      step(4, "model", "den/large"),
    ],
  });
  expect(sourcesOf(steps).map(({ name, steps: from }) => [name, from.map((step) => step.step)])).toEqual([
    [page, [0, 2]],
    [undefined, [1]],
    ["file notes.md", [2]],
  ]);
});

test("models and secrets are listed once", () => {
  expect(modelsOf(detail().steps)).toEqual(["den/large"]);
  expect(secretsOf([request, { ...request, secrets: ["lamp"] }])).toEqual(["lamp", "pages"]);
});

test("a call of the agent's model has the name of the model, and another keeps its name", () => {
  const steps = [step(-1, "model", "den/gate"), step(0, "model", "main"), step(1, "tool", "fetch")];
  expect(withModelNames(detail({ steps, model: "den/large" })).steps.map(({ name }) => name)).toEqual([
    "den/gate",
    "den/large",
    "fetch",
  ]);
  expect(withModelNames(detail({ steps })).steps.map(({ name }) => name)).toEqual(["den/gate", "main", "fetch"]);
  expect(draw(record({ detail: detail({ steps, model: "den/large" }) }))).toContain("Model call: den/large");
});

test("the page shows why the run began, its calls with their costs, and links sources to steps", () => {
  const markup = draw(record());
  expect(markup).toContain("Direct message");
  expect(markup).toContain("Ada: Read the page");
  expect(markup).toContain("1,200 tokens in, 40 out");
  expect(markup).toContain("0.01 USD");
  expect(markup).toContain("Model call: den/large");
  expect(markup).toContain("Approval requested: fetch");
  expect(markup).toContain("You allowed this once. The call has started.");
  expect(markup).toContain("Network request: GET example.org:443/page");
  expect(markup).toContain("HTTP 200 · 310 bytes sent, 4,100 received · Secrets: pages, pages");
  expect(markup).toMatch(/<li id="step-1"[^>]*>[^]*Tool call: fetch[^]*Untrusted content/);
  expect(markup).toContain('<a href="#step-1">Tool call: fetch</a>');
  // The address of untrusted content is text.
  expect(markup).not.toContain(`href="${page}"`);
  expect(markup).toContain(id);
});

test("a run without outside content says so, and a person who cannot decide gets no link to the prompt", () => {
  const quiet = record({
    detail: detail({ steps: [], parts: [], message: undefined }),
    requests: [],
    approvals: [],
    changes: [],
  });
  const markup = draw(quiet, "r");
  expect(markup).toContain("The agent read no content from outside.");
  expect(markup).toContain("No requests");
  expect(markup).toContain("Deleted");
  expect(markup).not.toContain("Show the current prompt");
  expect(draw(quiet)).toContain("Show the current prompt");
});

const counts = { inputTokens: 100, outputTokens: 5, cacheReadTokens: 300, cacheWriteTokens: 0 };
const prompt: StepPrompt = {
  parts: [
    { kind: "tools", count: 2, tokens: 100, cachedTokens: 100 },
    { kind: "file", name: "SOUL.md", count: 1, tokens: 200, cachedTokens: 150 },
    { kind: "rules", count: 1, tokens: 1, cachedTokens: 0 },
    { kind: "conversation", count: 12, tokens: 99, cachedTokens: 0 },
    { kind: "attachment", name: "a\u202Eb.pdf", count: 1, tokens: 0, cachedTokens: 0 },
    { kind: "result", name: "recall", count: 1, tokens: 0, cachedTokens: 0 },
    { kind: "result", name: "read", count: 2, tokens: 0, cachedTokens: 0 },
    { kind: "file", name: "MEMORY.md", count: 1, tokens: 0, cachedTokens: 0, erased: true },
    { kind: "hidden", count: 2, tokens: 0, cachedTokens: 0, erased: true },
  ],
  tokens: 400,
  usage: counts,
};
const drawPrompt = (shown: StepPrompt): string =>
  renderToStaticMarkup(
    <UiProvider value={createFakeUi()}>
      <PromptParts prompt={shown} />
    </UiProvider>,
  );
const rowsOf = (markup: string): readonly string[] =>
  [...markup.matchAll(/<tr><th scope="row".*?<\/tr>/g)].map(([row]) =>
    row
      .replace(/<[^>]+>/g, " ")
      .replace(/\s+/g, " ")
      .trim(),
  );

test("the parts of a prompt have tokens, their share and whether they were cached", () => {
  const markup = drawPrompt(prompt);
  expect(markup).toContain("About 400 tokens");
  expect(markup).toContain("The provider counted 400, of which 300 were cached.");
  expect(rowsOf(markup)).toEqual([
    "Tools (2) 100 25 % Yes",
    "SOUL.md 200 50 % Partly",
    "System rules 1 under 1 % No",
    "Conversation (12) 99 25 % No",
    "Attachment: a‹U+202E›b.pdf 0 0 % No",
    "Memory found 0 0 % No",
    "Results of read (2) 0 0 % No",
    "MEMORY.md · deleted or forgotten since Unknown Unknown Unknown",
    "Hidden parts (2) · people of this room may not see them Unknown Unknown Unknown",
  ]);
});

test("a prompt without reported counts shows no cached tokens, and a forgotten one shows no parts", () => {
  const parts = [{ kind: "message", count: 1, tokens: 8 } as const];
  expect(drawPrompt({ parts, tokens: 8 })).not.toMatch(/ached|provider/);
  expect(drawPrompt({ parts, tokens: 8, usage: { ...counts, estimated: true } })).not.toContain("provider");
  expect(drawPrompt({ parts: [], tokens: 0, erased: true })).toContain("The input of this call was forgotten.");
});

test("each model call of the loop has the parts of its prompt, which are loaded when opened", () => {
  const steps = [step(-1, "model", "den/small"), step(0, "model", "den/large"), step(1, "tool", "fetch")];
  const markup = draw(record({ detail: detail({ steps }) }));
  expect(markup.match(/<summary>Prompt parts/g)).toHaveLength(1);
  expect(markup).not.toContain("<table");
});

const paid = { ...call, output: "2025: 131 €, Vidal (estimated)\n2026: 142 €, Vidal" };
const repliedWith = (text: string, more: object = {}): ActivationDetail =>
  detail({ parts: [{ kind: "text", text: "Let me see." }, paid, { kind: "text", text }], ...more });
const tracesOf = (shown: ActivationDetail) =>
  traceReply(shown)
    .blocks.flat()
    .map(({ text, sources }) => [text, ...sources.map((source) => [source.step?.step, source.excerpt?.text])]);

test("sentences of a reply have the results and the message that probably contain their facts", () => {
  const text = "In 2026 Vidal charged 142 €. I hope that this helps. You asked me to read the page.";
  expect(
    tracesOf(repliedWith(text, { message: { author: fakeOwner.id, at: 900, text: "Read this page, asked Ben" } })),
  ).toEqual([
    ["In 2026 Vidal charged 142 €.", [1, "2026: 142 €, Vidal"]],
    ["I hope that this helps."],
    ["You asked me to read the page."],
  ]);
  const quoted = { author: fakeOwner.id, at: 900, text: "Write to Ben that Vidal charged 142 €" };
  expect(tracesOf(repliedWith("Ben knows that Vidal charged 142 €.", { message: quoted, steps: [] }))).toEqual([
    ["Ben knows that Vidal charged 142 €.", [undefined, quoted.text]],
  ]);
});

test("a message that arrived during the run can be the source of a sentence", () => {
  const arrived = step(2, "intake", "intake", { glimpse: "Moreau asks 124 € in 2024", messages: [] });
  expect(tracesOf(repliedWith("In 2024 Moreau asked 124 €.", { steps: [arrived] }))).toEqual([
    ["In 2024 Moreau asked 124 €.", [2, "Moreau asks 124 € in 2024"]],
  ]);
});

test("a sentence that links to a source has its step without an excerpt, or once with one", () => {
  expect(tracesOf(repliedWith(`More is on [this page](${page}).`))).toEqual([
    ["More is on this page.", [1, undefined]],
  ]);
  expect(tracesOf(repliedWith(`Vidal charged [142 €](${page}).`))).toEqual([
    ["Vidal charged 142 €.", [1, "2026: 142 €, Vidal"]],
  ]);
});

test("a reply without likely sources is not shown, nor is the text of a run that continues", () => {
  expect(draw(record({ detail: repliedWith("I hope that this helps.") }))).not.toContain("likely sources");
  expect(draw(record({ detail: repliedWith("In 2026 Vidal charged 142 €.", { endedAt: undefined }) }))).not.toContain(
    "likely sources",
  );
  const markup = draw(record({ detail: repliedWith("In 2026 Vidal charged 142\u202E €. It helps.") }));
  expect(markup).toContain("They do not prove where a fact comes from.");
  expect(markup).toMatch(/<button[^>]*aria-expanded="false"[^>]*>.*In 2026 Vidal/);
  expect(markup).toMatch(/<p[^>]*>It helps\.<\/p>/);
  expect(markup).not.toContain("\u202E");
});

test("the changes of a run are listed with a button that reverts all of them", () => {
  const version = { path: "memory/cat.md", after: "0".repeat(64), isErased: false };
  const change = BrainChange.parse({
    ...{ id: `chg_${digits}`, place: 1, kind: "write", by: fakeMain.id, activation: id, at: 1300 },
    versions: [version],
  });
  expect(draw(record({ changes: [change] }))).toMatch(/Saved: memory\/cat\.md.*Revert the whole run/);
  expect(draw(record())).not.toContain("Revert the whole run");
});

test("hostile names are shown without hidden characters", () => {
  const steps = [step(0, "tool", "fet\u202Ech", { glimpse: "a\u202Eb" })];
  const markup = draw(
    record({ detail: detail({ steps, parts: [] }), requests: [{ ...request, host: "ex\u202Eample.org" }] }),
  );
  expect(markup).not.toContain("\u202E");
});
