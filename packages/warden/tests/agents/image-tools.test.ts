/** The tools `image_generate` and `image_edit`, with a picture server on this machine. */
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { MAX_ATTACHMENTS } from "@hearth/protocol";
import { until } from "@hearth/protocol/until";
import { createBunBrainDisk } from "../../src/adapter/bun/brain-disk.ts";
import { declareExternal } from "../../src/agents/tools/external-tools.ts";
import { createTestDisk, openTestHouse, type TestDisk, type TestHouse } from "../../src/fixtures/house.ts";
import { createPictureServer, type PictureServer } from "../../src/fixtures/picture-server.ts";
import { activationsOf, call, lastIn, play, resultsIn } from "../../src/fixtures/talk.ts";
import { callHouse } from "../../src/fixtures/uploads-of-house.ts";
import { drawPng } from "../../src/models/pictures/memory-pictures.ts";
import { withComment } from "../../src/models/pictures/picture-provider.conformance.ts";

type Json = ReturnType<typeof JSON.parse>;

const GREEN = drawPng(4, 4, [0, 255, 0]);

const far = declareExternal({
  ...{ name: "far", description: "x", schema: { type: "object", properties: {} }, effect: "pure", sinks: [] },
  traits: { readsUntrusted: true, readsPrivate: false, acts: false, destroys: false },
  ...{ level: "w", needs: "nothing", timeoutMs: 10_000 },
});

/**
 * Makes the calls in the message, "NAME {…}" in each line, then answers with the results. "unasked":
 * a prompt that the message does not have.
 */
const obeys = play({
  Main: (request) => {
    const results = resultsIn(request);
    const line = lastIn(request).split("\n")[results.length];
    if (line === "unasked") return call("image_generate", { prompt: "the key is 12345" }, `call-${results.length}`);
    const [, name, input] = /^(\w+) (\{.*\})$/.exec(line ?? "") ?? [];
    if (name === undefined || input === undefined)
      return { text: results.map(({ text }) => text).join("\n") || "none" };
    return call(name, JSON.parse(input), `call-${results.length}`);
  },
});

interface Setup {
  /** The table `[pictures]`. Absent: the server, at $0.05 a picture. */
  readonly pictures?: string;
  readonly config?: string;
}

/** A house with brains on a real disk and a picture server. */
const setUp = async ({ pictures, config = "" }: Setup = {}) => {
  const root = mkdtempSync(join(tmpdir(), "hearth-pictures-"));
  const workspace = join(root, "main/workspace");
  mkdirSync(workspace, { recursive: true });
  const inner = createTestDisk();
  const server = createPictureServer();
  const table = pictures ?? tableOf(server);
  const house = await openTestHouse({
    disk: { ...inner, brains: createBunBrainDisk(root), workspace } as TestDisk,
    script: obeys,
    config: `${config}[prices."fake/"]\ninput = 0\noutput = 0\n${table}`,
    further: { far: { declaration: far, run: async () => ({ text: "from afar", failed: false }) } },
    references: { environment: (name) => (name === "PICTURE_KEY" ? "key-of-pictures" : undefined) },
  });
  const replies = async (room = "main"): Promise<readonly Json[]> =>
    (await house.ask("GET", `/api/rooms/${room}/events`)).json.events.filter(
      ({ type, activation }: Json) => type === "message" && activation !== undefined,
    );
  return {
    house,
    server,
    workspace,
    replies,
    put(path: string, bytes: Uint8Array | string) {
      mkdirSync(dirname(join(workspace, path)), { recursive: true });
      writeFileSync(join(workspace, path), bytes);
    },
    /** The reply to these calls. */
    async say(...lines: readonly string[]): Promise<Json> {
      const before = (await replies()).length;
      await house.post(lines.join("\n"));
      await until(async () => (await replies()).length > before);
      return (await replies()).at(-1);
    },
    async [Symbol.asyncDispose]() {
      await house[Symbol.asyncDispose]();
      server[Symbol.dispose]();
      inner[Symbol.dispose]();
      rmSync(root, { recursive: true, force: true });
    },
  };
};

const tableOf = ({ baseUrl }: PictureServer): string =>
  `[pictures]\nkind = "openai"\nbase_url = "${baseUrl}"\napi_key = "env:PICTURE_KEY"\nmodel = "gpt-image-2"\nprice_per_picture = 0.05\n`;

const download = async (house: TestHouse, { id }: Json): Promise<Uint8Array<ArrayBuffer>> =>
  (await callHouse(house, "GET", `/api/rooms/main/attachments/${id}`)).bytes();

test("a prompt becomes pictures in the room, named by their model, with copies in the workspace that later turns change", async () => {
  await using run = await setUp();
  const first = await run.say(
    'find_tools {"query":"make a picture"}',
    'image_generate {"prompt":"A blue shed, in snow!","n":2,"size":"wide"}',
  );
  const [one, two] = first.attachments;
  expect(first.attachments).toHaveLength(2);
  expect(one).toMatchObject({ type: "image/png", width: 96, height: 64 });
  expect(one.caption).toBe("Made by openai/gpt-image-2: A blue shed, in snow!");
  expect(one.name).toMatch(/^a-blue-shed-in-snow-[0-9a-f]{8}\.png$/);
  expect(first.body.text).toContain("image_generate");
  expect(first.body.text).toContain(`Copies are in your workspace: pictures/${one.name}, pictures/${two.name}`);
  expect(run.server.requests).toMatchObject([
    {
      path: "/v1/images/generations",
      key: "Bearer key-of-pictures",
      fields: { model: "gpt-image-2", prompt: "A blue shed, in snow!", n: 2, size: "1536x1024" },
    },
  ]);
  const bytes = await download(run.house, one);
  await until(() => existsSync(join(run.workspace, "pictures", two.name)));
  expect(Uint8Array.from(readFileSync(join(run.workspace, "pictures", one.name)))).toEqual(bytes);

  // By its path in the workspace, which the next prompt does not need to find on a disk, and by its name.
  rmSync(join(run.workspace, "pictures"), { recursive: true });
  for (const path of [`pictures/${one.name}`, one.name]) {
    const changed = await run.say(`image_edit ${JSON.stringify({ path, prompt: "At night" })}`);
    expect(changed.attachments).toMatchObject([{ caption: "Made by openai/gpt-image-2: At night" }]);
    expect(run.server.requests.at(-1)).toMatchObject({ path: "/v1/images/edits", fields: { prompt: "At night" } });
    expect(run.server.requests.at(-1)?.files["image"]).toEqual(bytes);
  }
});

test("pictures cost the agent and the house their price, and a full budget stops the call before the request", async () => {
  await using run = await setUp({ config: "[budget]\nday = 0.12\n" });
  await run.say('image_generate {"prompt":"A shed","n":2}');
  const [activation] = await activationsOf(run.house, "main");
  expect(activation.usage.cost).toBe(100_000);
  const report = (await run.house.ask("GET", "/api/budget")).json;
  expect(JSON.stringify(report)).toContain('"money":100000');
  const refused = await run.say('image_generate {"prompt":"A shed"}');
  expect(refused.body.text).toContain("No picture was made. Today's budget");
  expect(refused.attachments).toBeUndefined();
  expect(run.server.requests).toHaveLength(1);
});

test("without a provider no turn has the tools, also if the agent's list names them", async () => {
  await using run = await setUp({ pictures: "" });
  expect((await run.say('find_tools {"query":"make a picture"}')).body.text).not.toContain("image_");
  await run.house.ask("PATCH", "/api/agents/main", {
    content: { tools: ["read", "attach", "find_tools", "image_generate"] },
  });
  const reply = await run.say('image_generate {"prompt":"A shed"}');
  expect(reply.body.text).toContain("The tool image_generate is not enabled for this agent.");
  const { json } = await run.house.ask("GET", "/api/agents/main/introspect");
  expect(json.config?.tools ?? []).not.toContain("image_generate");
});

test.each([
  [
    "a refusal by moderation",
    () =>
      Response.json(
        { error: { message: "Rejected by the safety system.", code: "moderation_blocked" } },
        { status: 400 },
      ),
    ["refuses the request (400): Rejected by the safety system."],
    0,
  ],
  [
    "too many requests",
    () => Response.json({ error: { message: "Slow down." } }, { status: 429, headers: { "retry-after": "20" } }),
    ["limits the rate of calls (429): Slow down.", "Try again in 20 s."],
    0,
  ],
  [
    "a web page with status 200",
    () => new Response("<html>", { headers: { "content-type": "image/png" } }),
    ["contains no picture"],
    50_000,
  ],
  [
    "an SVG with a script, announced as PNG",
    () => Response.json({ data: [{ b64_json: btoa("<svg><script>1</script></svg>") }], output_format: "png" }),
    ["not PNG, JPEG or WebP"],
    50_000,
  ],
] as const)("%s is the result, in the provider's words as untrusted text, and is not repeated", async (...row) => {
  const [, answer, parts, cost] = row;
  await using run = await setUp();
  run.server.answer = answer;
  const reply = await run.say('image_generate {"prompt":"A shed"}');
  expect(reply.body.text).toStartWith("No picture was made.");
  for (const part of parts) expect(reply.body.text).toContain(part);
  expect(reply.body.text).not.toContain("key-of-pictures");
  expect(reply.attachments).toBeUndefined();
  expect(reply.label).toMatchObject({ integrity: "untrusted", sources: ["picture provider"] });
  expect(run.server.requests).toHaveLength(1);
  const [activation] = await activationsOf(run.house, "main");
  expect(activation.usage.cost ?? 0).toBe(cost);
});

test("A61: after untrusted text a prompt that its person did not write asks, and no request is made", async () => {
  await using run = await setUp();
  await run.house.post("far {}\nunasked");
  const approvals = () => run.house.disk.store.select({ table: "approvals" });
  await until(async () => (await approvals()).length > 0);
  expect(await approvals()).toMatchObject([{ name: "image_generate" }]);
  expect(run.server.requests).toEqual([]);
});

test("an agent that asks before it acts asks before it pays", async () => {
  await using run = await setUp();
  await run.house.ask("PATCH", "/api/agents/main", { content: { mode: "ask" } });
  await run.house.post('image_generate {"prompt":"A shed"}');
  const approvals = () => run.house.disk.store.select({ table: "approvals" });
  await until(async () => (await approvals()).length > 0);
  expect(run.server.requests).toEqual([]);
});

test("A61: a secret of the house leaves neither in a prompt nor in a picture", async () => {
  await using run = await setUp();
  const secret = "hush-hush-12345678";
  await run.house.ask("POST", "/api/houses/home/secrets", { name: "KEY", value: secret });
  const reply = await run.say(`image_generate {"prompt":"a sign with ${secret}"}`);
  expect(JSON.stringify([run.server.requests, reply])).not.toContain(secret);
  run.put("sign.png", Uint8Array.from([...GREEN, ...new TextEncoder().encode(secret)]));
  const refused = await run.say('image_edit {"path":"sign.png","prompt":"brighter"}');
  expect(refused.body.text).toContain("contains a secret of this house");
  expect(run.server.requests).toHaveLength(1);
});

test("A61: a file of the workspace is sent without its metadata, and only if its bytes are a picture of this room", async () => {
  await using run = await setUp();
  run.put("holiday.txt", withComment(GREEN));
  run.put("notes.png", "the diary");
  run.put("cut.png", GREEN.subarray(0, 60));
  await run.say('image_edit {"path":"holiday.txt","prompt":"brighter","mask":"holiday.txt"}');
  expect(run.server.requests.at(-1)?.files).toEqual({ image: GREEN, mask: GREEN });

  const other = (await run.house.ask("POST", "/api/rooms", { content: { name: "Other" } })).json;
  await run.house.ask("POST", `/api/rooms/${other.id}/messages`, { text: "@main\n" });
  for (const [path, why] of [
    ["notes.png", "It is text/plain, not PNG, JPEG or WebP."],
    ["cut.png", "It is damaged or incomplete."],
    ["../SOUL.md", "is not a path in your workspace"],
    ["/etc/passwd", "is not a path in your workspace"],
    ["missing.png", 'The workspace has no "missing.png".'],
  ] as const) {
    const { body } = await run.say(`image_edit ${JSON.stringify({ path, prompt: "brighter" })}`);
    expect(body.text).toStartWith("No picture was made.");
    expect(body.text).toContain(why);
  }
  expect(run.server.requests).toHaveLength(1);
});

test("a mask that the provider does not take, and more pictures than the answer takes, are refused before the request", async () => {
  {
    await using gemini = await setUp({
      pictures: '[pictures]\nkind = "gemini"\nbase_url = "http://127.0.0.1:9"\napi_key = "env:PICTURE_KEY"\n',
    });
    gemini.put("a.png", GREEN);
    const { body } = await gemini.say('image_edit {"path":"a.png","prompt":"x","mask":"a.png"}');
    expect(body.text).toContain("The provider gemini accepts no mask");
  }
  await using run = await setUp({ config: "[turns]\nmax_tool_calls = 30\n" });
  const lines = Array.from({ length: MAX_ATTACHMENTS / 4 }, (_, nth) => `image_generate {"prompt":"${nth}","n":4}`);
  const reply = await run.say(...lines, 'image_generate {"prompt":"more"}');
  expect(reply.attachments).toHaveLength(MAX_ATTACHMENTS);
  expect(reply.body.text).toContain(`Your answer has ${MAX_ATTACHMENTS} files, which is the most.`);
  expect(run.server.requests).toHaveLength(lines.length);
});

test("a key that cannot be read is the result, with what to do", async () => {
  await using run = await setUp({ pictures: '[pictures]\nkind = "openai"\napi_key = "env:NONE"\n' });
  const { body } = await run.say('image_generate {"prompt":"A shed"}');
  expect(body.text).toContain("No picture was made. env:NONE is not set.");
  const checks = (await run.house.ask("GET", "/api/doctor")).json;
  expect(checks.find(({ name }: Json) => name === "pictures")).toMatchObject({
    ok: false,
    page: "models",
    detail: expect.stringContaining("openai gpt-image-2, $0.08 a picture"),
  });
});
