/** The tool `attach`: files of a workspace on a real disk become attachments of the reply. */
import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { MAX_ATTACHMENTS, type ModelRequest } from "@hearth/protocol";
import { doneOrDead, until } from "@hearth/protocol/until";
import { createBunBrainDisk } from "../../src/adapter/bun/brain-disk.ts";
import { declareExternal } from "../../src/agents/tools/external-tools.ts";
import { createCrashingStore } from "../../src/fixtures/crashing-store.ts";
import { createTestDisk, openTestHouse, type TestDisk, type TestHouse } from "../../src/fixtures/house.ts";
import { call, lastIn, play, resultsIn } from "../../src/fixtures/talk.ts";
import { callHouse, uploadTo } from "../../src/fixtures/uploads-of-house.ts";

const CSV = "month,euros\nmay,12\n";
type Json = ReturnType<typeof JSON.parse>;

/** A home whose brains are on a real disk. */
const makeHome = () => {
  const root = mkdtempSync(join(tmpdir(), "hearth-attach-"));
  const inner = createTestDisk();
  const workspace = join(root, "main/workspace");
  mkdirSync(workspace, { recursive: true });
  return {
    root,
    workspace,
    disk: { ...inner, brains: createBunBrainDisk(root) } as TestDisk,
    put(path: string, text: string | Uint8Array) {
      mkdirSync(dirname(join(workspace, path)), { recursive: true });
      writeFileSync(join(workspace, path), text);
    },
    [Symbol.dispose]() {
      inner[Symbol.dispose]();
      rmSync(root, { recursive: true, force: true });
    },
  };
};

/** Makes these calls of `attach`, then answers with the results. */
const attaches = (...inputs: readonly Json[]) =>
  play({
    Main: (request: ModelRequest) => {
      const results = resultsIn(request);
      const input = inputs[results.length];
      if (input !== undefined) return call("attach", input, `call-${results.length}`);
      return { text: results.map(({ text }) => text).join("\n") };
    },
  });

const repliesOf = async (house: { messages(): Promise<readonly Json[]> }): Promise<readonly Json[]> =>
  (await house.messages()).filter(({ type, activation }) => type === "message" && activation !== undefined);

test("a file of the workspace is attached to the reply, with its name and caption, and only its room has it", async () => {
  using home = makeHome();
  home.put("reports/may.csv", CSV);
  const script = attaches({ path: "reports/may.csv", name: "Mai.csv", caption: "All of May" });
  await using house = await openTestHouse({ disk: home.disk, script });
  await house.post("The report, please");
  await house.until(2);
  const [reply] = await repliesOf(house);
  const [file] = reply.attachments;
  expect(reply.attachments).toMatchObject([{ name: "Mai.csv", sizeBytes: CSV.length, caption: "All of May" }]);
  expect(reply.body.text).toBe(
    `Your answer will have [file "Mai.csv": ${file.type}, 19 bytes] All of May. It is sent when you answer.`,
  );
  expect(await (await callHouse(house, "GET", `/api/rooms/main/attachments/${file.id}`)).text()).toBe(CSV);
  const other = (await house.ask("POST", "/api/rooms", { content: { name: "Other", members: [] } })).json;
  expect((await callHouse(house, "GET", `/api/rooms/${other.id}/attachments/${file.id}`)).status).toBe(404);
  await house.ask("DELETE", `/api/rooms/main/messages/${reply.id}`);
  expect((await callHouse(house, "GET", `/api/rooms/main/attachments/${file.id}`)).status).toBe(404);
});

test("the next prompt names the agent's own files without a path to an inbox", async () => {
  using home = makeHome();
  home.put("may.csv", CSV);
  await using house = await openTestHouse({ disk: home.disk, script: attaches({ path: "may.csv" }) });
  await house.post("The report, please");
  await house.until(2);
  await house.post("Thanks");
  await house.until(4);
  const texts = house.model.requests.at(-1)?.messages.map(({ text }) => text) ?? [];
  expect(texts.filter((text) => text.includes("may.csv")).join()).toContain('[file "may.csv":');
  expect(texts.join()).not.toContain("inbox/");
});

/** Attaches the path that is in the message, then answers with the result. */
const attachesNamed = () =>
  play({
    Main: (request: ModelRequest) => {
      const [result] = resultsIn(request);
      if (result !== undefined) return { text: result.text };
      return call("attach", { path: /inbox\/[^\s\]]+/.exec(lastIn(request))?.[0] ?? "" });
    },
  });

test("the first call of a turn attaches a file of the message, under the sender's name", async () => {
  using home = makeHome();
  await using house = await openTestHouse({ disk: home.disk, script: attachesNamed() });
  const { id, attachment } = await uploadTo(house, "May list.csv", new TextEncoder().encode(CSV));
  await house.ask("POST", "/api/rooms/main/messages", { text: "Send it back", attachments: [id] });
  await house.until(2);
  const [reply] = await repliesOf(house);
  expect(reply.body.text).toStartWith('Your answer will have [file "May list.csv":');
  expect(reply.attachments).toMatchObject([{ name: "May list.csv", hash: attachment?.hash }]);
  const sent = `/api/rooms/main/attachments/${reply.attachments[0].id}`;
  expect(await (await callHouse(house, "GET", sent)).text()).toBe(CSV);
});

test("a file of another room's message is not attached", async () => {
  using home = makeHome();
  await using house = await openTestHouse({ disk: home.disk, script: attachesNamed() });
  const { id, attachment } = await uploadTo(house, "list.csv", new TextEncoder().encode(CSV));
  const other = (await house.ask("POST", "/api/rooms", { content: { name: "Other", members: [] } })).json;
  await house.ask("POST", `/api/rooms/${other.id}/messages`, { text: "mine", attachments: [id] });
  await house.post(`Send inbox/${attachment?.hash.slice(0, 16)}-list.csv`);
  await house.until(2);
  const [reply] = await repliesOf(house);
  expect(reply.attachments).toBeUndefined();
  expect(reply.body.text).toContain("list.csv");
});

test("the same content twice is one attachment, and a picture loses its metadata", async () => {
  using home = makeHome();
  home.put("a.txt", "same");
  home.put("b.txt", "same");
  home.put("photo.txt", PHOTO);
  await using house = await openTestHouse({
    disk: home.disk,
    script: attaches({ path: "a.txt" }, { path: "./b.txt" }, { path: "photo.txt" }),
  });
  await house.post("go");
  await house.until(2);
  const [reply] = await repliesOf(house);
  expect(reply.body.text).toContain('Your answer has this file already, as "a.txt".');
  expect(reply.attachments).toMatchObject([
    { name: "a.txt", sizeBytes: 4 },
    { name: "photo.txt", type: "image/jpeg", sizeBytes: PHOTO.length - 16, width: 3, height: 2 },
  ]);
  expect(await house.disk.store.select({ table: "uploads" })).toHaveLength(2);
});

/** A JPEG with a place in its metadata. */
const PHOTO = Uint8Array.of(
  ...[0xff, 0xd8, 0xff, 0xe1, 0, 14, ...new TextEncoder().encode("Exif\0\0Berlin")],
  ...[0xff, 0xc0, 0, 11, 8, 0, 2, 0, 3, 1, 1, 0x11, 0, 0xff, 0xda, 0, 2, 1, 2, 3, 0xff, 0xd9],
);

test("A35: links, paths out of the workspace, folders, and files that are empty or too large are refused with a reason", async () => {
  using home = makeHome();
  writeFileSync(join(home.root, "main/SECRET.md"), "of the brain");
  symlinkSync(join(home.root, "main/SECRET.md"), join(home.workspace, "link.txt"));
  symlinkSync(join(home.root, "main"), join(home.workspace, "up"));
  home.put("folder/file.txt", "x");
  home.put("empty.txt", "");
  home.put("large.bin", new Uint8Array(1024 * 1024 + 1));
  const paths = [
    ...["link.txt", "up/SECRET.md", "../SECRET.md", "a/../../SECRET.md", "/etc/passwd", "folder", "none.txt"],
    ...["empty.txt", "large.bin"],
  ];
  await using house = await openTestHouse({
    disk: home.disk,
    script: attaches(...paths.map((path) => ({ path }))),
    config: "[attachments]\nfile_mib = 1\n",
  });
  await house.post("go");
  await house.until(2);
  const [reply] = await repliesOf(house);
  expect(reply.attachments).toBeUndefined();
  const results = resultsIn(house.model.requests.at(-1)!);
  expect(results.map(({ failed }) => failed)).toEqual(paths.map(() => true));
  for (const { text } of results) expect(text).not.toContain("of the brain");
  expect(results.at(-1)?.text).toContain("may have at most");
  expect(await house.disk.store.select({ table: "uploads" })).toEqual([]);
  expect(
    await house.disk.store.select({ table: "upload_quotas", where: {}, and: [{ column: "bytes", is: ">", value: 0 }] }),
  ).toEqual([]);
});

test(`an answer has at most ${MAX_ATTACHMENTS} files`, async () => {
  using home = makeHome();
  const inputs = Array.from({ length: MAX_ATTACHMENTS + 1 }, (_, nth) => ({ path: `${nth}.txt` }));
  for (const { path } of inputs) home.put(path, path);
  await using house = await openTestHouse({
    disk: home.disk,
    script: attaches(...inputs),
    config: "[turns]\nmax_tool_calls = 30\n",
  });
  await house.post("go");
  await house.until(2);
  const [reply] = await repliesOf(house);
  expect(reply.attachments.map(({ name }: Json) => name)).toEqual(inputs.slice(0, -1).map(({ path }) => path));
  expect(resultsIn(house.model.requests.at(-1)!).at(-1)).toMatchObject({ failed: true });
});

test("an agent that need not answer sends its file without words", async () => {
  using home = makeHome();
  const script = play({
    Main: (request) => (resultsIn(request).length === 0 ? call("attach", { path: "may.csv" }) : { text: " " }),
  });
  await using house = await openTestHouse({ disk: home.disk, script });
  await house.ask("PATCH", "/api/agents/main", { content: { triggerMode: "ambient", ambient: { relevance: "off" } } });
  const room = await openGarden(house);
  home.put(`rooms/${room.id}/may.csv`, CSV);
  await house.ask("POST", `/api/rooms/${room.id}/messages`, { text: "how was May?" });
  const replies = async () => (await eventsIn(house, room.id)).filter(({ activation }) => activation !== undefined);
  await until(async () => (await replies()).length > 0);
  expect(await replies()).toMatchObject([{ body: { text: " " }, attachments: [{ name: "may.csv" }] }]);
});

/** A room with the agent and two people. */
const openGarden = async (house: TestHouse): Promise<Json> => {
  const guest = (await house.ask("POST", "/api/agents", { content: { name: "Guest", kind: "human" } })).json;
  const agents = (await house.ask("GET", "/api/agents")).json as Json[];
  const members = agents.map(({ id }) => id);
  if (!members.includes(guest.id)) members.push(guest.id);
  return (await house.ask("POST", "/api/rooms", { content: { name: "Garden", members } })).json;
};

const eventsIn = async (house: TestHouse, room: string): Promise<Json[]> =>
  (await house.ask("GET", `/api/rooms/${room}/events`)).json.events;

test("the file of a turn that fails is in no message, and the sweep removes it", async () => {
  using home = makeHome();
  home.put("may.csv", CSV);
  const script = play({
    Main: (request) => {
      if (resultsIn(request).length === 0) return call("attach", { path: "may.csv" });
      return { error: { code: "provider.refused", message: "No." } } as never;
    },
  });
  await using house = await openTestHouse({ disk: home.disk, script });
  await house.post("go");
  await until(
    async () => (await house.disk.store.select({ table: "activations", where: { state: "failed" } })).length === 1,
  );
  expect(await house.disk.store.select({ table: "attachments" })).toEqual([]);
  expect(await house.disk.store.select({ table: "uploads" })).toMatchObject([{ state: "complete" }]);
});

test("A36: a secret of the house keeps a file back, and nothing of it stays", async () => {
  using home = makeHome();
  const secret = "hush-hush-12345678";
  home.put("notes.txt", `the key is ${secret}\n`);
  await using house = await openTestHouse({ disk: home.disk, script: attaches({ path: "notes.txt" }) });
  const made = await house.ask("POST", "/api/houses/home/secrets", { name: "KEY", value: secret });
  expect(made.status).toBe(201);
  await house.post("go");
  await house.until(2);
  const [reply] = await repliesOf(house);
  expect(reply.attachments).toBeUndefined();
  expect(reply.body.text).toContain("contains a secret of this house");
  expect(await house.disk.store.select({ table: "uploads" })).toEqual([]);
});

test("an agent of a room attaches files of that room's workspace only", async () => {
  using home = makeHome();
  home.put("private.txt", "mine");
  await using house = await openTestHouse({
    disk: home.disk,
    script: attaches({ path: "private.txt" }, { path: "shared.txt" }),
  });
  const room = await openGarden(house);
  home.put(`rooms/${room.id}/shared.txt`, "ours");
  await house.ask("POST", `/api/rooms/${room.id}/messages`, { text: "@main go" });
  await until(
    async () => (await house.disk.store.select({ table: "attachments", where: { room: room.id } })).length > 0,
  );
  expect(resultsIn(house.model.requests.at(-1)!).map(({ failed }) => failed)).toEqual([true, false]);
});

const far = declareExternal({
  ...{ name: "far", description: "x", schema: { type: "object", properties: {} }, effect: "pure", sinks: [] },
  traits: { readsUntrusted: true, readsPrivate: false, acts: false, destroys: false },
  ...{ level: "w", needs: "nothing", timeoutMs: 10_000 },
});

/** Follows the message: "far, write X, attach X". */
const follows = play({
  Main: (request: ModelRequest) => {
    const results = resultsIn(request);
    const [name = "", path] = lastIn(request).split(", ")[results.length]?.split(" ") ?? [];
    if (name === "") return { text: results.map(({ failed }) => (failed ? "failed" : "done")).join(" ") };
    const input = name === "attach" ? { path: path ?? "hidden.txt" } : name === "write" ? { path, content: "x" } : {};
    return call(name, input, `call-${results.length}`);
  },
});

test("A37: after untrusted text, a file that its person did not name asks, and the label of a file reaches the reply", async () => {
  using home = makeHome();
  for (const name of ["named.txt", "hidden.txt", "written.txt"]) home.put(name, name);
  await using house = await openTestHouse({
    ...{ disk: home.disk, script: follows },
    further: { far: { declaration: far, run: async () => ({ text: "from afar", failed: false }) } },
  });
  await house.post("far, write written.txt, attach named.txt");
  await house.until(2);
  const [first] = await repliesOf(house);
  expect(first).toMatchObject({ attachments: [{ name: "named.txt" }], label: { integrity: "untrusted" } });

  await house.post("/new");
  await house.post("attach written.txt");
  await until(async () => (await repliesOf(house)).length === 2);
  const second = (await repliesOf(house)).at(-1);
  expect(second).toMatchObject({ attachments: [{ name: "written.txt" }], label: { integrity: "untrusted" } });

  await house.post("/new");
  await house.post("attach named.txt");
  await until(async () => (await repliesOf(house)).length === 3);
  expect((await repliesOf(house)).at(-1)?.label).toBeUndefined();

  await house.post("far, attach");
  await until(async () => (await house.disk.store.select({ table: "approvals" })).length > 0);
  expect(await house.disk.store.select({ table: "approvals" })).toMatchObject([{ name: "attach" }]);
  expect(await repliesOf(house)).toHaveLength(3);
});

const live = async (crash?: { readonly at: number; readonly side: "before" | "after" }) => {
  using home = makeHome();
  home.put("may.csv", CSV);
  const { store } = home.disk;
  const script = attaches({ path: "may.csv" });
  await (await openTestHouse({ disk: home.disk, script }))[Symbol.asyncDispose]();
  const isAnswered = async () => (await store.select({ table: "events", where: { type: "message" } })).length >= 2;

  const life = createCrashingStore(store, crash);
  const doomed = openTestHouse({ disk: { ...home.disk, store: life.store }, script }).then(async (house) => {
    await doneOrDead(house.post("go", "the one key"), life.isDead);
    await until(async () => life.isDead() || (await isAnswered()));
    if (!life.isDead()) await house[Symbol.asyncDispose]();
  });
  await doneOrDead(doomed, life.isDead);
  const commits = life.commits();
  life.die();

  await using house = await openTestHouse({ disk: home.disk, script });
  await house.post("go", "the one key");
  await until(isAnswered);
  const [attachments, uploads] = await Promise.all([
    store.select({ table: "attachments" }),
    store.select({ table: "uploads" }),
  ]);
  const replies = await repliesOf(house);
  return {
    commits,
    replies: replies.map(({ attachments: files }) => files?.map(({ name }: Json) => name)),
    attachments: attachments.length,
    uploads: uploads.map(({ state }) => state),
  };
};

test("a crash at any commit leaves the file in the reply once", async () => {
  const { commits, ...whole } = await live();
  expect(whole).toEqual({ replies: [["may.csv"]], attachments: 1, uploads: ["named"] });
  expect(commits).toBeGreaterThan(8);
  for (let at = 1; at <= commits; at += 1)
    for (const side of ["before", "after"] as const) {
      const { commits: _commits, ...found } = await live({ at, side });
      expect({ at, side, ...found }).toEqual({ at, side, ...whole });
    }
}, 180_000);
