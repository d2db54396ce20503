/**
 * The model door in a whole house: programs in a cell use the agent's model through the vendors'
 * own clients.
 */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MODEL_HOST, type ModelRequest, type Usage } from "@hearth/protocol";
import { createFakeNetwork, createFakeTls } from "../../src/cells/egress/network/fake-network.ts";
import { createFakeResolver } from "../../src/cells/egress/network/fake-resolver.ts";
import { createTestDisk, openTestHouse, type TestDisk, type TestHouse } from "../../src/fixtures/house.ts";
import type { ScriptedReply } from "../../src/models/scripted/scripted.ts";

const USAGE: Usage = { inputTokens: 7, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0 };
const pathOf = (module: string): string => JSON.stringify(fileURLToPath(import.meta.resolve(module)));

/** Programs without any configuration: neither an address nor a key. */
const PROGRAMS = {
  anthropic: `import Anthropic from ${pathOf("@anthropic-ai/sdk")};
    const stream = new Anthropic().messages.stream({ model: "any", max_tokens: 50, messages: [{ role: "user", content: "from a program" }] });
    stream.on("text", (piece) => console.log("piece", piece));
    console.log("in all", await stream.finalText());`,
  openai: `import OpenAI from ${pathOf("openai")};
    const answer = await new OpenAI().chat.completions.create({ model: "any", messages: [{ role: "user", content: "from a program" }] });
    console.log("in all", answer.choices[0].message.content);`,
} as const;

const lastOf = ({ messages }: ModelRequest) => messages.at(-1);
const isProgram = (request: ModelRequest): boolean => {
  const last = lastOf(request);
  return last?.role === "user" && last.text === "from a program";
};

/** The agent runs a program, and its model answers both. */
const open = async (
  disk: TestDisk,
  program: string,
  reply: () => ScriptedReply | Promise<ScriptedReply>,
  sections = "",
) => {
  const path = join(disk.workspace, "program.mjs");
  writeFileSync(path, program);
  return openTestHouse({
    ...{ disk, sections, config: 'tools = ["shell"]\n' },
    script: (request) => {
      if (isProgram(request)) return reply();
      if (lastOf(request)?.role === "tool") return { text: "done" };
      return { toolCalls: [{ id: "call-1", name: "shell", input: { command: `${process.execPath} ${path} 2>&1` } }] };
    },
    egress: {
      network: createFakeNetwork(() => {
        throw new Error("no host is dialled");
      }),
      ...{ resolver: createFakeResolver({}), tls: createFakeTls() },
    },
  });
};
const grant = (house: TestHouse) =>
  house.ask("PATCH", "/api/agents/main", { content: { egress: [{ host: MODEL_HOST }] } });
const saidTo = (house: TestHouse): string => JSON.stringify(house.model.requests.at(-1)?.messages.at(-1));
const ledger = async (house: TestHouse) => {
  const [{ id }] = (await house.ask("GET", "/api/agents/main/activations")).json;
  return (await house.ask("GET", `/api/activations/${id}/egress`)).json;
};

for (const [name, program] of Object.entries(PROGRAMS))
  test(`a program with the client of ${name} finds the agent's model without configuration, and the turn's ledger has its usage`, async () => {
    using disk = createTestDisk();
    await using house = await open(disk, program, () => ({ text: "Hello, program.", usage: USAGE }));
    expect((await grant(house)).status).toBe(200);
    await house.post("go");
    await house.until(2);
    expect(saidTo(house)).toContain("in all Hello, program.");
    if (name === "anthropic") expect(saidTo(house)).toContain("piece Hello, \\npiece program.");
    expect(house.model.requests.filter(isProgram)).toMatchObject([{ model: "model", messages: [{ role: "user" }] }]);
    expect(await ledger(house)).toMatchObject([
      { host: MODEL_HOST, port: 80, method: "POST", outcome: "allowed", status: 200, usage: USAGE, secrets: [] },
    ]);
    // The program's usage is part of the turn's.
    const [{ id, usage }] = (await house.ask("GET", "/api/agents/main/activations")).json;
    expect(usage.inputTokens).toBeGreaterThan(USAGE.inputTokens);
    expect((await house.ask("GET", `/api/activations/${id}`)).json.programs).toMatchObject(USAGE);
  });

test("missing usage of a program's model is not counted as zero, also for a free model", async () => {
  using disk = createTestDisk();
  const program = `await (await fetch("http://${MODEL_HOST}/v1/messages", { method: "POST", body: JSON.stringify({
      model: "any", max_tokens: 50, messages: [{ role: "user", content: "from a program" }] }) })).text();`;
  const sections = '[prices."fake/"]\ninput = 0\noutput = 0\n';
  await using house = await open(disk, program, () => ({ text: "Hello." }), sections);
  await grant(house);
  await house.post("go");
  await house.until(2);
  const [{ id }] = (await house.ask("GET", "/api/agents/main/activations")).json;
  expect((await house.ask("GET", `/api/activations/${id}`)).json.programs).toMatchObject({
    ...{ estimated: true, inputTokens: expect.any(Number), outputTokens: Math.ceil("Hello.".length / 3) },
  });
});

test("a program that is still streaming when the turn ends is charged for the part that it received", async () => {
  using disk = createTestDisk();
  const program = `import { spawn } from "node:child_process";
    if (process.argv[2] === undefined) {
      spawn(process.execPath, [process.argv[1], "on"], { detached: true, stdio: ["ignore", "pipe", "ignore"] }).stdout.once("data", () => process.exit());
    } else {
      const answer = await fetch("http://${MODEL_HOST}/v1/messages", { method: "POST", body: JSON.stringify({
        model: "any", max_tokens: 50, stream: true, messages: [{ role: "user", content: "from a program" }] }) });
      for await (const piece of answer.body) console.log("heard");
    }`;
  await using house = await open(disk, program, () => ({ hang: true, text: "one two three" }));
  await grant(house);
  await house.post("go");
  await house.until(2);
  const [{ id, usage }] = (await house.ask("GET", "/api/agents/main/activations")).json;
  expect(usage).toMatchObject({ estimated: true });
  expect((await house.ask("GET", `/api/activations/${id}`)).json.programs).toMatchObject({ estimated: true });
});

test("without a grant programs find no model, and a request to it gets instructions for a person", async () => {
  using disk = createTestDisk();
  const program = `console.log(Object.keys(process.env).filter((name) => /ANTHROPIC|OPENAI/.test(name)).length, "variables");
    const answer = await fetch("http://${MODEL_HOST}/v1/models");
    console.log(answer.status, await answer.text());`;
  await using house = await open(disk, program, () => ({ text: "never" }));
  await house.post("go");
  await house.until(2);
  expect(saidTo(house)).toContain("0 variables");
  expect(saidTo(house)).toContain("403 Hearth: This agent has no grant for the network.");
  expect(saidTo(house)).toContain(`hearth egress allow main ${MODEL_HOST}`);
  expect(await ledger(house)).toMatchObject([{ host: MODEL_HOST, outcome: "refused" }]);
});

test("STOP ends a program's model request", async () => {
  using disk = createTestDisk();
  const asked = Promise.withResolvers<void>();
  await using house = await open(disk, PROGRAMS.anthropic, () => {
    asked.resolve();
    return { hang: true, text: "I think " };
  });
  await grant(house);
  await house.post("go");
  await asked.promise;
  expect((await house.ask("POST", "/api/agents/main/stop", {})).status).toBe(200);
  // The ledger gets the status when the call has ended.
  while ((await ledger(house))[0].status === undefined) await Promise.resolve();
  const [{ state }] = (await house.ask("GET", "/api/agents/main/activations")).json;
  expect(state).toBe("stopped");
});
