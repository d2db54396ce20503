/**
 * Forgotten text is in no file of the home, while the house runs and after a restart. Other text is
 * kept.
 */
import { expect, test } from "bun:test";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, until } from "./daemon.ts";
import { createModel } from "./model.ts";
import {
  WORD,
  SECRET,
  BESIDE,
  LIMIT_MS,
  open,
  turn,
  holdersOf,
  eventsOf,
  untilLogged,
  requireGone,
} from "./forgotten.ts";

test(
  "forgetting a web page erases what was remembered and written after it was read",
  async () => {
    using home = createHome();
    await using model = createModel();
    await using house = await open(home.folder, model);
    await using page = {
      server: Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response(`${SECRET}\n`) }),
      [Symbol.asyncDispose]: async () => {},
    };
    const url = `${page.server.url.origin}/page`;
    const egress = [{ host: "127.0.0.1", port: page.server.port, methods: ["GET"], path: "/" }];
    expect((await house.ask("PATCH", "/api/agents/main", { content: { egress } })).status).toBe(200);
    await turn(house, model, BESIDE, [{ tool: "remember", input: { text: BESIDE } }], "Noted.");
    const calls = [
      { tool: "http_fetch", input: { url } },
      { tool: "remember", input: { text: SECRET } },
    ];
    await turn(house, model, `read ${url}`, calls, `It says ${WORD}.`);
    await turn(house, model, "and the yard?", [], "Nothing is there but a bicycle.");
    await untilLogged(house, home.folder);
    expect((await holdersOf(home.folder, WORD)).length).toBeGreaterThan(1);
    const { code, stderr } = await house.hearth("memory", "forget", "127.0.0.1");
    expect({ code, stderr }).toMatchObject({ code: 0 });
    // The session had read the page by then, but this text has nothing of it.
    expect(stderr).toMatch(/kept, written in a turn that had read it: evt_\w+ “Nothing is there but a bicycle\.”/);
    expect(stderr).toContain("--replies");
    expect(JSON.stringify(await eventsOf(house))).toContain("Nothing is there but a bicycle.");
    await using again = await requireGone(house, model, home.folder);
    await again.stop();
    await page.server.stop(true);
  },
  LIMIT_MS,
);

test(
  "forgetting a brain file and a fact erases them from prompts and recalls of turns",
  async () => {
    using home = createHome();
    await using model = createModel();
    await using house = await open(home.folder, model);
    expect((await house.hearth("memory", "remember", BESIDE)).code).toBe(0);
    expect((await house.hearth("memory", "remember", SECRET)).code).toBe(0);
    const file = join(home.folder, "brains/main/notes.md");
    writeFileSync(file, `# Notes\n${SECRET} It is blue.\n`);
    const calls = [
      { tool: "recall", input: { query: "locker" } },
      { tool: "read_brain", input: { path: "notes.md" } },
    ];
    const given = await turn(house, model, "what opens the locker?", calls, `It opens with this: ${SECRET}`);
    expect(given).toContain(WORD);
    appendFileSync(file, "More of it.\n");
    await untilLogged(house, home.folder);
    for (const source of ["notes.md", "MEMORY.md:2"]) {
      const { code, stderr } = await house.hearth("memory", "forget", source);
      expect({ source, code, stderr }).toMatchObject({ code: 0 });
    }
    await using again = await requireGone(house, model, home.folder);
    await again.stop();
  },
  LIMIT_MS,
);

test(
  "a fact that a turn forgets is erased when that turn ends",
  async () => {
    using home = createHome();
    await using model = createModel();
    await using house = await open(home.folder, model);
    for (const fact of [BESIDE, SECRET]) expect((await house.hearth("memory", "remember", fact)).code).toBe(0);
    const calls = [
      { tool: "recall", input: { query: "locker" } },
      { tool: "forget", input: { source: "MEMORY.md:2" } },
    ];
    const forgetting = turn(house, model, "forget how the locker opens", calls, "Forgotten.");
    await until(async () => (await house.ask("GET", "/api/approvals?state=pending")).json.length === 1);
    const [approval] = (await house.ask("GET", "/api/approvals?state=pending")).json;
    await house.ask("POST", `/api/approvals/${approval.id}`, { decision: "allow", scope: "once" });
    await forgetting;
    await until(async () => (await holdersOf(home.folder, WORD)).length === 0);
    await using again = await requireGone(house, model, home.folder);
    await again.stop();
  },
  LIMIT_MS,
);
