/** What the commands ask the house and what they print, each against a house that does as it is told. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentId, noUsage } from "@hearth/protocol";
import { type FakeHouse, createFakeHouse } from "../fake-house.ts";
import { createFakeTerminal } from "../fake-terminal.ts";
import { run } from "../run.ts";
import type { Terminal } from "../terminal.ts";

let house: FakeHouse;
beforeEach(async () => {
  house = await createFakeHouse(await mkdtemp(join(tmpdir(), "hearth-cli-")));
});
afterEach(() => house.close());

const hearthAt = async (options: Partial<Terminal>, ...words: string[]) => {
  const terminal = createFakeTerminal({ home: house.home, ...options });
  const code = await run(words, terminal);
  return { code, ...terminal.written };
};
const hearth = (...words: string[]) => hearthAt({}, ...words);
const json = async (...words: string[]): Promise<unknown> => JSON.parse((await hearth(...words, "--json")).out);

const status = {
  ...{
    version: "1.2.3",
    home: "/h",
    url: "http://127.0.0.1:1",
    pid: 7,
    startedAt: 1_000_000 - 65_000,
    houses: 1,
    rooms: 2,
    agents: 3,
  },
  ...{ activations: { queued: 4, running: 5 }, cells: [] },
};

describe("status and doctor", () => {
  test("status prints facts, or the house's own answer", async () => {
    house.answer("GET /api/status", status);
    const { code, out } = await hearth("status");
    expect(code).toBe(0);
    expect(out).toContain("url          http://127.0.0.1:1\n");
    expect(out).toContain("started      1 min ago\n");
    expect(out).toContain("activations  5 running, 4 queued\n");
    expect(await json("status")).toEqual(status);
  });

  test("doctor ends with 1 when a check fails, and says what to do", async () => {
    house.answer("GET /api/doctor", [{ name: "store", ok: true, detail: "writes" }]);
    expect(await hearth("doctor")).toEqual({ code: 0, out: "ok    store: writes\n", err: "" });
    house.answer("GET /api/doctor", [{ name: "cell", ok: false, detail: "no \u001b[2J walls", fix: "Get bwrap." }]);
    expect(await hearth("doctor")).toEqual({
      code: 1,
      out: "FAIL  cell: no \\e[2J walls\n      Get bwrap.\n",
      err: "",
    });
  });

  test("colours are for terminals that want them", async () => {
    house.answer("GET /api/doctor", [{ name: "cell", ok: false, detail: "" }]);
    const env = { HEARTH_HOME: house.home };
    expect((await hearthAt({ stdoutIsTerminal: true, env }, "doctor")).out).toContain("\u001b[31mFAIL\u001b[39m");
    expect((await hearthAt({ stdoutIsTerminal: true, env: { ...env, NO_COLOR: "1" } }, "doctor")).out).not.toContain(
      "\u001b",
    );
    expect((await hearthAt({ stdoutIsTerminal: true, env: { ...env, NO_COLOR: "" } }, "doctor")).out).toContain(
      "\u001b",
    );
    expect((await hearth("doctor")).out).not.toContain("\u001b");
  });

  test("an owner's token that the house refuses ends with 4", async () => {
    house.refuse("GET /api/status", { code: "auth.invalid", message: "Nobody knows this key.", hint: "Make another." });
    expect(await hearth("status")).toEqual({
      code: 4,
      out: "",
      err: "hearth: Nobody knows this key.\n  Make another.\n",
    });
  });
});

describe("agents", () => {
  test("are listed in a table as wide as it must be and as wide as the terminal", async () => {
    house.addAgent({ name: "日本 \u001b[31m", kind: "bot", model: "anthropic/x", description: "d".repeat(100) });
    const { out } = await hearth("agent", "list");
    expect(out.split("\n").slice(0, 3)).toEqual([
      "HANDLE     NAME         KIND   MODEL        DESCRIPTION",
      "@owner     Owner        human",
      "@main      Main         bot",
    ]);
    expect(out).toContain(`@日本-31m  日本 \\e[31m  bot    anthropic/x  ${"d".repeat(100)}\n`);
    const narrow = await hearthAt(
      { stdoutIsTerminal: true, env: { HEARTH_HOME: house.home, NO_COLOR: "1" }, columns: () => 40 },
      "agent",
      "list",
    );
    expect(Math.max(...narrow.out.split("\n").map((line) => Bun.stringWidth(line)))).toBe(40);
    expect(await json("agent", "list")).toHaveLength(3);
  });

  test("are shown by handle, and one that is not there ends with 1", async () => {
    expect((await hearth("agent", "show", "main")).out).toContain("tools    every tool that needs no person's word\n");
    expect(await json("agent", "show", "main")).toEqual(house.main);
    expect(await hearth("agent", "show", "nobody")).toEqual({
      code: 1,
      out: "",
      err: "hearth: It is not there.\n  Look for it.\n",
    });
  });

  const noProviders = () => house.answer("GET /api/providers", []);

  test("are added with the fields that were given and no others", async () => {
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
    expect(house.asked).toEqual([
      "GET /api/providers",
      'POST /api/agents {"content":{"model":"a/b","prompt":"Be brief.","tools":["read","list"],"name":"Archive Bot","kind":"bot"}}',
    ]);
  });

  const edited = async (...words: string[]): Promise<unknown> => {
    const { id } = house.main;
    expect((await hearth("agent", "edit", "main", ...words)).code).toBe(0);
    const sent = house.asked.at(-1) ?? "";
    expect(sent).toStartWith(`PATCH /api/agents/${id} `);
    return JSON.parse(sent.slice(sent.indexOf("{")));
  };

  test("may think with a provider that is not there or not ready yet, and that is said", async () => {
    noProviders();
    expect((await hearth("agent", "edit", "main", "--model", "den/llama")).err).toBe(
      'There is no provider "den" yet. Add it: hearth provider add den --kind …\n',
    );
    const den = { name: "den", kind: "openai", source: "config", ready: false, detail: "KEY is not set" };
    house.answer("GET /api/providers", [den]);
    expect((await hearth("agent", "edit", "main", "--model", "den/llama")).err).toBe(
      'The provider "den" is not ready: KEY is not set\n',
    );
    house.answer("GET /api/providers", [{ ...den, ready: true }]);
    expect((await hearth("agent", "edit", "main", "--model", "den/llama")).err).toBe("");
  });

  test("are edited with what was given, by the version that was seen", async () => {
    noProviders();
    expect(await edited("--model", "a/b", "--name", "New", "--prompt", "")).toEqual({
      version: 1,
      content: { name: "New", model: "a/b", prompt: null },
    });
  });

  test("have tools that are set, changed from the default, changed again, and given back", async () => {
    const free = ["read", "write", "edit", "list", "glob", "grep", "time"];
    expect(await edited("--tools", "+shell,-time")).toMatchObject({
      content: { tools: [...free.filter((tool) => tool !== "time"), "shell"] },
    });
    expect(await edited("--tools", "-shell,-read")).toMatchObject({
      version: 2,
      content: { tools: ["write", "edit", "list", "glob", "grep"] },
    });
    expect(await edited("--tools", "read,shell")).toMatchObject({ content: { tools: ["read", "shell"] } });
    expect(await edited("--tools", "default")).toMatchObject({ content: { tools: null } });
    expect(await edited("--tools", "")).toMatchObject({ content: { tools: [] } });
  });

  test("get no tool that does not exist, and no empty edit", async () => {
    expect(await hearth("agent", "edit", "main", "--tools", "+shel")).toMatchObject({ code: 2, out: "" });
    expect((await hearth("agent", "edit", "main", "--tools", "+shel")).err).toStartWith(
      'hearth: There is no tool "shel". Did you mean "shell"?\n',
    );
    expect((await hearth("agent", "edit", "main")).err).toStartWith("hearth: There is nothing to change.\n");
    expect(house.asked.filter((request) => request.startsWith("PATCH"))).toEqual([]);
  });

  test("that somebody changed meanwhile are left alone", async () => {
    noProviders();
    house.refuse(`PATCH /api/agents/${house.main.id}`, { code: "record.version", message: "Somebody changed it." });
    expect(await hearth("agent", "edit", "main", "--model", "a/b")).toMatchObject({
      code: 1,
      err: "hearth: Somebody changed it.\n",
    });
  });

  test("are removed", async () => {
    expect(await hearth("agent", "remove", "main")).toEqual({ code: 0, out: "removed @main\n", err: "" });
    expect(house.asked.at(-1)).toBe(`DELETE /api/agents/${house.main.id}`);
  });
});

describe("rooms", () => {
  test("are made with members by handle", async () => {
    expect((await hearth("room", "add", "Den", "--members", "owner,@main", "--description", "For us")).out).toContain(
      "members      Owner, Main\n",
    );
    expect(house.asked.find((request) => request.startsWith("POST"))).toBe(
      `POST /api/rooms {"content":{"name":"Den","members":["${house.owner.id}","${house.main.id}"],"description":"For us"}}`,
    );
    expect((await hearth("room", "add", "Den", "--members", "+main")).code).toBe(2);
  });

  test("have members that are set, changed, and opened to everyone", async () => {
    const den = house.addRoom({ name: "Den", kind: "group" });
    const members = async (list: string): Promise<unknown> => {
      expect((await hearth("room", "edit", "den", "--members", list)).code).toBe(0);
      const sent = house.asked.findLast((request) => request.startsWith(`PATCH /api/rooms/${den.id}`)) ?? "";
      return JSON.parse(sent.slice(sent.indexOf("{"))).content.members;
    };
    // Everyone but main.
    expect(await members("-main")).toEqual([house.owner.id]);
    expect(await members("+main,-owner")).toEqual([house.main.id]);
    expect(await members("owner")).toEqual([house.owner.id]);
    expect(await members("all")).toBeNull();
  });

  test("show what was said last, or from an offset, with everything that steers a terminal made visible", async () => {
    const den = house.addRoom({ name: "Den", kind: "group" });
    for (let count = 1; count <= 20; count += 1) house.say(den, house.main, `message ${count} \u001b]0;x\u0007`);
    const { out } = await hearth("room", "events", "den", "--limit", "2");
    expect(out).toMatch(/^\d{4}-.* Main\nmessage 19 \\e\]0;x\\u0007\n\d{4}-.* Main\nmessage 20 /);
    const page = (await json("room", "events", "den", "--after", "4", "--limit", "3")) as {
      events: { offset: number }[];
      next: number;
    };
    expect([page.events.map(({ offset }) => offset), page.next]).toEqual([[5, 6, 7], 7]);
    expect(await json("room", "events", house.addRoom({ name: "Empty", kind: "group" }).handle)).toEqual({
      events: [],
      next: 0,
    });
  });

  test("are followed until Ctrl-C, across a daemon that starts again", async () => {
    const den = house.addRoom({ name: "Den", kind: "group" });
    house.say(den, house.main, "first");
    const terminal = createFakeTerminal({ home: house.home });
    const following = run(["room", "events", "den", "--follow", "--json"], terminal);
    await terminal.sees("first");
    house.say(den, house.main, "second");
    await terminal.sees("second");
    await house.die();
    await terminal.sees("does not answer");
    await house.rise();
    house.say(den, house.main, "third");
    await terminal.sees("third");
    terminal.interrupt();
    expect(await following).toBe(0);
    expect(
      terminal.written.out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).body.text),
    ).toEqual(["first", "second", "third"]);
  });
});

describe("keys", () => {
  const key = { key: "hearth_secret", id: `key_${"0".repeat(26)}`, name: "laptop", agent: `agent_${"0".repeat(26)}` };

  test("are made and shown once, on stdout alone", async () => {
    house.answer("POST /api/keys", key);
    expect(await json("key", "create", "--name", "laptop")).toEqual(key);
    const { out, err } = await hearth("key", "create", "--name", "laptop", "--agent", "main");
    expect(out).toBe("hearth_secret\n");
    expect(err).not.toContain("hearth_secret");
    expect(house.asked.at(-1)).toBe(`POST /api/keys {"name":"laptop","agent":"${house.main.id}"}`);
    expect((await hearth("key", "create")).code).toBe(2);
  });

  test("are revoked by id, or by the name that only one in use has", async () => {
    const { key: _key, ...info } = key;
    const other = { ...info, id: `key_${"1".repeat(26)}` };
    house.answer(`DELETE /api/keys/${key.id}`, info);
    house.answer("GET /api/keys", [
      { ...info, createdAt: 1 },
      { ...other, createdAt: 1, revokedAt: 2 },
    ]);
    expect(await hearth("key", "revoke", "laptop")).toMatchObject({ code: 0, out: `revoked ${key.id}\n` });
    expect(await hearth("key", "revoke", key.id)).toMatchObject({ code: 0 });
    house.answer("GET /api/keys", [
      { ...info, createdAt: 1 },
      { ...other, createdAt: 1 },
    ]);
    expect(await hearth("key", "revoke", "laptop")).toMatchObject({
      code: 2,
      err: 'hearth: 2 keys in use are called "laptop".\n  Name it by its id: hearth key list\n',
    });
    expect((await hearth("key", "revoke", "phone")).err).toContain('No key in use is called "phone".');
  });
});

describe("names", () => {
  const gone = `agent_${"9".repeat(26)}`;

  test("a key acts as a handle, or as an id when the agent is gone", async () => {
    const key = { id: `key_${"0".repeat(26)}`, name: "laptop", createdAt: 1 };
    house.answer("GET /api/keys", [
      { ...key, agent: house.main.id },
      { ...key, agent: gone },
    ]);
    const { out } = await hearth("key", "list");
    expect(out).toContain("laptop  @main ");
    expect(out).toContain(`laptop  ${gone}  `);
  });

  test("a member of a room that was removed is gone", async () => {
    house.addRoom({ name: "Den", kind: "group", members: [house.main.id, AgentId.parse(gone)] });
    expect((await hearth("room", "list")).out).toContain("  Main, (gone)");
    expect((await hearth("room", "show", "den")).out).toContain("members  Main, (gone)\n");
  });
});

describe("providers", () => {
  const provider = {
    name: "den",
    kind: "openai",
    source: "config",
    ready: true,
    detail: "",
    suggestedModel: "den/llama",
  };

  test("are added by reference, never with the key itself", async () => {
    house.answer("POST /api/providers", provider);
    expect(
      (
        await hearth(
          "provider",
          "add",
          "den",
          "--kind",
          "openai",
          "--base-url",
          "http://127.0.0.1:1/v1",
          "--api-key",
          "env:KEY",
        )
      ).code,
    ).toBe(0);
    expect(house.asked).toEqual([
      'POST /api/providers {"name":"den","kind":"openai","apiKey":"env:KEY","baseUrl":"http://127.0.0.1:1/v1"}',
    ]);
    const refused = await hearth("provider", "add", "den", "--api-key", "sk-very-secret");
    expect(refused.code).toBe(2);
    expect(refused.err).not.toContain("sk-very-secret");
    expect(house.asked).toHaveLength(1);
  });

  test("are to be tried with a model that is named where none is suggested", async () => {
    const { suggestedModel: _model, ...plain } = provider;
    house.answer("POST /api/providers", provider);
    expect((await hearth("provider", "add", "den")).err).toBe("Try it: hearth provider test den\n");
    house.answer("POST /api/providers", plain);
    expect((await hearth("provider", "add", "den")).err).toBe("Try it: hearth provider test den --model MODEL\n");
    house.answer("GET /api/providers", [plain]);
    expect(await hearth("provider", "test", "den")).toMatchObject({
      code: 2,
      err: 'hearth: There is no model to try with "den".\n  Name one: hearth provider test den --model MODEL\n',
    });
  });

  test("that are not there are not tried, and the nearest is named", async () => {
    house.answer("GET /api/providers", [provider]);
    for (const more of [[], ["--model", "m"]]) {
      expect(await hearth("provider", "test", "dne", ...more)).toEqual({
        code: 2,
        out: "",
        err: 'hearth: There is no provider "dne". Did you mean "den"?\n  There is: den. Add one: hearth provider add NAME --kind KIND\n',
      });
    }
  });

  test("are tried with the suggested model, and a failed call ends with 1", async () => {
    house.answer("GET /api/providers", [provider]);
    house.answer("POST /api/providers/den/test", { ok: true, detail: "hello", durationMs: 12 });
    expect(await hearth("provider", "test", "den")).toEqual({
      code: 0,
      out: "ok  den/llama: hello (12 ms)\n",
      err: "",
    });
    expect(house.asked.at(-1)).toBe('POST /api/providers/den/test {"model":"llama"}');
    house.answer("POST /api/providers/den/test", { ok: false, detail: "no key", durationMs: 12 });
    expect((await hearth("provider", "test", "den", "--model", "m")).code).toBe(1);
    expect((await hearth("provider", "test", "other")).code).toBe(2);
  });
});

describe("activations", () => {
  test("are listed over all bots, newest first", async () => {
    const other = house.addAgent({ name: "Other", kind: "bot" });
    const den = house.addRoom({ name: "Den", kind: "group" });
    const cause = house.say(den, house.owner, "hi");
    house
      .wake(cause, house.main)
      .end("failed", { error: { code: "provider.auth", message: "No key.", hint: "Add one." } });
    house.wake(cause, other).reply("yes");
    const { out } = await hearth("activation", "list");
    expect(out.split("\n")[1]).toMatch(/^act_\S+ {2}main {3}failed .* No key\.$/);
    expect(out.split("\n")[2]).toMatch(/^act_\S+ {2}other {2}replied /);
    expect(await json("activation", "list", "other")).toHaveLength(1);
  });

  test("are shown with their calls, and stopped", async () => {
    const den = house.addRoom({ name: "Den", kind: "group" });
    const { id } = house.wake(house.say(den, house.owner, "hi"), house.main);
    house.answer(`GET /api/activations/${id}`, {
      ...{
        id,
        agent: house.main.id,
        room: den.id,
        trigger: "mention",
        cause: `evt_${"0".repeat(26)}`,
        state: "running",
        usage: noUsage,
        createdAt: 1,
      },
      steps: [{ activation: id, step: 0, kind: "tool", name: "shell", state: "done", startedAt: 5, endedAt: 17 }],
    });
    expect((await hearth("activation", "show", id)).out).toContain("0     tool  shell  done   12 ms\n");
    expect(await hearth("activation", "stop", id)).toEqual({ code: 0, out: `${id} is stopped\n`, err: "" });
    expect((await hearth("activation", "stop", "nonsense")).code).toBe(2);
  });
});
