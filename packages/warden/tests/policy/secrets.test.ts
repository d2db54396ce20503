/** A whole house with a secret: it is removed from every output. */
import { plainRow } from "../../src/fixtures/rows.ts";
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bootInmate } from "@hearth/inmate/bun/boot";
import type { InmateFrame, WardenFrame } from "@hearth/protocol";
import { found, until } from "@hearth/protocol/until";
import { createBunWorld } from "../../src/adapter/bun/world.ts";
import { createInlineBackend } from "../../src/cells/inline.ts";
import { createFakeChannel } from "../../src/channels/fake-channel.ts";
import { splitMarkdown } from "../../src/channels/pieces.ts";
import { createFakePlatform } from "../../src/channels/fake-platform.ts";
import { createFakeNetwork, createFakeTls } from "../../src/cells/egress/network/fake-network.ts";
import { createFakeResolver } from "../../src/cells/egress/network/fake-resolver.ts";
import { createFakeUpstream } from "../../src/cells/egress/network/fake-upstream.ts";
import { createTestDisk, openTestHouse, type TestHouse } from "../../src/fixtures/house.ts";
import { openTalkingHouse } from "../../src/fixtures/talking-house.ts";
import { listsFirst } from "../../src/fixtures/talk.ts";
import type { Script } from "../../src/models/scripted/scripted.ts";
import { tableNames } from "../../src/kernel/store/tables/tables.ts";

const VALUE = "tok_Zx81/canary+value";
const FORMS = [
  ...[VALUE, Buffer.from(VALUE).toString("hex"), encodeURIComponent(VALUE)],
  ...["", "a", "ab"].map((before) => btoa(`${before}${VALUE} and more`)),
];
/** A part of each form that could not occur by chance. */
const pieces = FORMS.map((form) => form.slice(4, 20));
const GITHUB = `ghp_${"aB3".repeat(12)}`;

const keep = async (house: TestHouse): Promise<void> => {
  expect((await house.ask("POST", "/api/houses/home/secrets", { name: "ONE", value: VALUE })).status).toBe(201);
};

/** Everything that the house wrote or sent to a model. */
const traces = async (house: TestHouse): Promise<string> => {
  const rows = await Promise.all(tableNames.map((table) => house.disk.store.select({ table })));
  return JSON.stringify([rows, house.model.requests, house.logLines]);
};

test("a tool that finds a secret gives the model its name, and no stored or shown text contains it", async () => {
  using disk = createTestDisk();
  mkdirSync(join(disk.workspace, "workspace"), { recursive: true });
  writeFileSync(join(disk.workspace, "workspace/found.txt"), `${FORMS.join("\n")}\nand ${GITHUB}\n`);
  let asked = 0;
  const script: Script = ({ messages }) => {
    asked += 1;
    if (asked === 1) return { toolCalls: [{ id: "a", name: "read", input: { path: "workspace/found.txt" } }] };
    return { text: `It says ${JSON.stringify(messages.at(-1))}` };
  };
  await using house = await openTestHouse({ disk, script });
  await keep(house);
  const { id } = await house.post("what is in found.txt?");
  const reply = (await house.until(2))[1];
  expect(reply?.body.text).toContain("[secret ONE]");
  expect(reply?.body.text).toContain("[left out: github]");
  expect(reply?.body.text).toContain("Hearth left out what looks like a secret: github");
  const { json: activations } = await house.ask("GET", "/api/rooms/main/activations");
  const detail = (await house.ask("GET", `/api/activations/${activations[0].id}`)).json;
  expect(detail.parts).toMatchObject([
    { kind: "tool", output: expect.stringContaining("[secret ONE]") },
    { kind: "text" },
  ]);
  const all = (await traces(house)) + JSON.stringify(detail);
  for (const piece of [...pieces, GITHUB]) expect([piece, all.includes(piece)]).toEqual([piece, false]);
  expect(id).toBeString();
});

test("a person's message with a secret is stored unchanged, and the model reads its name", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({ disk, script: [{ text: "ok" }] });
  await keep(house);
  await house.post(`the token is ${VALUE}`);
  await house.until(2);
  const [request] = house.model.requests;
  expect(JSON.stringify(request)).toContain("the token is [secret ONE]");
  expect(JSON.stringify(request)).not.toContain(VALUE);
});

test("a provider that repeats the secret back gets a redacted prompt, and its text is redacted", async () => {
  using disk = createTestDisk();
  const script: Script = () => ({
    error: { code: "provider.refused", message: `Unknown user ${VALUE}`, hint: `Not ${GITHUB}` },
  });
  await using house = await openTestHouse({ disk, script });
  await keep(house);
  await house.post("hi");
  const failed = async () => (await house.ask("GET", "/api/rooms/main/activations")).json[0];
  await until(async () => (await failed())?.state === "failed");
  expect((await failed()).error).toMatchObject({
    code: "provider.refused",
    message: "Unknown user [secret ONE]",
    hint: "Not [left out: github]",
  });
  expect((await traces(house)).includes(VALUE)).toBe(false);
});

test("messages to a channel contain neither a secret nor text that looks like a key, also at the border of two parts", async () => {
  const { clock } = createBunWorld();
  const platform = createFakePlatform({ clock, takesKeys: false });
  const words = Array.from({ length: 100 }, (_, length) => `${"x".repeat(length)}${VALUE}${"y".repeat(100)}`);
  const cut = words.find((word) => !splitMarkdown(word, 100).some((piece) => piece.includes(VALUE)));
  expect(cut).toBeDefined();
  using disk = createTestDisk();
  await using house = await openTestHouse({
    disk,
    config: '[channels.tele]\nkind = "fake"\ntoken = "env:CHANNEL_TOKEN"\n',
    channels: { fake: async () => () => createFakeChannel({ platform, clock, maxLength: 100 }) },
    script: () => ({ text: `${cut} ${GITHUB}` }),
  });
  await keep(house);
  const said = () =>
    platform
      .sent()
      .map(({ text }) => text)
      .join("");
  platform.say("d1", "ana", "tell me");
  await until(() => platform.sent().length === 1);
  const code = /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(said())?.[0];
  expect((await house.ask("POST", "/api/pairings", { code, as: "owner" })).status).toBe(200);
  await until(() => platform.sent().length === 2);
  platform.say("d1", "ana", "write it again");
  await until(() => said().includes("[left out: github]"));
  expect(said()).toMatch(/\[secret ?ONE\]/);
  for (const piece of ["tok_", "canary", "ghp_", "aB3aB3"])
    expect([piece, said().includes(piece)]).toEqual([piece, false]);

  // Planned before the secret was set; the outbox redacts again when it sends.
  const [planned] = await disk.store.select({ table: "outbox", where: { state: "sent" }, limit: 1 });
  if (planned === undefined) throw new Error("something was sent");
  const row = {
    ...planned,
    id: `out_${"0".repeat(26)}`,
    state: "queued",
    attempts: 0,
    body: `late ${VALUE}`,
    ended_at: null,
  };
  await disk.store.commit({
    writes: [{ kind: "insert", table: "outbox", row: plainRow("outbox", { ...row, place: 1 }) }],
  });
  platform.say("d1", "ana", "and again");
  await until(() => said().includes("late "));
  expect(said()).toContain("late [secret ONE]");
  expect(said()).not.toContain("tok_");
});

test("a model's error is redacted before it enters a cell, and when a cell returns it", async () => {
  using disk = createTestDisk();
  const world = createBunWorld();
  const told: WardenFrame[] = [];
  const backend = createInlineBackend({
    boot(cell) {
      const frames = async function* () {
        for await (const frame of cell.link.frames as AsyncIterable<WardenFrame>) {
          told.push(frame);
          yield frame;
        }
      };
      const send = (frame: InmateFrame): void =>
        cell.link.send(
          frame.type === "finish"
            ? { ...frame, outcome: { kind: "failed", error: { code: "tool.failed", message: `I know ${VALUE}` } } }
            : frame,
        );
      return bootInmate({ ...cell, link: { ...cell.link, frames: frames(), send }, clock: world.clock });
    },
  });
  const script = listsFirst({ error: { code: "provider.refused", message: `Unknown user ${VALUE}` } });
  await using house = await openTestHouse({ disk, script, backend });
  await keep(house);
  await house.post("hi");
  await until(() => told.some(({ type }) => type === "model-result"));
  expect(told.find(({ type }) => type === "model-result")).toMatchObject({
    result: { error: { message: "Unknown user [secret ONE]" } },
  });
  // An error that a cell sends instead is redacted too.
  const last = async () => (await house.ask("GET", "/api/rooms/main/activations")).json[0];
  await until(async () => (await last())?.state === "failed");
  expect((await last()).error).toEqual({ code: "tool.failed", message: "I know [secret ONE]" });
});

test("the house's own error messages contain no secret", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({ disk, script: [] });
  await house.ask("POST", "/api/houses/home/secrets", { name: "TWO", value: "tok-without-slash" });
  const { json: agent } = await house.ask("POST", "/api/agents", {
    content: { name: "Ben", kind: "bot", model: "tok-without-slash/large" },
  });
  const { json: room } = await house.ask("POST", `/api/agents/${agent.id}/room`, {});
  await house.ask("POST", `/api/rooms/${room.id}/messages`, { text: "hi" });
  const last = async () => (await house.ask("GET", `/api/rooms/${room.id}/activations`)).json[0];
  await until(async () => (await last())?.state === "failed");
  expect((await last()).error).toMatchObject({
    code: "provider.unknown",
    message: expect.stringContaining('Unknown provider "[secret TWO]"'),
  });
});

test("the relevance check's model reads no secret either", async () => {
  using disk = createTestDisk();
  await using talk = await openTalkingHouse({
    disk,
    bots: [{ name: "Ben", prompt: "Plants.", triggerMode: "ambient", ambient: { model: "fake/small" } }],
    reply: () => ({ text: "NO" }),
  });
  await keep(talk.house);
  await talk.say(`a visitor left ${VALUE} here`);
  await talk.pass(3000);
  expect(talk.house.model.requests[0]?.model).toBe("small");
  expect(JSON.stringify(talk.house.model.requests)).toContain("a visitor left [secret ONE] here");
  expect(JSON.stringify(talk.house.model.requests)).not.toContain(VALUE);
});

test("a secret set while the house runs is redacted from then on, and the daemon's log has none", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({
    disk,
    script: (request) => ({ text: JSON.stringify(request.messages).length.toString() }),
  });
  await keep(house);
  await house.ask("POST", "/api/houses/home/secrets/ONE/rotate", { value: `${VALUE}-second` });
  await house.post(`old ${VALUE}, new ${VALUE}-second`);
  await house.until(2);
  expect(JSON.stringify(house.model.requests)).toContain("old [secret ONE], new [secret ONE]");
  expect(house.logLines.join()).not.toContain(VALUE);
});

test("a granted secret is added to a command's request without entering the cell, and removed from the response", async () => {
  using disk = createTestDisk();
  const upstream = createFakeUpstream(({ head }) => {
    const sent = /authorization: (.*)/i.exec(head)?.[1] ?? "nothing";
    const body = `you sent ${sent}, which is ${btoa(sent)}`;
    return `HTTP/1.1 200 OK\r\nX-Echo: ${sent}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  });
  const url = "http://allowed.example/a";
  const command = `${process.execPath} -e 'const answer = await fetch("${url}", { headers: { authorization: "Bearer own" } }); console.log(answer.headers.get("x-echo"), await answer.text()); console.log(JSON.stringify(process.env))'`;
  const call = { toolCalls: [{ id: "a", name: "shell", input: { command } }] };
  await using house = await openTestHouse({
    ...{ disk, script: [call, { text: "one" }, call, { text: "two" }] },
    config: 'tools = ["shell"]\n',
    egress: {
      network: createFakeNetwork((far) => void upstream.serve(far)),
      resolver: createFakeResolver({ "allowed.example": [["93.184.216.34"]] }),
      tls: createFakeTls(),
    },
  });
  await keep(house);
  const { json: agent } = await house.ask("PATCH", "/api/agents/main", {
    content: { egress: [{ host: "allowed.example" }] },
  });
  const grants = "/api/houses/home/secrets/ONE/grants";
  const terms = { agent: agent.id, host: "allowed.example", as: "bearer" };
  // Only with TLS: plain HTTP gets no secret.
  await house.ask("POST", grants, terms);
  await house.post("go");
  await house.until(2);
  expect(upstream.requests.at(-1)?.head).toMatch(/authorization: Bearer own/i);

  expect((await house.ask("POST", grants, { ...terms, plain: true })).status).toBe(201);
  // The response is still in the session: without isolation the command has to be the owner's.
  await house.post(command);
  await house.until(4);
  expect(upstream.requests.at(-1)?.head).toContain(`Authorization: Bearer ${VALUE}`);
  expect(upstream.requests.at(-1)?.head).not.toMatch(/Bearer own/);
  const result = JSON.stringify(house.model.requests.at(-1)?.messages.at(-1));
  expect(result).toContain("Bearer [secret ONE] you sent Bearer [secret ONE], which is ");
  const all = await traces(house);
  for (const piece of pieces) expect([piece, all.includes(piece)]).toEqual([piece, false]);
  const { json: activations } = await house.ask("GET", "/api/agents/main/activations");
  const { json: ledger } = await house.ask("GET", `/api/activations/${activations[0].id}/egress`);
  expect(ledger).toMatchObject([{ host: "allowed.example", secrets: ["ONE"] }]);
});

test("a pending call is shown without its secrets everywhere, and runs with its original arguments", async () => {
  using disk = createTestDisk();
  const content = `${FORMS[0]} and "${FORMS[0]}"`;
  const script: Script = ({ messages }) =>
    messages.at(-1)?.role === "tool"
      ? { text: "done" }
      : { toolCalls: [{ id: "a", name: "write", input: { path: "workspace/a.txt", content } }] };
  await using house = await openTestHouse({ disk, script, config: 'tools = ["write"]\nmode = "ask"\n' });
  await keep(house);
  await house.post("write it");
  const asked = await found<ReturnType<typeof JSON.parse>>(
    async () => (await house.ask("GET", "/api/approvals?state=pending")).json[0],
  );
  expect(JSON.parse(asked.what.input)).toEqual({
    content: '[secret ONE] and "[secret ONE]"',
    path: "workspace/a.txt",
  });
  const activation = asked.activation;
  const decided = await house.ask("POST", `/api/approvals/${asked.id}`, { decision: "allow", scope: "rule" });
  expect(decided.status).toBe(200);
  await until(async () => (await house.ask("GET", `/api/activations/${activation}`)).json.state === "replied");
  expect(await Bun.file(join(disk.workspace, "workspace/a.txt")).text()).toBe(content);
  const seen = JSON.stringify([
    asked,
    decided.json,
    (await house.ask("GET", `/api/approvals/${asked.id}`)).json,
    (await house.ask("GET", "/api/approval-rules")).json,
    (await house.ask("GET", `/api/activations/${activation}`)).json,
    await house.deltas(activation),
    await house.messages(),
  ]);
  expect(seen).toContain("[secret ONE]");
  for (const piece of pieces) expect(seen).not.toContain(piece);
});
