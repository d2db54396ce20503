/** Imports through the API: previews, choices, refusals, progress and reports. Folders are fakes. */
import { describe, expect, test } from "bun:test";
import { type AgentId, HearthError, type HouseId, type ImportPlace, type ImportState } from "@hearth/protocol";
import { until } from "@hearth/protocol/until";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createFakeHouse, RUN_TOKEN } from "../fakes/fake-house.ts";
import { fakeFile, fakeJob } from "./fake-target.ts";
import { createImports, type SourceFolders } from "./house-imports.ts";
import { type Item, skippedItem, placeOf, toListed } from "./plan.ts";

const { hash } = createBunWorld();
const PLACE: ImportPlace = { kind: "openclaw", folder: "/home/ada/.openclaw" };
const file = (path: string, text: string) => ({ ...fakeFile(path, text), hash: hash(text) });

interface Json {
  readonly [name: string]: unknown;
}

/** A house with one folder, whose contents the test can replace. */
const open = async (items: readonly Item[]) => {
  const house = await createFakeHouse(createFakeWorld({ hash }));
  let present = items;
  let hold: Promise<void> = Promise.resolve();
  let failure: Error | undefined;
  const wanted: (readonly string[])[] = [];
  const folders: SourceFolders = {
    places: async () => [PLACE],
    async list({ folder }) {
      if (folder !== PLACE.folder) throw new HearthError("import.failed", `There is no folder ${folder}.`);
      return present.map(toListed);
    },
    async read(_, places, use) {
      wanted.push(places);
      await hold;
      if (failure !== undefined) throw failure;
      const chosen = present.filter((item) => places.includes(placeOf(item) ?? ""));
      await use(
        (async function* () {
          yield* chosen;
        })(),
      );
    },
  };
  const imports = createImports({ kernel: house.options.kernel, folders: async () => folders });
  Object.assign(house.options.reports, { imports: async () => imports });
  const ask = async (credential: string, method: string, path: string, body?: unknown) => {
    const response = await house.call(path, {
      method,
      headers: { authorization: `Bearer ${credential}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, json: (await response.json()) as Json };
  };
  const preview = async (folder = PLACE.folder, credential = RUN_TOKEN) =>
    ask(
      credential,
      "GET",
      `/api/import/preview?${new URLSearchParams({ kind: "openclaw", folder, agent: house.bot.id })}`,
    );
  const state = async () => (await ask(RUN_TOKEN, "GET", "/api/import")).json as unknown as ImportState;
  return {
    ...house,
    ask,
    preview,
    state,
    wanted,
    begin: (body: unknown, credential = RUN_TOKEN) => ask(credential, "POST", "/api/import", body),
    ended: async () => {
      await until(async () => (await state()).state !== "running");
      return state();
    },
    replace(next: readonly Item[]): void {
      present = next;
    },
    holdUntil(released: Promise<void>): void {
      hold = released;
    },
    failWith(error: Error | undefined): void {
      failure = error;
    },
    text: async (path: string) => {
      const brain = await house.options.agents.brains.open(house.bot);
      const found = await brain.readBytes(path);
      return found === undefined ? undefined : new TextDecoder().decode(found.bytes);
    },
  };
};

describe("an import of another program's agent", () => {
  test("is previewed, begun once with the chosen parts, and reported", async () => {
    const page = { ...file("memory/imported/a.md", "said"), source: "import a.jsonl", hidesSecrets: true as const };
    const items = [
      file("skills/x/SKILL.md", "skill"),
      page,
      file("memory/b.md", "b"),
      { ...fakeJob("news", "What is new?"), zone: "UTC" },
      { ...fakeJob("never", "x"), cron: "61 * * * *" },
      skippedItem("auth.json", "Logins are not copied."),
    ];
    const house = await open(items);
    expect(await house.state()).toEqual({ state: "none", places: [PLACE] });
    const shown = await house.preview();
    expect(shown).toMatchObject({
      status: 200,
      json: {
        ...PLACE,
        agent: house.bot.id,
        parts: [
          { kind: "file", to: "skills/x/SKILL.md", fate: "new" },
          { to: "memory/imported/a.md", fate: "new", hidesSecrets: true },
          { to: "memory/b.md", fate: "new" },
          { kind: "job", to: "news", fate: "new" },
          { to: "never", fate: "left", why: expect.stringContaining("61") },
          { kind: "left", from: "auth.json", fate: "left", why: "Logins are not copied." },
        ],
      },
    });
    expect(await house.text("memory/b.md")).toBeUndefined();

    const released = Promise.withResolvers<void>();
    house.holdUntil(released.promise);
    const begun = await house.begin({ preview: shown.json["id"], parts: [0, 1, 3, 5] });
    expect(begun).toMatchObject({ status: 202, json: { state: "running", done: 0, total: 3 } });
    expect((await house.begin({ preview: shown.json["id"], parts: [0] })).json).toMatchObject({
      error: { code: "import.busy" },
    });
    expect((await house.preview()).json).toMatchObject({ error: { code: "import.busy" } });
    released.resolve();
    const report = await house.ended();
    expect(report).toMatchObject({ state: "done", source: PLACE, agent: house.bot.id, done: 3, total: 3 });
    expect(report.parts?.map(({ fate }) => fate)).toEqual(["new", "new", "left", "new", "left", "left"]);
    expect(house.wanted).toEqual([["file skills/x/SKILL.md", "file memory/imported/a.md", "job news"]]);
    expect(await house.text("memory/imported/a.md")).toBe("said");
    expect(await house.text("memory/b.md")).toBeUndefined();
    const jobs = await house.options.agents.schedule.list(house.bot);
    expect(jobs.jobs).toMatchObject([{ name: "news", prompt: "What is new?" }]);
    // Other people may have written in a conversation, so its lines are untrusted.
    const brain = await house.options.agents.brains.open(house.bot);
    expect((await brain.readLabelled("memory/imported/a.md"))?.[0]?.label).toMatchObject({
      integrity: "untrusted",
      sources: ["import a.jsonl"],
    });

    // A preview has one use, and a second import takes only what is missing.
    expect((await house.begin({ preview: shown.json["id"], parts: [0] })).json).toMatchObject({
      error: { code: "import.not-found" },
    });
    const again = (await house.preview()).json["parts"] as readonly Json[];
    expect(again.map(({ fate }) => fate)).toEqual(["same", "same", "new", "same", "left", "left"]);
  });

  test("imports nothing when the folder cannot be read, and can be tried again", async () => {
    const house = await open([file("a.md", "a"), file("b.md", "b")]);
    house.failWith(new HearthError("import.failed", "The disk failed."));
    await house.begin({ preview: (await house.preview()).json["id"], parts: [0, 1] });
    const failed = await house.ended();
    expect(failed).toMatchObject({ state: "failed", problem: "The disk failed.", done: 0, total: 2 });
    expect(failed.parts?.map(({ fate, why }) => [fate, why])).toEqual([
      ["left", "The import ended before this part."],
      ["left", "The import ended before this part."],
    ]);
    expect(await house.text("a.md")).toBeUndefined();
    house.failWith(undefined);
    await house.begin({ preview: (await house.preview()).json["id"], parts: [0, 1] });
    expect(await house.ended()).toMatchObject({ state: "done", done: 2 });
  });

  test("leaves out a part that changed after the preview", async () => {
    const house = await open([file("a.md", "seen")]);
    const { id } = (await house.preview()).json;
    house.replace([file("a.md", "not seen")]);
    await house.begin({ preview: id, parts: [0] });
    expect((await house.ended()).parts).toMatchObject([{ fate: "left", why: expect.stringContaining("changed") }]);
    expect(await house.text("a.md")).toBeUndefined();
  });

  test("refuses an unknown folder, preview, agent and program, and an empty choice", async () => {
    const house = await open([file("a.md", "a"), skippedItem("b", "No.")]);
    expect(await house.preview("/nowhere")).toMatchObject({ status: 400, json: { error: { code: "import.failed" } } });
    const query = (more: Readonly<Record<string, string>>) =>
      house.ask(RUN_TOKEN, "GET", `/api/import/preview?${new URLSearchParams({ ...PLACE, agent: "main", ...more })}`);
    expect((await query({ agent: "nobody" })).json).toMatchObject({ error: { code: "record.not-found" } });
    expect((await query({ agent: house.owner.id })).json).toMatchObject({ error: { code: "brain.not-found" } });
    expect((await query({ kind: "other" })).status).toBe(400);
    expect((await house.begin({ preview: "x", parts: [0] })).json).toMatchObject({
      error: { code: "import.not-found" },
    });
    const { id } = (await house.preview()).json;
    expect((await house.begin({ preview: id, parts: [1] })).json).toMatchObject({
      error: { code: "import.not-found" },
    });
    expect((await house.begin({ preview: id, parts: [] })).status).toBe(400);
  });

  test("A65: needs a fresh proof of identity to look and to import, also from a key without limits", async () => {
    const house = await open([file("a.md", "a")]);
    const denied = { error: { code: "auth.denied", message: expect.stringContaining("needs a fresh login") } };
    expect((await house.preview(PLACE.folder, house.key)).json).toMatchObject(denied);
    const { id } = (await house.preview()).json;
    expect((await house.begin({ preview: id, parts: [0] }, house.key)).json).toMatchObject(denied);
    expect((await house.preview(PLACE.folder, house.botKey)).status).toBe(403);
    expect((await house.begin({ preview: id, parts: [0] }, house.botKey)).status).toBe(403);
    expect(house.wanted).toEqual([]);
  });

  test("A65: an admin of the first house cannot import into an agent of a house that they may only read", async () => {
    const house = await open([file("a.md", "a")]);
    const create = async (path: string, body: unknown) =>
      (await house.ask(RUN_TOKEN, "POST", path, body)).json as { readonly id: string };
    const { id } = await create("/api/houses", { content: { name: "Other" } });
    const other = id as HouseId;
    const bot = await create("/api/agents", { house: other, content: { name: "Far", kind: "bot" } });
    const person = await create("/api/agents", { house: other, content: { name: "Bea", kind: "human" } });
    const preview = () =>
      house.ask(RUN_TOKEN, "GET", `/api/import/preview?${new URLSearchParams({ ...PLACE, agent: bot.id })}`);
    expect((await preview()).status).toBe(200);
    const { permissions } = house.options.people;
    await permissions.assign({ agent: person.id as AgentId, on: other, level: "x" }, house.owner.id);
    await permissions.assign({ agent: house.owner.id, on: other, level: "r" }, house.owner.id);
    expect((await preview()).json).toMatchObject({ error: { code: "auth.denied" } });
  });
});
