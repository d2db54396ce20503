import { describe, expect, test } from "bun:test";
import { commandsForEach } from "../fakes/fake-command-line.ts";

const own = commandsForEach();
const { hearth, hearthAt, json } = own;

describe("agents", () => {
  test("are listed in a table that fits the contents and the terminal", async () => {
    own.house.addAgent({ name: "日本 \u001b[31m", kind: "bot", model: "anthropic/x", description: "d".repeat(100) });
    const { out } = await hearth("agent", "list");
    expect(out.split("\n").slice(0, 3)).toEqual([
      "HANDLE     NAME         KIND   MODEL        DESCRIPTION",
      "@owner     Owner        human",
      "@main      Main         bot",
    ]);
    expect(out).toContain(`@日本-31m  日本 \\e[31m  bot    anthropic/x  ${"d".repeat(100)}\n`);
    const narrow = await hearthAt(
      { stdoutIsTerminal: true, env: { HEARTH_HOME: own.house.home, NO_COLOR: "1" }, columns: () => 40 },
      "agent",
      "list",
    );
    expect(Math.max(...narrow.out.split("\n").map((line) => Bun.stringWidth(line)))).toBe(40);
    expect(await json("agent", "list")).toHaveLength(3);
  });

  test("are shown by handle, and an unknown one exits with 1", async () => {
    expect((await hearth("agent", "show", "main")).out).toContain("tools      every tool that needs no approval\n");
    expect(await json("agent", "show", "main")).toEqual(own.house.main);
    expect(await hearth("agent", "show", "nobody")).toEqual({
      code: 1,
      out: "",
      err: "hearth: It does not exist.\n  Look for it.\n",
    });
  });

  const noProviders = () => own.house.answer("GET /api/providers", []);

  test("are added with exactly the given fields", async () => {
    noProviders();
    await hearth(
      "agent",
      "add",
      "Archive Bot",
      "--model",
      "a/b",
      "--tools",
      "read,list",
      "--prompt",
      "Be brief.",
      "--description",
      "",
    );
    expect(own.house.requests.slice(0, 2)).toEqual([
      "GET /api/providers",
      'POST /api/agents {"content":{"model":"a/b","prompt":"Be brief.","tools":["read","list"],"name":"Archive Bot","kind":"bot"}}',
    ]);
  });

  const edited = async (...words: string[]): Promise<unknown> => {
    const { id } = own.house.main;
    expect((await hearth("agent", "edit", "main", ...words)).code).toBe(0);
    const sent = own.house.requests.findLast((request) => request.startsWith("PATCH")) ?? "";
    expect(sent).toStartWith(`PATCH /api/agents/${id} `);
    return JSON.parse(sent.slice(sent.indexOf("{")));
  };

  test("may use a provider that is missing or not ready, with a warning", async () => {
    noProviders();
    expect((await hearth("agent", "edit", "main", "--model", "den/llama")).err).toBe(
      'Unknown provider "den". To see how to add it: hearth provider add --help\n',
    );
    const known = { name: "anthropic", kind: "anthropic", source: "environment", ready: true, detail: "" };
    own.house.answer("GET /api/providers", [known]);
    expect((await hearth("agent", "edit", "main", "--model", "antropic/sonnet")).err).toBe(
      'Unknown provider "antropic". Did you mean "anthropic"?\n',
    );
    const den = { name: "den", kind: "openai", source: "config", ready: false, detail: "KEY is not set" };
    own.house.answer("GET /api/providers", [den]);
    expect((await hearth("agent", "edit", "main", "--model", "den/llama")).err).toBe(
      'The provider "den" is not ready: KEY is not set\n',
    );
    own.house.answer("GET /api/providers", [{ ...den, ready: true }]);
    expect((await hearth("agent", "edit", "main", "--model", "den/llama")).err).toBe("");
  });

  test("are edited with the given fields, guarded by the version that was read", async () => {
    noProviders();
    expect(await edited("--model", "a/b", "--name", "New", "--prompt", "")).toEqual({
      version: 1,
      content: { name: "New", model: "a/b", prompt: null },
    });
  });

  test("have tools that can be set, changed from the default, changed again, and reset", async () => {
    expect(await edited("--tools", "+shell,-time,+http_fetch")).toMatchObject({
      content: { tools: ["default", "-time", "shell", "http_fetch"] },
    });
    expect(await edited("--tools", "-shell,-read")).toMatchObject({
      version: 2,
      content: { tools: ["default", "-time", "http_fetch", "-shell", "-read"] },
    });
    expect(await edited("--tools", "+read,+time,-http_fetch")).toMatchObject({
      content: { tools: ["default", "-shell"] },
    });
    expect(await edited("--tools", "read,shell")).toMatchObject({ content: { tools: ["read", "shell"] } });
    expect(await edited("--tools", "default")).toMatchObject({ content: { tools: null } });
    expect(await edited("--tools", "")).toMatchObject({ content: { tools: [] } });
  });

  test("have fallback models that can be set in order, changed, shown and removed", async () => {
    own.house.answer("GET /api/providers", [{ name: "a", kind: "openai", source: "config", ready: true, detail: "" }]);
    expect(await edited("--fallback", "a/b, c/d")).toMatchObject({ content: { fallback: ["a/b", "c/d"] } });
    expect((await hearth("agent", "show", "main")).out).toContain("fallback   a/b, c/d\n");
    expect((await hearth("agent", "edit", "main", "--fallback", "+e/f,-a/b")).err).toBe(
      'Unknown provider "c". To see how to add it: hearth provider add --help\n' +
        'Unknown provider "e". To see how to add it: hearth provider add --help\n',
    );
    expect(own.house.requests.findLast((request) => request.startsWith("PATCH"))).toContain(
      '"content":{"fallback":["c/d","e/f"]}',
    );
    expect(await edited("--fallback", "")).toMatchObject({ content: { fallback: null } });
    expect((await hearth("agent", "show", "main")).out).not.toContain("fallback");
  });

  test("have a setting for messages that arrive while they work, which is set, shown and validated", async () => {
    expect((await hearth("agent", "show", "main")).out).toMatch(
      /^queue {6}steer: The current run reads them at its next step/m,
    );
    expect(await edited("--queue", "collect")).toMatchObject({ content: { queue: "collect" } });
    expect((await hearth("agent", "show", "main")).out).toMatch(/^queue {6}collect: After the current run/m);
    await hearth("agent", "add", "Ben", "--queue", "interrupt");
    expect(own.house.requests.findLast((request) => request.startsWith("POST"))).toContain('"queue":"interrupt"');
    expect((await hearth("agent", "edit", "main", "--queue", "later")).code).toBe(2);
  });

  test("accept no unknown tool and no empty edit", async () => {
    expect(await hearth("agent", "edit", "main", "--tools", "+shel")).toMatchObject({ code: 2, out: "" });
    expect((await hearth("agent", "edit", "main", "--tools", "+shel")).err).toStartWith(
      'hearth: Unknown tool "shel". Did you mean "shell"?\n',
    );
    expect((await hearth("agent", "edit", "main")).err).toStartWith("hearth: Nothing to change: no field was given.\n");
    expect(own.house.requests.filter((request) => request.startsWith("PATCH"))).toEqual([]);
  });

  test("that another client changed meanwhile are not overwritten", async () => {
    noProviders();
    own.house.refuse(`PATCH /api/agents/${own.house.main.id}`, {
      code: "record.version",
      message: "Another client changed it.",
    });
    expect(await hearth("agent", "edit", "main", "--model", "a/b")).toMatchObject({
      code: 1,
      err: "hearth: Another client changed it.\n",
    });
  });

  test("are removed", async () => {
    expect(await hearth("agent", "remove", "main")).toEqual({ code: 0, out: "removed @main\n", err: "" });
    expect(own.house.requests.at(-1)).toBe(`DELETE /api/agents/${own.house.main.id}`);
  });
});
