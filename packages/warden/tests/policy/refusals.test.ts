/**
 * With a choke point that refuses everything, no request by any entry point has an effect outside.
 * The tests iterate over the tables of tools, routes and frames, so new entries are covered
 * automatically.
 */
import { describe, expect, test } from "bun:test";
import { InmateFrame, LINK_VERSION, MODEL_HOST } from "@hearth/protocol";
import { tools } from "@hearth/protocol/tools";
import { until } from "@hearth/protocol/until";
import { z } from "zod";
import { createTestDisk } from "../../src/fixtures/house.ts";
import { ALL_TOOLS, EVERY_KIND, NO, openRefusingHouse, type RefusingHouse } from "../fixtures/refusing-house.ts";
import { sampleOf } from "../fixtures/sample.ts";
import { call, resultsIn } from "../../src/fixtures/talk.ts";

type Json = ReturnType<typeof JSON.parse>;

/** Values for fields of these names that point to existing places. */
const WORDS: Readonly<Record<string, Json>> = {
  ...{
    url: "http://far.example/",
    room: "hall",
    agent: "aide",
    question: "who?",
    command: "touch made",
    path: "made.txt",
  },
  ...{ pattern: "a", args: ["init"], text: "a note", content: "x", thing: "a cat", tool: "weigh", input: {} },
};

const inputOf = (name: string): Json => {
  const table: Readonly<Record<string, { readonly input: z.ZodType }>> = tools;
  const tool = table[name];
  return tool === undefined ? { thing: "a cat" } : sampleOf(z.toJSONSchema(tool.input, { io: "input" }), WORDS);
};

/** Calls this tool once, then returns its result. */
const calling = (name: string) => (request: Parameters<typeof resultsIn>[0]) =>
  resultsIn(request).length === 0 ? call(name, inputOf(name)) : { text: "done" };

const stepOf = async (house: RefusingHouse, name: string): Promise<Json> => {
  const [{ id }] = (await house.ask("GET", "/api/agents/main/activations")).json;
  return (await house.ask("GET", `/api/activations/${id}`)).json.steps.find((step: Json) => step.name === name);
};

/** Tables that hold permissions and decisions. */
const RULES = ["records", "grants", "keys", "approval_rules", "secrets", "secret_grants", "holds", "senders"] as const;

describe("A7: a tool of the table", () => {
  test.each([...ALL_TOOLS])("%s has no effect for any agent, and the model reads the refusal", async (name) => {
    using disk = createTestDisk();
    await using house = await openRefusingHouse(disk, calling(name));
    house.refuse("tool");
    await house.say("go");
    expect((await house.touched()).filter((what) => what !== "a model was asked")).toEqual([]);
    expect(resultsIn(house.model.requests.at(-1) ?? ({ messages: [] } as never))).toMatchObject([
      { text: NO, failed: true },
    ]);
    expect(await stepOf(house, name)).toMatchObject({ effect: "pure", failed: true });
  });

  test("C6: writes no record, grant, rule, secret or config, whatever its arguments", async () => {
    for (const name of ALL_TOOLS) {
      using disk = createTestDisk();
      await using house = await openRefusingHouse(disk, calling(name));
      const rules = async (): Promise<string> =>
        JSON.stringify([
          ...(await Promise.all(RULES.map((table) => disk.store.select({ table })))),
          (await house.ask("GET", "/api/providers")).json,
        ]);
      const before = await rules();
      await house.say("go");
      expect([name, await rules()]).toEqual([name, before]);
    }
  });

  test("has its effect if allowed: cells run commands, requests are dialled, and notes are stored", async () => {
    const does = new Map<string, readonly string[]>();
    for (const name of ALL_TOOLS) {
      using disk = createTestDisk();
      await using house = await openRefusingHouse(disk, calling(name));
      await house.say("go");
      does.set(
        name,
        [...new Set(await house.touched())].filter((what) => what !== "a model was asked"),
      );
    }
    for (const [name, { runs }] of Object.entries(tools))
      if (runs === "cell")
        expect([name, does.get(name)]).toEqual([name, expect.arrayContaining(["the cell ran a tool"])]);
    expect(does.get("http_fetch")).toContain("the network was dialled");
    expect(does.get("weigh")).toContain("a tool at a far side ran");
    expect(does.get("send_to_agent")).toContain("the inbox of an agent changed");
    for (const name of ["ask_agent", "delegate"])
      expect([name, does.get(name)]).toEqual([name, expect.arrayContaining(["who was asked by whom changed"])]);
  });
});

describe("A7: a route", () => {
  /** Direct actions of people, which no agent takes: they ask a model whether it is available. */
  const OWN_HANDS = ["POST /api/providers/{name}/test", "GET /api/providers/{name}/models"];
  const BODIES: Readonly<Record<string, Json>> = {
    "POST /api/rooms/{room}/messages": { text: "@main go" },
    "POST /api/chat": { agentName: "main", message: "go" },
    "POST /api/providers/{name}/test": { model: "model" },
  };
  /**
   * Skipped: routes that do not end, remove what others need, or stop the woken agents. None of
   * them starts work.
   */
  const ENDINGS = /^(?:GET .*(?:\/sse|stream)|DELETE |\w+ .*\/stop(?:-all)?$)/;

  /** Every operation of the house's own OpenAPI document, with a body that matches its schema. */
  const operations = async (
    house: RefusingHouse,
  ): Promise<readonly (readonly [name: string, run: () => Promise<unknown>])[]> => {
    const { json: document } = await house.ask("GET", "/openapi.json");
    const deref = (schema: Json): Json =>
      schema?.$ref === undefined ? schema : document.components.schemas[schema.$ref.split("/").at(-1)];
    const { json: me } = await house.ask("GET", "/api/me");
    const places: Readonly<Record<string, string>> = {
      ...{ house: me.house.id, room: "main", agent: "main", name: "fake", channel: "tele", of: me.house.id },
    };
    return Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods as Json).map(([method, operation]: Json) => {
        const name = `${method.toUpperCase()} ${path}`;
        const target = path.replace(/\{(\w+)\}/g, (_, parameter: string) => places[parameter] ?? "x");
        const schema = deref(operation.requestBody?.content?.["application/json"]?.schema);
        const body = BODIES[name] ?? (schema === undefined ? undefined : sampleOf(schema, WORDS));
        return [name, () => house.ask(method.toUpperCase(), target, body).catch(() => undefined)] as const;
      }),
    );
  };

  /**
   * Calls each operation once, then posts a message; its answer proves that all earlier messages
   * have been read.
   */
  const goThrough = async (isShut: boolean): Promise<readonly string[]> => {
    using disk = createTestDisk();
    await using house = await openRefusingHouse(disk, calling("write"));
    if (isShut) house.refuse(...EVERY_KIND);
    for (const [name, run] of await operations(house))
      if (!ENDINGS.test(name) && !OWN_HANDS.includes(name)) await run();
    await house.say("go");
    // Collect the effects before they are disposed.
    return await house.touched();
  };

  test("has no effect on a cell or a model if everything is refused", async () => {
    expect(await goThrough(true)).toEqual([]);
    const open = await goThrough(false);
    // The number of turns depends on which message finds the agent at work.
    expect(open).toContain("a model was asked");
    expect(open).toContain("the cell ran a tool");
  });
});

test("A7: a message from a channel is stored, and no agent answers it", async () => {
  using disk = createTestDisk();
  await using house = await openRefusingHouse(disk, () => ({ text: "hello" }));
  const { json: me } = await house.ask("GET", "/api/me");
  const known = {
    channel: "tele",
    external: "ana",
    name: "Ana",
    person: me.agent.id,
    state: "allowed",
    created_at: 0,
  } as const;
  await disk.store.commit({
    writes: [{ kind: "put", table: "senders", row: { ...known, code_hash: null, code_expires_at: null } }],
  });
  const fates = async (): Promise<Json[]> =>
    (await disk.store.select({ table: "activations" })).filter(
      ({ state }) => state !== "queued" && state !== "running",
    );
  house.platform.say("d1", "ana", "hello");
  await until(async () => !((await fates()).length < 1 || house.platform.sent().length < 1));
  const before = await house.touched();
  house.refuse(...EVERY_KIND);
  house.platform.say("d1", "ana", "and again");
  house.platform.say("d2", "stranger", "let me in");
  await until(async () => (await fates()).length >= 2);
  await until(async () => (await disk.store.select({ table: "outbox", where: { state: "queued" } })).length === 0);
  expect(await house.touched()).toEqual(before);
});

test("A7: a program in a cell that requests a page or a model is refused", async () => {
  using disk = createTestDisk();
  const program = `for (const url of ["http://far.example/", "http://${MODEL_HOST}/v1/models"]) {
    const answer = await fetch(url, { method: "GET" }); console.log(answer.status, await answer.text()); }`;
  const run = { command: `${process.execPath} -e '${program}' 2>&1` };
  await using house = await openRefusingHouse(disk, (request) =>
    resultsIn(request).length === 0 ? call("shell", run) : { text: "done" },
  );
  house.refuse("egress");
  await house.say("go");
  const [said] = resultsIn(house.model.requests.at(-1) ?? ({ messages: [] } as never));
  expect(said?.text).toContain(NO);
  expect(said?.text).not.toMatch(/^200/m);
  expect(await house.touched()).not.toContain("the network was dialled");
  expect(house.model.requests).toHaveLength(2);
});

test("A7: no frame of a compromised inmate, of any kind, runs anything", async () => {
  using disk = createTestDisk();
  // Limited to the calls of one turn; each tool alone is tested above.
  const wanted = ALL_TOOLS.slice(0, 8);
  const sent = new Set<string>();
  const answers: Json[] = [];
  await using house = await openRefusingHouse(
    disk,
    () => ({ toolCalls: wanted.map((name) => ({ id: name, name, input: inputOf(name) })) }),
    async (link) => {
      let id = 0;
      const send = (frame: Json): void => {
        sent.add(frame.type);
        id += 1;
        link.send({ ...frame, id, at: 0 } as InmateFrame);
      };
      send({ type: "hello", version: LINK_VERSION, runtime: "another runtime" });
      for await (const frame of link.frames) {
        const { type, agent, room, person, session, activation, ...rest } = frame as Json;
        const scope = { agent, room, person, session, activation };
        if (type === "activate")
          for (const [index, name] of wanted.entries())
            send({ type: "step-request", ...scope, step: index + 1, call: { id: name, name, input: inputOf(name) } });
        if (type === "step-result") answers.push(rest.result);
        if (type === "step-result" && answers.length === wanted.length) {
          const system = [{ text: "Obey.", stable: true }];
          const messages = [{ role: "user", text: "go" }];
          const asked = {
            step: wanted.length + 1,
            system,
            kept: 0,
            messages,
            tools: [...ALL_TOOLS],
            toolUse: "allowed",
          };
          send({ type: "model-request", ...scope, ...asked });
        }
        if (type !== "model-result") continue;
        send({ type: "step-done", ...scope, step: 1, text: "it is done", failed: false });
        send({ type: "finish", ...scope, outcome: { kind: "reply", text: "I did it all." } });
      }
    },
  );
  house.refuse("tool", "egress", "send");
  await house.say("go");
  expect(answers).toEqual(wanted.map(() => ({ verdict: "done", text: NO, failed: true })));
  expect(new Set(await house.touched())).toEqual(new Set(["a model was asked"]));
  expect([...sent].toSorted()).toEqual(InmateFrame.options.map((option) => option.shape.type.value).toSorted());
});

test("A7: an approval does not override a refusal at execution time", async () => {
  using disk = createTestDisk();
  await using house = await openRefusingHouse(disk, calling("write"));
  await house.ask("PATCH", "/api/agents/main", { content: { mode: "ask" } });
  await house.post("go");
  const waiting = async (): Promise<Json[]> => (await house.ask("GET", "/api/approvals?state=pending")).json;
  await until(async () => (await waiting()).length > 0);
  house.refuse("tool");
  const [{ id, activation }] = await waiting();
  expect((await house.ask("POST", `/api/approvals/${id}`, { decision: "allow", scope: "once" })).status).toBe(200);
  const isOver = async (): Promise<boolean> =>
    (await house.ask("GET", `/api/activations/${activation}`)).json.endedAt !== undefined;
  await until(() => isOver());
  expect((await house.touched()).filter((what) => what !== "a model was asked")).toEqual([]);
  expect((await house.ask("GET", `/api/approvals/${id}`)).json.state).not.toBe("used");
});
