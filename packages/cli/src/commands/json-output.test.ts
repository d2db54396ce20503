/**
 * The two outputs of commands that read or change one thing: with `--json` the data that the house
 * answered, and otherwise a line for people.
 */
import { expect, test } from "bun:test";
import { commandsForEach } from "../fakes/fake-command-line.ts";

const own = commandsForEach();

const ZEROS = "0".repeat(26);
const [CHANGE, PROPOSAL, APPROVAL, NOTE, TURN, KEY, SESSION, DELIVERY] = [
  ...[`chg_${ZEROS}`, `prop_${ZEROS}`, `apr_${ZEROS}`, `note_${ZEROS}`],
  ...[`act_${ZEROS}`, `key_${ZEROS}`, `ses_${ZEROS}`, `out_${ZEROS}`],
] as const;
const AGENT = `agent_${ZEROS}`;
const schedule = { kind: "cron", cron: "0 8 * * *", zone: "UTC" };
const job = {
  ...{ name: "news", agent: AGENT, owner: AGENT, prompt: "What is new?", status: "active", schedule, failures: 0 },
  ...{ understood: "every day at 8", context: "isolated", catchUp: "once" },
};
const paused = { ...job, status: "paused" };
const label = { integrity: "owner", readers: "anyone", sources: [] };
const proposal = {
  ...{ id: PROPOSAL, house: `house_${ZEROS}`, agent: AGENT, path: "SOUL.md", why: "", halts: false, label, diff: "" },
  ...{ state: "approved", at: 1 },
};
const change = {
  ...{ id: CHANGE, place: 1, kind: "write", at: 1, versions: [{ path: "MEMORY.md", isErased: false }] },
};
const activation = {
  ...{ id: TURN, agent: AGENT, room: `room_${ZEROS}`, trigger: "direct", cause: `evt_${ZEROS}`, state: "stopped" },
  ...{ usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 }, depth: 0, createdAt: 1 },
};
const note = {
  ...{ id: NOTE, from: AGENT, to: AGENT, type: "note", status: "archived", room: `room_${ZEROS}` },
  ...{ activation: TURN, at: 1, text: "hi" },
};
const slot = { slot: 1, through: 1, count: 1, fate: "fired", reason: "", byHand: true, activation: TURN };
const delivery = {
  ...{ id: DELIVERY, channel: "telegram", conversation: "c", text: "hi", state: "queued", attempts: 0, createdAt: 1 },
};
const session = {
  id: SESSION,
  agent: AGENT,
  about: "Browser/1.0",
  createdAt: 1,
  usedAt: 1,
  expiresAt: 2,
  isThis: false,
};
const memory = {
  ...{ files: 1, chunks: 2, vectors: 0, catchingUp: false, rebuilding: false, leftOut: [] },
};
const forgotten = {
  ...{ files: ["MEMORY.md"], versions: 1, steps: 2, messages: 0, summaries: 0, running: 0, kept: [], keptCount: 0 },
};
const HASH = "1".repeat(64);
const written = { change: CHANGE, hash: HASH };
const channel = {
  name: "telegram",
  kind: "telegram",
  agent: "main",
  mode: "poll",
  state: "ready",
  queued: 0,
  unknown: 0,
};
const pairing = { channel: "telegram", sender: "7", name: "Ana", state: "allowed", createdAt: 1 };
const approval = {
  ...{ id: APPROVAL, house: `house_${ZEROS}`, agent: AGENT, room: `room_${ZEROS}`, activation: TURN, step: 1 },
  ...{ display: "shell", what: { kind: "tool", name: "shell", input: "{}", hash: "0" }, asks: [], offers: [] },
  ...{ state: "allowed", createdAt: 1, expiresAt: 2 },
};
const setting = { key: "cells.max_open", value: 8, default: 4, line: 3, appliesNow: true, needsProof: false };
const provider = { name: "den", kind: "openai", source: "config", ready: true, detail: "" };

interface Row {
  readonly words: readonly string[];
  /** Answers of the house, by request. */
  readonly answers?: Readonly<Record<string, unknown>>;
  /** The JSON output. Default: the last of the answers. */
  readonly json?: unknown;
  /** The output for people. */
  readonly text: string | RegExp;
  /** Notes for people. */
  readonly notes?: string;
  readonly input?: string;
  readonly code?: number;
}

const rows: readonly Row[] = [
  {
    words: ["brain", "write", "main", "MEMORY.md"],
    answers: { "PUT /api/agents/main/brain/file": written },
    text: `written: ${CHANGE}\n`,
    input: "- The bike is red.",
  },
  {
    words: ["brain", "write", "main", "MEMORY.md"],
    answers: { "PUT /api/agents/main/brain/file": { hash: HASH } },
    text: "MEMORY.md already has this content\n",
    input: "- The bike is red.",
  },
  {
    words: ["brain", "remove", "main", "MEMORY.md"],
    answers: { "DELETE /api/agents/main/brain/file": written },
    text: `removed: ${CHANGE}\n`,
  },
  {
    words: ["brain", "remove", "main", "MEMORY.md"],
    answers: { "DELETE /api/agents/main/brain/file": {} },
    text: "MEMORY.md does not exist\n",
  },
  {
    words: ["brain", "show", "main", "picture.png"],
    answers: { "GET /api/agents/main/brain/file": { path: "picture.png", sizeBytes: 7, hash: HASH, spans: [] } },
    text: "",
    notes: "picture.png is not a text file: 7 bytes.\n",
  },
  {
    words: ["brain", "diff", "main", CHANGE],
    answers: { "GET /api/agents/main/brain/diff": [{ path: "MEMORY.md", diff: "+ - The bike is red." }] },
    text: "--- MEMORY.md\n+ - The bike is red.\n",
  },
  {
    words: ["brain", "undo", "main", CHANGE],
    answers: {
      "POST /api/agents/main/brain/undo": {
        change,
        erased: ["USER.md"],
      },
    },
    text: `undone: ${CHANGE} (MEMORY.md)\n`,
    notes: "Erased text in USER.md was not restored.\n",
  },
  {
    words: ["brain", "undo", "main", CHANGE],
    answers: { "POST /api/agents/main/brain/undo": { erased: [] } },
    text: "",
    notes: "Nothing to undo: the files are already in that state.\n",
  },
  {
    words: ["brain", "erase", "main", "--path", "MEMORY.md"],
    answers: { "POST /api/agents/main/brain/erase": { change, files: ["MEMORY.md"], versions: 2 } },
    text: `erased from 1 file and 2 versions: ${CHANGE}\n`,
  },
  {
    words: ["brain", "erase", "main", "--line", "x"],
    answers: { "POST /api/agents/main/brain/erase": { files: [], versions: 0 } },
    text: "",
    notes: "Nothing to erase: no match was found.\n",
  },
  {
    words: ["brain", "proposals", "main"],
    answers: { "GET /api/agents/main/brain/proposals": [] },
    text: "",
    notes: "No proposals wait for your decision.\n",
  },
  ...(["approve", "deny"] as const).map((verb) => ({
    words: ["brain", verb, "main", PROPOSAL],
    answers: {
      [`POST /api/agents/main/brain/proposals/${PROPOSAL}`]: {
        ...proposal,
        state: verb === "approve" ? "approved" : "denied",
      },
    },
    text: `${verb === "approve" ? "approved" : "denied"}: SOUL.md\n`,
  })),
  {
    words: ["memory", "remember", "The bike is red.", "--agent", "main"],
    answers: { "POST /api/agents/main/memory/remember": { path: "MEMORY.md", wasKnown: true, replaced: [] } },
    text: "MEMORY.md already contains this fact\n",
  },
  {
    words: ["memory", "forget", "MEMORY.md:1"],
    answers: { "POST /api/agents/main/memory/forget": forgotten },
    text: "forgotten: MEMORY.md\n",
    notes: "Text was removed from 1 version and 2 call results.\n",
  },
  {
    words: ["memory", "forget", "https://example.org/"],
    answers: {
      "POST /api/agents/main/memory/forget": { ...forgotten, files: [], messages: 1, summaries: 2, running: 1 },
    },
    text: "forgotten: no file contained it\n",
    notes:
      "Text was removed from 1 version and 2 call results.\nDeleted: 1 message, 2 summaries.\n" +
      "Still running: 1 turn. Text of a running turn is deleted when it ends.\n",
  },
  {
    words: ["memory", "search", "bike"],
    answers: { "POST /api/agents/main/memory/recall": { found: [], mode: "lexical", rebuilding: false } },
    text: "",
    notes: "No matches.\nKeyword search only. Texts that use different words are not found.\n",
  },
  {
    words: ["memory", "search", "bike"],
    answers: {
      "POST /api/agents/main/memory/recall": { found: [], mode: "none", rebuilding: true, problem: "It failed." },
    },
    text: "",
    notes:
      "No matches.\nNothing is indexed. See the settings: hearth config list memory. For one agent: hearth agent edit " +
      "NAME --retrieval\nIt failed.\nThe index is being rebuilt, so results may be incomplete.\n",
  },
  {
    words: ["memory", "remember", "The bike is red."],
    answers: {
      "POST /api/agents/main/memory/remember": { path: "MEMORY.md", wasKnown: false, replaced: ["The bike is blue."] },
    },
    text: "stored in MEMORY.md\n",
    notes: "replaced: The bike is blue.\n",
  },
  ...(["status", "check"] as const).map((verb) => ({
    words: ["memory", verb],
    answers: { "GET /api/agents/main/memory/status": memory },
    ...(verb === "check" ? { json: { ...memory, isWhole: true } } : {}),
    text: "1 file in 2 chunks\n",
  })),
  ...[{ rebuilding: true }, { problem: "the model is missing" }].map((state) => ({
    words: ["memory", "check"],
    answers: { "GET /api/agents/main/memory/status": { ...memory, ...state } },
    json: { ...memory, ...state, isWhole: false },
    text: /the index is being rebuilt|keyword search only: the model is missing/,
    code: 1,
  })),
  {
    words: ["memory", "reindex"],
    answers: {
      "POST /api/agents/main/memory/reindex": {
        ...memory,
        ...{ catchingUp: true, embedder: "local/e5", leftOut: [{ path: "a.bin", why: "it is not text" }] },
      },
    },
    text: "1 file in 2 chunks; 0 of 2 chunks are searchable by meaning so far; embedding model: local/e5\n",
    notes: "left out: a.bin: it is not text\n",
  },
  {
    words: ["activation", "stop", TURN],
    answers: { [`POST /api/activations/${TURN}/stop`]: activation },
    text: `${TURN} is stopped\n`,
  },
  {
    words: ["approval", "allow", APPROVAL],
    answers: { [`POST /api/approvals/${APPROVAL}`]: approval },
    text: "allowed: shell\n",
  },
  {
    words: ["approval", "allow", APPROVAL, "--session"],
    answers: {
      [`POST /api/approvals/${APPROVAL}`]: { ...approval, offers: [{ scope: "session", text: "all of git" }] },
    },
    text: "allowed: all of git\n",
  },
  {
    words: ["approval", "deny", APPROVAL, "--reason", "Not now."],
    answers: { [`POST /api/approvals/${APPROVAL}`]: { ...approval, state: "denied" } },
    text: "denied: shell\n",
  },
  {
    words: ["inbox", "archive", NOTE],
    answers: { [`PATCH /api/inbox/${NOTE}`]: note },
    text: `archived ${NOTE}\n`,
  },
  {
    words: ["job", "show", "main", "news"],
    answers: { "GET /api/agents/main/jobs/news": { ...job, failures: 2 } },
    text: "news: every day at 8\nactive, active, failed 2 times in a row\nisolated, in the owner's direct room, catches up: once\nWhat is new?\n",
  },
  {
    words: ["job", "edit", "main", "news", "--prompt", "What is new?"],
    answers: { "PATCH /api/agents/main/jobs/news": job },
    text: "edited news: every day at 8, active\n",
  },
  {
    words: ["job", "pause", "main", "news"],
    answers: { "PATCH /api/agents/main/jobs/news": paused },
    text: "paused news: every day at 8, paused\n",
  },
  {
    words: ["job", "resume", "main", "news"],
    answers: { "PATCH /api/agents/main/jobs/news": job },
    text: "resumed news: every day at 8, active\n",
  },
  {
    words: ["job", "cancel", "main", "news"],
    answers: { "DELETE /api/agents/main/jobs/news": {} },
    json: { name: "news", cancelled: true },
    text: "cancelled news\n",
  },
  {
    words: ["job", "run", "main", "news"],
    answers: { "POST /api/agents/main/jobs/news/run": slot },
    text: `fired news: ${TURN}\n`,
  },
  {
    words: ["job", "slots", "main", "news"],
    answers: { "GET /api/agents/main/jobs/news/slots": [] },
    text: "",
    notes: "The job was not due yet.\n",
  },
  {
    words: ["provider", "list"],
    answers: {
      "GET /api/providers": [provider, { ...provider, name: "far", ready: false, detail: "There is no key." }],
    },
    text: /^NAME .*\nden +openai +yes +config\nfar +openai +no +config +There is no key\.\n$/,
  },
  {
    words: ["provider", "list"],
    answers: { "GET /api/providers": [] },
    text: "",
    notes: "There are no providers. Add one: hearth provider add NAME --kind KIND\n",
  },
  {
    words: ["provider", "add", "den", "--kind", "openai", "--base-url", "http://127.0.0.1:9/v1"],
    answers: { "POST /api/providers": provider },
    text: "added den\n",
    notes: "To test it: hearth provider test den --model MODEL\n",
  },
  {
    words: ["provider", "add", "den", "--kind", "openai", "--api-key", "env:KEY"],
    answers: { "POST /api/providers": { ...provider, suggestedModel: "den/large" } },
    text: "added den\n",
    notes: "To test it: hearth provider test den\n",
  },
  {
    words: ["provider", "add", "den", "--kind", "openai", "--api-key", "env:KEY"],
    answers: { "POST /api/providers": { ...provider, ready: false, detail: "There is no key." } },
    text: "added den: There is no key.\n",
    notes: "",
  },
  {
    words: ["provider", "edit", "den", "--retries", "2"],
    answers: { "PATCH /api/providers/den": provider },
    text: "changed den\n",
  },
  {
    words: ["provider", "remove", "den"],
    answers: { "DELETE /api/providers/den": {} },
    json: { removed: "den" },
    text: "removed den\n",
  },
  {
    words: ["provider", "models", "den"],
    answers: { "GET /api/providers/den/models": [] },
    text: "",
    notes: '"den" lists no models.\n',
  },
  ...[true, false].map((ok) => ({
    words: ["provider", "test", "den", "--model", "m"],
    answers: {
      "GET /api/providers": [provider],
      "POST /api/providers/den/test": { ok, detail: "It answered.", durationMs: 2000 },
    },
    json: { ok, detail: "It answered.", durationMs: 2000, model: "m" },
    text: `${ok ? "ok" : "FAIL"}  m: It answered. (2.0 s)\n`,
    code: ok ? 0 : 1,
  })),
  {
    words: ["channel", "add", "telegram", "--token", "env:TOKEN"],
    answers: { "POST /api/channels": channel },
    text: "added telegram; @main answers there\n",
    notes: "To test it: hearth channel test telegram\n",
  },
  {
    words: ["channel", "add", "telegram", "--token-stdin", "--agent", "@main"],
    answers: {
      "POST /api/channels": {
        ...channel,
        state: "failing",
        error: { code: "channel.unreachable", message: "It does not answer.", hint: "Wait." },
      },
    },
    input: "1:a",
    text: "added telegram; @main answers there\n",
    notes: "It does not answer. Wait.\n",
  },
  {
    words: ["channel", "remove", "telegram"],
    answers: { "GET /api/channels": [channel], "DELETE /api/channels/telegram": {} },
    json: { removed: "telegram" },
    text: "removed telegram\n",
  },
  ...[true, false].map((ok) => ({
    words: ["channel", "test", "telegram"],
    answers: { "GET /api/channels": [channel], "POST /api/channels/telegram/test": { ok, detail: "I am @bot." } },
    text: `${ok ? "ok" : "FAIL"}  I am @bot.\n`,
    code: ok ? 0 : 1,
  })),
  {
    words: ["channel", "edit", "telegram", "--token-stdin"],
    answers: {
      "GET /api/channels": [channel],
      "PATCH /api/channels/telegram": { channel, test: { ok: false, detail: "Unauthorized." } },
    },
    input: "1:a",
    text: "FAIL  Unauthorized. Nothing has changed.\n",
    code: 1,
  },
  ...(["resend", "leave"] as const).map((verb) => ({
    words: ["channel", verb, DELIVERY],
    answers: { [`POST /api/outbox/${DELIVERY}`]: delivery },
    text: `${DELIVERY} ${verb === "resend" ? "is sent again" : "is closed without sending again"}\n`,
  })),
  {
    words: ["pairing", "approve", "AB12-CD34"],
    answers: { "POST /api/pairings": pairing },
    text: "Ana on telegram is \n",
  },
  ...(["block", "forget"] as const).map((verb) => ({
    words: ["pairing", verb, "telegram", "7"],
    answers: { "DELETE /api/pairings/telegram/7": {} },
    json: { [verb === "block" ? "blocked" : "forgotten"]: { channel: "telegram", sender: "7" } },
    text: `${verb === "block" ? "blocked" : "forgot"} 7 on telegram\n`,
  })),
  {
    words: ["pairing", "test", "telegram", "7"],
    answers: { "POST /api/pairings/telegram/7/test": delivery },
    text: "test message queued for 7\n",
  },
  {
    words: ["key", "revoke", KEY],
    answers: { [`DELETE /api/keys/${KEY}`]: { id: KEY, name: "ci", agent: AGENT, createdAt: 1, revokedAt: 2 } },
    json: { revoked: KEY },
    text: `revoked ${KEY}\n`,
  },
  ...[{ name: "Kitchen" }, {}].map((named: { readonly name?: string }) => ({
    words: ["session", "rename", SESSION, "Kitchen"],
    answers: { [`PATCH /api/sessions/${SESSION}`]: { ...session, ...named } },
    text: `${SESSION} is named ${named.name ?? "after its browser"}\n`,
  })),
  {
    words: ["session", "end", SESSION],
    answers: { [`DELETE /api/sessions/${SESSION}`]: { ended: 1 } },
    json: { ended: SESSION },
    text: `ended ${SESSION}\n`,
  },
  {
    words: ["passkey", "rename", "3q2-7wAA", "Phone"],
    answers: { "PATCH /api/passkeys/3q2-7wAA": { id: "3q2-7wAA", name: "Phone", host: "localhost", createdAt: 1 } },
    text: "The passkey is named Phone\n",
  },
  ...[0, 1].map((failed) => ({
    words: ["notify", "test"],
    answers: { "POST /api/notifications/test": { sent: 1, failed } },
    text: `sent to 1 of ${1 + failed}\n`,
    code: failed,
  })),
  {
    words: ["config", "list", "cells"],
    answers: { "GET /api/settings": [setting, { ...setting, key: "budget.day" }] },
    json: [setting],
    text: /^SETTING +VALUE +DEFAULT +LINE +APPLIES\ncells\.max_open +8 +4 +3 +at once\n$/,
  },
  {
    words: ["config", "set", "cells.max_open=8"],
    answers: { "PATCH /api/settings": [{ ...setting, appliesNow: false }] },
    text: /cells\.max_open/,
    notes: "Restart the house to apply it: hearth stop, then hearth up\n",
  },
  {
    words: ["config", "unset", "cells.max_open"],
    answers: { "PATCH /api/settings": [setting] },
    text: /cells\.max_open/,
  },
];

test.each(rows.map((row) => [row.words.join(" "), row] as const))("%s", async (_command, row) => {
  const { words, answers = {}, text, notes, input = "", code = 0 } = row;
  const terminal = { stdinIsTerminal: false, readInput: () => Promise.resolve(input) };
  for (const [route, body] of Object.entries(answers)) own.house.answer(route, body);
  const plain = await own.hearthAt(terminal, ...words);
  if (typeof text === "string") expect(plain).toMatchObject({ code, out: text });
  else expect([plain.code, plain.out]).toEqual([code, expect.stringMatching(text)]);
  if (notes !== undefined) expect(plain.err).toBe(notes);
  const data = await own.hearthAt(terminal, ...words, "--json");
  expect(data.code).toBe(code);
  expect(JSON.parse(data.out)).toEqual("json" in row ? row.json : Object.values(answers).at(-1));
});

test("records are printed as JSON, and their removal names the id", async () => {
  const { house, json, hearth } = own;
  const idIn = (record: unknown): string => (record as { readonly id: string }).id;
  expect(await json("house", "show")).toEqual(house.house);
  const added = [
    ["house", await json("house", "add", "Annex"), "annex"],
    ["person", await json("person", "add", "Ada"), "ada"],
    ["agent", await json("agent", "add", "Scout"), "scout"],
    ["room", await json("room", "add", "Den"), "den"],
  ] as const;
  for (const [noun, record, handle] of added) {
    expect(record).toMatchObject({ handle, version: 1 });
    expect(await json(noun, "show", handle)).toEqual(record);
    expect(await json(noun, "list")).toContainEqual(record);
    const edited = await json(noun, "edit", handle, "--description", "Changed");
    expect(edited).toMatchObject({ id: idIn(record), content: { description: "Changed" } });
    expect((await hearth(noun, "show", handle)).out).toMatch(/^description +Changed$/m);
    if (noun === "house") continue;
    expect(await json(noun, "remove", handle)).toEqual({ removed: idIn(record) });
    expect(await json(noun, "list")).not.toContainEqual(expect.objectContaining({ id: idIn(record) }));
  }
});

test("rights are added and removed one by one, and the level stays", async () => {
  const { json, hearth } = own;
  await hearth("grant", "add", "main", "w");
  expect(await json("grant", "add", "main", "audit")).toMatchObject({ level: "w", rights: ["audit"] });
  expect((await hearth("grant", "add", "main", "approve")).out).toMatch(
    /^@main has w .*audit.*approve.* on house home\n$/,
  );
  expect((await hearth("grant", "remove", "main", "audit")).out).toMatch(/^@main has w .*approve on house home\n$/);
  expect(await json("grant", "remove", "main", "approve")).toMatchObject({ level: "w" });
});

test("grants are printed as JSON, and their removal names the place", async () => {
  const { house, json } = own;
  const on = house.house.id;
  expect(await json("grant", "add", "main", "r")).toMatchObject({ on, level: "r" });
  expect(await json("grant", "remove", "main")).toEqual({ removed: { agent: "main", on } });
});

test("hosts are printed as JSON after each change, and a removed one is gone", async () => {
  const { json, hearth } = own;
  expect(await json("egress", "allow", "main", "example.org")).toMatchObject([{ host: "example.org" }]);
  expect(await json("egress", "list", "main")).toMatchObject([{ host: "example.org" }]);
  expect((await hearth("egress", "list", "main")).out).toContain("example.org");
  expect(await json("egress", "deny", "main", "example.org")).toEqual([]);
});
