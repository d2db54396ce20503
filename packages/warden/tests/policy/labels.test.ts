/**
 * Taint in a whole house: the labels of everything that a turn reads follow its effects, across
 * turns, agents, files and restarts, until a new session.
 */
import { expect, test } from "bun:test";
import type { Label, ModelRequest } from "@hearth/protocol";
import { found } from "@hearth/protocol/until";
import { createFakeNetwork, createFakeTls } from "../../src/cells/egress/network/fake-network.ts";
import { createFakeResolver } from "../../src/cells/egress/network/fake-resolver.ts";
import { createFakeUpstream } from "../../src/cells/egress/network/fake-upstream.ts";
import { createTestDisk, openTestHouse, type TestDisk, type TestHouse } from "../../src/fixtures/house.ts";
import {
  activationsOf,
  addBot,
  call,
  inboxOf,
  lastIn,
  play,
  readIn,
  resultsIn,
  sayTo,
  waitForEnd,
} from "../../src/fixtures/talk.ts";
import type { Effect, Stage } from "../../src/policy/effect.ts";
import type { Script } from "../../src/models/scripted/scripted.ts";

const PAGE = "http://stranger.example/page";
const PUBLIC = "93.184.216.34";
const TOOLS = ["time", "list", "read", "write", "http_fetch", "send_to_agent", "ask_agent", "delegate"];

interface Judged {
  readonly agent: string;
  readonly name: string;
  readonly label: Label;
  /** The owner's texts in its taint. */
  readonly owners: readonly string[];
}

/** A house whose agents may read one page. Records the taint of each call when it is judged. */
const open = async (
  disk: TestDisk,
  script: Script,
  verdictOn: (name: string) => "allowed" | "waiting" = () => "allowed",
) => {
  const upstream = createFakeUpstream(() => "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nfrom afar\r\n");
  const judged: Judged[] = [];
  const labels: Stage = (effect) => {
    if (effect.kind !== "tool") return { verdict: "allowed" };
    judged.push(judgedOf(effect));
    const verdict = verdictOn(effect.call.name);
    return verdict === "allowed" ? { verdict } : { verdict, text: "An approval is requested." };
  };
  const house = await openTestHouse({
    ...{ disk, script, stages: { labels } },
    config: `tools = ${JSON.stringify(TOOLS)}\n`,
    egress: {
      network: createFakeNetwork((far) => void upstream.serve(far)),
      resolver: createFakeResolver({ "stranger.example": [[PUBLIC]] }),
      tls: createFakeTls(),
    },
  });
  await house.ask("PATCH", "/api/agents/main", { content: { egress: [{ host: "stranger.example" }] } });
  return { house, judged };
};

const judgedOf = ({ agent, call: { name }, taint }: Extract<Effect, { kind: "tool" }>): Judged => ({
  ...{ agent: agent.handle, name, label: taint.label },
  owners: taint.values.filter(({ label }) => label.integrity === "owner").map(({ text }) => text),
});

const labelsIn = async (house: TestHouse): Promise<(Label | undefined)[]> =>
  (await house.messages()).map(({ label }) => label);

const fetchPage = call("http_fetch", { url: PAGE });
/** One tool call for each message, as named by the message. */
const obey = (request: ModelRequest) => {
  const results = resultsIn(request).length;
  const said = lastIn(request);
  const [, tool] = /do (\w+)/.exec(said) ?? [];
  if (results > 0 || tool === undefined) return { text: `done: ${said}` };
  return (
    { page: fetchPage, write: call("write", { path: "a.md", content: "copied" }) }[tool] ?? call(tool, READS[tool])
  );
};
const READS: Readonly<Record<string, object>> = { read: { path: "a.md" }, list: {}, time: {} };

test("a page taints the rest of its turn and the reply, and turns that read the reply are tainted until a new session", async () => {
  using disk = createTestDisk();
  const { house, judged } = await open(disk, (request) => obey(request));
  await using _ = house;
  for (const [index, text] of ["do time", "do page", "do time", "/new", "do time"].entries()) {
    await house.post(text);
    // The message that starts a session is not answered.
    await house.until(index < 3 ? 2 * index + 2 : index === 3 ? 7 : 9);
  }
  expect(judged.map(({ name, label }) => [name, label.integrity])).toEqual([
    ...[
      ["time", "owner"],
      ["http_fetch", "trusted"],
      ["time", "untrusted"],
      ["time", "owner"],
    ],
  ] as never);
  const [, first, , read, , tainted, , , last] = await labelsIn(house);
  const page = { integrity: "untrusted", readers: "anyone", sources: [PAGE] };
  expect([first, read, tainted, last]).toEqual([undefined, page, page, undefined] as never);
  const rows = await disk.store.select({ table: "events", where: { stream: `room:${(await house.room()).id}` } });
  expect(rows.filter(({ labels }) => labels !== null)).toHaveLength(2);
  // The model does not see anything from before the new session.
  expect(JSON.stringify(house.model.requests.at(-1)?.messages)).not.toContain("from afar");
  expect(judged.at(-1)?.owners).not.toContain("do page");
  expect(judged.at(-1)?.owners).toContain("do time");
});

test("a tool's own output neither taints a turn nor counts as the owner's text", async () => {
  using disk = createTestDisk();
  const { house, judged } = await open(disk, [call("time", {}, "1"), call("list", {}, "2"), { text: "done" }]);
  await using _ = house;
  await house.post("go");
  await house.until(2);
  expect(judged.map(({ label }) => label.integrity)).toEqual(["owner", "trusted"]);
  expect(judged[1]?.owners.filter((text) => text.includes("UTC"))).toEqual([]);
});

test("C3: a file written by a tainted turn taints its readers in another session", async () => {
  using disk = createTestDisk();
  const writing = [fetchPage, call("write", { path: "a.md", content: "copied" }), { text: "kept" }];
  const { house, judged } = await open(disk, (request) => {
    if (lastIn(request) === "keep the page") return writing[resultsIn(request).length] ?? { text: "too far" };
    const reading = [call("read", { path: "a.md" }), call("time", {}), { text: "read" }];
    return reading[resultsIn(request).length] ?? { text: "too far" };
  });
  await using _ = house;
  await house.post("keep the page");
  await house.until(2);
  await house.post("/new");
  await house.post("what did you keep?");
  await house.until(5);
  expect(judged.slice(2).map(({ name, label }) => [name, label.integrity, label.sources])).toEqual([
    ["read", "owner", []],
    ["time", "untrusted", [PAGE]],
  ]);
  expect(await disk.store.select({ table: "files" })).toMatchObject([{ path: "a.md" }]);
});

test("C3: notes and answers between agents carry the labels of everything that their author read", async () => {
  using disk = createTestDisk();
  const leavesNote = [fetchPage, call("send_to_agent", { agent: "@scout", text: "copied" }), { text: "told" }];
  const asks = [
    call("ask_agent", { agent: "@scout", question: "what is on the page?" }),
    call("time", {}),
    { text: "asked" },
  ];
  const { house, judged } = await open(
    disk,
    play({
      Main: (request) =>
        (lastIn(request) === "inform scout" ? leavesNote : asks)[resultsIn(request).length] ?? { text: "too far" },
      Scout: (request) => {
        if (resultsIn(request).length > 0) return { text: "what I found" };
        return lastIn(request) === "what is on the page?" ? fetchPage : call("time", {});
      },
    }),
  );
  await using _ = house;
  const scout = await addBot(house, "Scout", { tools: ["time", "http_fetch"], egress: [{ host: "stranger.example" }] });
  await house.post("inform scout");
  await house.until(2);
  await sayTo(house, scout, "and you?");
  await waitForEnd(house, "scout", 1);
  await house.post("/new");
  await house.post("ask scout");
  await house.until(5);
  expect(judged.slice(2).map(({ agent, name, label }) => [agent, name, label.integrity])).toEqual([
    ["scout", "time", "untrusted"],
    ["main", "ask_agent", "owner"],
    ["scout", "http_fetch", "trusted"],
    ["main", "time", "untrusted"],
  ]);
});

test("after a restart a turn has the same taint as before", async () => {
  using disk = createTestDisk();
  const script = (request: ModelRequest) =>
    [fetchPage, call("time", {}), { text: "done" }][resultsIn(request).length] ?? { text: "too far" };
  const first = await open(disk, script, (name) => (name === "time" ? "waiting" : "allowed"));
  await first.house.post("go");
  const waiting = await found<string>(async () => {
    const { json } = await first.house.ask("GET", "/api/agents/main/activations");
    return json.find(({ state }: { state: string }) => state === "waiting")?.id;
  });
  await first.house[Symbol.asyncDispose]();
  const second = await open(disk, script);
  await using house = second.house;
  expect(await house.resume(waiting as never)).toBe(true);
  await house.until(2);
  expect(second.judged.map(({ name, label }) => [name, label.integrity, label.sources])).toEqual([
    ["time", "untrusted", [PAGE]],
  ]);
});

test("C1: text between agents is unchanged, taints its readers, and its links are removed where people read it or when it is passed on", async () => {
  using disk = createTestDisk();
  const LINK = "https://evil.example/x?q=1";
  const SAID = `See [this](${LINK}).`;
  const LIVE = /https?:\/\/evil/;
  const told: string[] = [];
  const note = (request: ModelRequest): string => {
    const [first = ""] = readIn(request).flatMap(({ text }) => (text.includes("See [this]") ? [text] : []));
    told.push(first);
    return first;
  };
  const tainted = (...calls: readonly ReturnType<typeof call>[]) => [fetchPage, ...calls];
  const lines: Readonly<Record<string, readonly ReturnType<typeof call>[]>> = {
    tell: tainted(call("send_to_agent", { agent: "@scout", text: SAID })),
    ask: tainted(call("ask_agent", { agent: "@scout", question: SAID })),
    delegate: tainted(call("delegate", { task: SAID })),
  };
  const { house, judged } = await open(
    disk,
    play({
      Main(request) {
        const said = lastIn(request);
        if (said === SAID) return { text: `It says: ${note(request)}` };
        const results = resultsIn(request);
        return lines[said]?.[results.length] ?? { text: `It came back: ${results.at(-1)?.text}` };
      },
      Scout: (request) => (resultsIn(request).length === 0 ? call("time", {}) : { text: `It says: ${note(request)}` }),
    }),
  );
  await using _ = house;
  const scout = await addBot(house, "Scout", { tools: ["time"] });
  await house.post("tell");
  await house.until(2);
  await sayTo(house, scout, "and you?");
  await waitForEnd(house, "scout", 1);
  const { room } = (await activationsOf(house, "scout"))[0];
  const own = (await house.ask("GET", `/api/rooms/${room}/events`)).json.events.at(-1);
  expect(own).toMatchObject({ body: { text: expect.stringContaining("hxxps://evil[.]example/x") } });
  expect(own.label).toMatchObject({ integrity: "untrusted", sources: [PAGE] });
  for (const [said, count] of [
    ["ask", 5],
    ["delegate", 8],
  ] as const) {
    await house.post("/new");
    await house.post(said);
    await house.until(count);
  }
  // All three texts arrived unchanged, in turns that they tainted.
  expect(told).toEqual([SAID, SAID, SAID]);
  const turns = judged.filter(({ agent }) => agent === "scout").map(({ label }) => label);
  expect(turns).toMatchObject([{ integrity: "untrusted" }, { integrity: "untrusted" }]);
  expect(turns.map(({ sources }) => sources.includes(PAGE))).toEqual([true, true]);
  // Results returned to the asking agent are unchanged too; messages to people are not.
  const back = house.model.requests.flatMap((request) => resultsIn(request).map(({ text }) => text));
  expect(back.filter((text) => text.includes(`It says: ${SAID}`))).toHaveLength(2);
  const replies = (await house.messages()).flatMap(({ body, label }) => (label === undefined ? [] : [body.text]));
  expect(replies.filter((text) => text.includes("hxxps://evil[.]example"))).toHaveLength(2);
  expect(replies.join("\n")).not.toMatch(LIVE);
  const rows = await disk.store.select({ table: "inbox" });
  expect(rows.map(({ text }) => text.includes(SAID))).toEqual(rows.map(() => true));
  expect(rows.every(({ labels }) => labels?.includes(PAGE))).toBe(true);
  const shown = [...(await inboxOf(house, "scout")), ...(await inboxOf(house, "main"))];
  expect(shown).toHaveLength(5);
  expect(JSON.stringify(shown)).not.toMatch(LIVE);
  const logs = await disk.store.select({ table: "events", where: { type: "inbox-changed" } });
  expect(logs.length).toBeGreaterThan(5);
  expect(logs.map(({ body }) => body).join("\n")).not.toMatch(LIVE);
});
