/**
 * Content of a private room never reaches the prompt of a room with other readers. Every path into
 * a prompt has a row here: parts of the brain, messages, and tools that read private data. A new
 * path without a row does not compile, or fails.
 */
import type { ActivationId, AgentId, ModelRequest, RoomId } from "@hearth/protocol";
import { expect, test } from "bun:test";
import { tools } from "@hearth/protocol/tools";
import { until } from "@hearth/protocol/until";
import type { MessageSource } from "../../src/agents/context/context.ts";
import type { PartSource } from "../../src/agents/context/parts.ts";
import { createTestDisk, openTestHouse, type TestHouse } from "../../src/fixtures/house.ts";
import { createScanParts } from "../../src/fixtures/memory.ts";
import {
  activationsOf,
  addBot,
  call,
  inboxOf,
  lastIn,
  nameIn,
  noteId,
  resultsIn,
  sayTo,
  waitForEnd,
} from "../../src/fixtures/talk.ts";
import { uploadTo } from "../../src/fixtures/uploads-of-house.ts";
import { newInboxRow } from "../../src/agents/inbox/rows.ts";
import type { Script, ScriptedReply } from "../../src/models/scripted/scripted.ts";
import type { Row } from "../../src/kernel/store/tables/tables.ts";

type Json = ReturnType<typeof JSON.parse>;

const MARK = "the blue key is 4711";
const TOOLS = [
  ...["read_brain", "remember", "recall", "send_to_agent", "ask_agent", "delegate", "house_query", "send_message"],
  ...["list_tasks", "schedule_task", "time"],
];

const isSummary = ({ system }: ModelRequest): boolean => (system[0]?.text ?? "").startsWith("You keep the memory of");
const isKeeping = ({ tools: offered }: ModelRequest): boolean =>
  offered.length === 1 && offered[0]?.name === "remember";

/** Makes the call in the message, once: "call NAME {…}". */
const obey = (request: ModelRequest) => {
  if (isSummary(request)) return { text: `They spoke of this: ${MARK}.` };
  if (isKeeping(request)) return { text: "Nothing." };
  const [, name = "", input = "{}"] = /call (\w+) (\{.*\})/s.exec(lastIn(request)) ?? [];
  if (name !== "" && resultsIn(request).length > 0 && lastIn(request).endsWith("then fail"))
    return { error: { code: "provider.auth", message: "The key is wrong." } } as const;
  if (name === "" || resultsIn(request).length > 0) return { text: "Done." };
  return call(name, JSON.parse(input));
};

interface Scene {
  readonly house: TestHouse;
  readonly scout: Json;
  /** The owner's direct room with `main`, readable for `main` and administrators. */
  readonly privateRoom: Json;
  /** A room that a guest reads too. */
  readonly garden: Json;
  readonly inPrivate: (text: string) => Promise<void>;
  readonly putFile: (path: string, text: string, agent?: string) => Promise<void>;
  readonly putNote: (type: "note" | "answer") => Promise<void>;
}

interface Way {
  /** Plants the mark from the private room. */
  plant(scene: Scene): Promise<void>;
  /** The message to `main` that triggers this path. */
  readonly say?: string;
  /** Shown to every audience by design: people edit it for all rooms. */
  readonly isShared?: true;
  /** Shows that the private room sees the mark. Default: the same message in the private room. */
  readonly inPrivate?: (scene: Scene) => Promise<string>;
}

const today = (): string => new Date().toISOString().slice(0, 10);
const planted = (path: string): Way => ({ plant: ({ putFile }) => putFile(path, `# Notes\n\n${MARK}\n`) });
const spoken: Way = { plant: ({ inPrivate }) => inPrivate(MARK) };

const parts: Readonly<Record<PartSource | "heartbeat", Way>> = {
  persona: planted("USER.md"),
  instructions: { ...planted("instructions/x.md"), isShared: true },
  skills: {
    plant: ({ putFile }) => putFile("skills/x/SKILL.md", `---\nname: x\ndescription: ${MARK}\n---\n`),
    isShared: true,
  },
  ritual: planted("BOOTSTRAP.md"),
  prompt: {
    plant: async ({ house }) => void (await house.ask("PATCH", "/api/agents/main", { content: { prompt: MARK } })),
    isShared: true,
  },
  memory: planted("MEMORY.md"),
  logs: { plant: ({ putFile }) => putFile(`memory/${today()}.md`, `- ${MARK}\n`) },
  heartbeat: {
    ...planted("HEARTBEAT.md"),
    // Only a heartbeat reads the file.
    inPrivate: async ({ house }) => (await house.ask("GET", "/api/agents/main/brain/file?path=HEARTBEAT.md")).json.text,
  },
};

const messages: Readonly<Record<MessageSource, Way>> = {
  summary: {
    async plant({ house, inPrivate, privateRoom }) {
      for (const text of ["one", "two", "three"]) await inPrivate(text);
      await house.ask("POST", "/api/agents/main/compact", { room: privateRoom.id });
      await inPrivate("four");
    },
  },
  session: spoken,
  late: { plant: ({ putFile }) => putFile(`memory/${today()}.md`, `- ${MARK}\n`) },
  unfinished: { plant: ({ inPrivate }) => inPrivate(`call recall {"query":"${MARK}"} then fail`) },
  inbox: { plant: ({ putNote }) => putNote("note") },
  asked: spoken,
};

/** A turn of `main` in another private room, whose name is the mark. */
const workInMarkedRoom = async ({ house, privateRoom }: Scene): Promise<void> => {
  const { members } = privateRoom.content;
  const room = (await house.ask("POST", "/api/rooms", { content: { name: MARK, members } })).json;
  await house.ask("POST", `/api/rooms/${room.id}/messages`, { text: "@main look" });
  await waitForEnd(house, "main", 1);
};

/** The prompt of Scout's model when `main` calls the tool in the private room. */
const scoutIsTold = async (scene: Scene, say: string): Promise<string> => {
  await wakeIn(scene, scene.privateRoom.id, say);
  return JSON.stringify(scene.house.model.requests.filter((request) => nameIn(request) === "Scout"));
};

/**
 * Paths by tools that read private data. Tools with "workspace" see only the workspace of
 * their audience: the tests of cells check those of the cell, and attach.test.ts checks `attach`,
 * whose way into the workspace `chart` and `image_edit` use.
 */
const reading: Readonly<Record<string, Way | "workspace">> = {
  ...{
    attach: "workspace",
    chart: "workspace",
    git: "workspace",
    image: "workspace",
    image_edit: "workspace",
    processes: "workspace",
    shell: "workspace",
  },
  read_brain: { ...planted("MEMORY.md"), say: 'call read_brain {"path":"MEMORY.md"}' },
  recall: { ...planted("MEMORY.md"), say: 'call recall {"query":"blue key"}' },
  ask_agent: {
    plant: ({ putFile }) => putFile("MEMORY.md", MARK, "scout"),
    say: 'call ask_agent {"agent":"@scout","question":"which key?"}',
    inPrivate: (scene) => scoutIsTold(scene, `call ask_agent {"agent":"@scout","question":"${MARK}"}`),
  },
  delegate: {
    plant: ({ putFile }) => putFile("MEMORY.md", MARK, "scout"),
    say: 'call delegate {"agent":"@scout","task":"which key?"}',
    inPrivate: (scene) => scoutIsTold(scene, `call delegate {"agent":"@scout","task":"${MARK}"}`),
  },
  list_tasks: {
    plant: async ({ house }) => {
      const job = { name: "x", every: "1h", prompt: MARK };
      const { status } = await house.ask("POST", "/api/agents/main/jobs", job);
      expect(status).toBe(201);
    },
    say: "call list_tasks {}",
  },
  house_query: { plant: workInMarkedRoom, say: 'call house_query {"about":"turns"}' },
};

const ways: Readonly<Record<string, Way>> = {
  "the tool recall, about files": {
    async plant({ house, privateRoom }) {
      const { id } = await uploadTo(house, "keys.txt", new TextEncoder().encode(MARK));
      const count = (await activationsOf(house, "main")).length;
      await house.ask("POST", `/api/rooms/${privateRoom.id}/messages`, { text: "see", attachments: [id] });
      await waitForEnd(house, "main", count + 1);
    },
    say: 'call recall {"query":"blue key"}',
  },
  "the tool house_query, about rooms": { plant: workInMarkedRoom, say: 'call house_query {"about":"rooms"}' },
  ...Object.fromEntries(Object.entries(parts).map(([name, way]) => [`the brain's ${name}`, way])),
  ...Object.fromEntries(Object.entries(messages).map(([name, way]) => [`messages: ${name}`, way])),
  ...Object.fromEntries(
    Object.entries(reading).flatMap(([name, way]) => (way === "workspace" ? [] : [[`the tool ${name}`, way]])),
  ),
  "an answer that came late": { plant: ({ putNote }) => putNote("answer") },
};

const setUp = async (
  disk: ReturnType<typeof createTestDisk>,
  script: Script = obey,
): Promise<Scene & AsyncDisposable> => {
  const house = await openTestHouse({
    ...{ disk, script, memory: createScanParts() },
    config: `tools = ${JSON.stringify(TOOLS)}\n`,
  });
  const scout = await addBot(house, "Scout");
  const main = (await house.ask("GET", "/api/agents/main")).json;
  const guest = (await house.ask("POST", "/api/agents", { level: "none", content: { name: "Guest", kind: "human" } }))
    .json;
  const me = (await house.ask("GET", "/api/me")).json.agent;
  const members = [me.id, main.id, scout.id, guest.id];
  const garden = (await house.ask("POST", "/api/rooms", { content: { name: "Garden", members } })).json;
  const privateRoom = await house.room();
  return {
    ...{ house, scout, privateRoom, garden },
    async inPrivate(text) {
      const count = (await activationsOf(house, "main")).length;
      await house.post(text);
      await waitForEnd(house, "main", count + 1);
    },
    async putFile(path, text, agent = "main") {
      const { status } = await house.ask("PUT", `/api/agents/${agent}/brain/file?path=${encodeURIComponent(path)}`, {
        text,
      });
      expect(status).toBe(200);
    },
    async putNote(type) {
      const row: Row<"inbox"> = newInboxRow({
        ...{ id: noteId(1), sender: scout.id, recipient: main.id as AgentId, type, text: MARK },
        ...{ room: privateRoom.id as RoomId, activation: "act_0" as ActivationId, labels: null, at: Date.now() },
      });
      await disk.store.commit({ writes: [{ kind: "insert", table: "inbox", row }] });
    },
    [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
  };
};

/** The model requests since then, as text. */
const askedAfter = ({ house }: Scene, count: number): string =>
  JSON.stringify(house.model.requests.slice(count).filter((request) => !isSummary(request) && !isKeeping(request)));

const wakeIn = async (scene: Scene, room: string, text: string): Promise<string> => {
  const { house } = scene;
  const before = house.model.requests.length;
  const count = (await activationsOf(house, "main")).length;
  await house.ask("POST", `/api/rooms/${room}/messages`, { text: `@main ${text}` });
  await waitForEnd(house, "main", count + 1);
  expect(house.model.requests.slice(before).map(nameIn)).toContain("Main");
  return askedAfter(scene, before);
};

test("every tool that reads private data has a row", () => {
  const private_ = Object.values(tools)
    .filter(({ traits }) => traits.readsPrivate)
    .map(({ name }) => name);
  expect(private_.toSorted()).toEqual(Object.keys(reading).toSorted());
});

test.each(Object.entries(ways))("%s: content of the private room stays there", async (name, way) => {
  using disk = createTestDisk();
  await using scene = await setUp(disk);
  const { garden, privateRoom } = scene;
  await way.plant(scene);
  const say = way.say ?? "look around";
  const seen = await wakeIn(scene, garden.id, say);
  expect([name, seen.includes(MARK)]).toEqual([name, way.isShared === true]);
  // The private room itself must show it, which proves that the path leads into a prompt.
  expect(await (way.inPrivate?.(scene) ?? wakeIn(scene, privateRoom.id, say))).toContain(MARK);
});

/** Wakes Scout in a room, and returns whether its prompt contained the mark. */
const scoutSees = async ({ house }: Scene, room: string, count: number): Promise<boolean> => {
  const before = house.model.requests.length;
  await house.ask("POST", `/api/rooms/${room}/messages`, { text: "@scout look around" });
  await waitForEnd(house, "scout", count);
  return JSON.stringify(house.model.requests.slice(before)).includes(MARK);
};

test("a note of a private room waits until its receiver wakes where every reader may read that room", async () => {
  using disk = createTestDisk();
  await using scene = await setUp(disk);
  const { house, scout, garden, inPrivate } = scene;
  await inPrivate(`call send_to_agent {"agent":"@scout","text":"${MARK}"}`);
  expect(await scoutSees(scene, garden.id, 1)).toBe(false);
  expect(await inboxOf(house, "scout")).toMatchObject([{ status: "pending", room: scene.privateRoom.id }]);
  const { room } = await sayTo(house, scout, "and here?");
  await waitForEnd(house, "scout", 2);
  expect(JSON.stringify(house.model.requests.slice(-1))).toContain(MARK);
  expect(room ?? "").not.toBe(garden.id);
  expect(await inboxOf(house, "scout")).toMatchObject([{ status: "read" }]);
});

test("a note of a room is shown in that room, and in private alone once the room is gone", async () => {
  using disk = createTestDisk();
  await using scene = await setUp(disk);
  const { house, scout, garden } = scene;
  const leave = async (count: number): Promise<void> => {
    const text = `@main call send_to_agent {"agent":"scout","text":"${MARK}"}`;
    await house.ask("POST", `/api/rooms/${garden.id}/messages`, { text });
    await waitForEnd(house, "main", count);
  };
  await leave(1);
  const other = (await house.ask("POST", "/api/rooms", { content: { name: "Hall", members: garden.content.members } }))
    .json;
  // Both rooms have the same readers, so no reader learns anything new.
  expect(await scoutSees(scene, other.id, 1)).toBe(true);
  await house.ask("POST", `/api/rooms/${garden.id}/messages`, { text: "/new" });
  await leave(2);
  await house.ask("DELETE", `/api/rooms/${garden.id}`);
  expect(await scoutSees(scene, other.id, 2)).toBe(false);
  await sayTo(house, scout, "and here?");
  await waitForEnd(house, "scout", 3);
  expect(JSON.stringify(house.model.requests.slice(-1))).toContain(MARK);
});

test("a note that was included is left out after a restart if a new reader has joined the room", async () => {
  using disk = createTestDisk();
  const asked = Promise.withResolvers<void>();
  const hanging = (request: ModelRequest): ScriptedReply => {
    if (nameIn(request) !== "Scout") return obey(request);
    asked.resolve();
    return { hang: true };
  };
  let quiet: string;
  {
    await using scene = await setUp(disk, hanging);
    const { house, scout, garden } = scene;
    await scene.inPrivate(`call send_to_agent {"agent":"@scout","text":"${MARK}"}`);
    const members = garden.content.members.slice(0, 3);
    quiet = (await house.ask("POST", "/api/rooms", { content: { name: "Quiet", members } })).json.id;
    await house.ask("POST", `/api/rooms/${quiet}/messages`, { text: "@scout look around" });
    await asked.promise;
    expect(JSON.stringify(house.model.requests.slice(-1))).toContain(MARK);
    await house.ask("PATCH", `/api/rooms/${quiet}`, { content: { members: garden.content.members } });
    expect(scout.id).toStartWith("agent_");
  }
  await using house = await openTestHouse({ disk, script: obey });
  await waitForEnd(house, "scout", 1);
  expect(JSON.stringify(house.model.requests)).not.toContain(MARK);
  expect(await inboxOf(house, "scout")).toMatchObject([{ status: "pending" }]);
});

test("a caller sees an agent's turns only in rooms that the caller may read, and the limit counts only these", async () => {
  using disk = createTestDisk();
  await using scene = await setUp(disk);
  const { house, garden, privateRoom, inPrivate } = scene;
  const home = (await house.ask("GET", "/api/houses/home")).json;
  const guest = garden.content.members.at(-1);
  await house.ask("PUT", `/api/houses/${home.id}/grants/${guest}`, { level: "r" });
  const { key } = (await house.ask("POST", "/api/keys", { name: "k", agent: guest })).json;
  await wakeIn(scene, garden.id, "look");
  await inPrivate("hello");
  await inPrivate("again");
  const roomsOf = async (by?: string): Promise<string[]> =>
    (await house.ask("GET", "/api/agents/main/activations?limit=2", undefined, by)).json.map(({ room }: Json) => room);
  expect(await roomsOf(key)).toEqual([garden.id]);
  expect(await roomsOf()).toEqual([privateRoom.id, privateRoom.id]);
});

test.each([
  ["the private room", "a room that a guest reads", "waiting"],
  ["the private room", "a room of the same readers", "done"],
  ["a room that a guest reads", "the private room's own readers", "done"],
] as const)("a message that is sent from %s into %s is %s", async (from, to, state) => {
  using disk = createTestDisk();
  await using scene = await setUp(disk);
  const { house, garden, privateRoom } = scene;
  const make = async (name: string, members: readonly string[]): Promise<Json> =>
    (await house.ask("POST", "/api/rooms", { content: { name, members } })).json;
  const target = await make(
    "Target",
    to === "a room that a guest reads" ? garden.content.members : privateRoom.content.members,
  );
  const origin = from === "the private room" ? privateRoom : garden;
  const input = JSON.stringify({ room: target.handle, text: MARK });
  await house.ask("POST", `/api/rooms/${origin.id}/messages`, { text: `@main call send_message ${input}` });
  await until(async () => {
    const [turn] = await activationsOf(house, "main");
    return turn?.state === "waiting" || turn?.endedAt !== undefined;
  });
  const { events } = (await house.ask("GET", `/api/rooms/${target.id}/events`)).json;
  expect(JSON.stringify(events).includes(MARK)).toBe(state === "done");
  if (state === "done") return;
  const [{ id }] = (await house.ask("GET", "/api/approvals")).json;
  await house.ask("POST", `/api/approvals/${id}`, { decision: "allow" });
  await waitForEnd(house, "main", 1);
  const { json: after } = await house.ask("GET", `/api/rooms/${target.id}/events`);
  expect(JSON.stringify(after.events)).toContain(MARK);
});
