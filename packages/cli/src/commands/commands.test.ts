/** What the commands ask the house and what they print, each against a house that does as it is told. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { AgentId, noUsage } from "@hearth/protocol";
import { openFakeHouse, runAt } from "../fake-command-line.ts";
import type { FakeHouse } from "../fake-house.ts";
import { createFakeTerminal } from "../fake-terminal.ts";
import { run } from "../run.ts";
import { localTime } from "../time.ts";
import type { Terminal } from "../terminal.ts";

let house: FakeHouse;
beforeEach(async () => {
  house = await openFakeHouse();
});
afterEach(() => house.close());

const hearthAt = (options: Partial<Terminal>, ...words: string[]) => runAt(house, words, options);
const hearth = (...words: string[]) => hearthAt({}, ...words);
const json = async (...words: string[]): Promise<unknown> => JSON.parse((await hearth(...words, "--json")).out);

const status = {
  ...{
    version: "1.2.3",
    home: "/h",
    url: "http://127.0.0.1:1",
    pid: 7,
    startedAt: 1_000_000 - 65_000,
    durability: "process",
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
    expect(out).toContain("durability   process: what was accepted survives a killed process, not a power cut\n");
    expect(out).toContain("activations  5 running, 4 queued\n");
    expect(await json("status")).toEqual(status);
  });

  test("doctor --security says what is open, where, and the command that mends it, and ends with 1 where it is grave", async () => {
    const finding = (severity: string) => ({
      ...{ id: "file.mode", severity, what: "Others\u001b[2J read it.", where: "/home/keys" },
      mend: { kind: "command", command: "chmod go-rwx /home/keys" },
      instead: "Or move it.",
    });
    house.answer("GET /api/security", { findings: [finding("high")], unseen: ["Walls."] });
    expect(await hearth("doctor", "--security")).toEqual({
      code: 1,
      out: "high   file.mode, /home/keys: Others\\e[2J read it.\n       chmod go-rwx /home/keys\n       Or move it.\n",
      err: "Not seen: Walls.\n",
    });
    house.answer("GET /api/security", { findings: [finding("low")], unseen: [] });
    expect((await hearth("doctor", "--security", "--json")).code).toBe(0);
    house.answer("GET /api/security", { findings: [], unseen: [] });
    expect((await hearth("doctor", "--security")).out).toBe(
      "Nothing is open wider than it has to be, as far as could be seen.\n",
    );
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
    expect((await hearth("agent", "show", "main")).out).toContain(
      "tools      every tool that needs no person's word\n",
    );
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
    expect(house.asked.slice(0, 2)).toEqual([
      "GET /api/providers",
      'POST /api/agents {"content":{"model":"a/b","prompt":"Be brief.","tools":["read","list"],"name":"Archive Bot","kind":"bot"}}',
    ]);
  });

  const edited = async (...words: string[]): Promise<unknown> => {
    const { id } = house.main;
    expect((await hearth("agent", "edit", "main", ...words)).code).toBe(0);
    const sent = house.asked.findLast((request) => request.startsWith("PATCH")) ?? "";
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
    const free = [
      ...["read", "write", "edit", "apply_patch", "list", "glob", "grep", "time", "send_to_agent", "ask_agent"],
      ...["read_brain", "write_brain", "remember", "recall"],
      ...["schedule_task", "list_tasks", "pause_task", "resume_task", "cancel_task", "find_tools"],
    ];
    expect(await edited("--tools", "+shell,-time")).toMatchObject({
      content: { tools: [...free.filter((tool) => tool !== "time"), "shell"] },
    });
    expect(await edited("--tools", "-shell,-read")).toMatchObject({
      version: 2,
      content: { tools: free.filter((tool) => tool !== "time" && tool !== "read") },
    });
    expect(await edited("--tools", "read,shell")).toMatchObject({ content: { tools: ["read", "shell"] } });
    expect(await edited("--tools", "default")).toMatchObject({ content: { tools: null } });
    expect(await edited("--tools", "")).toMatchObject({ content: { tools: [] } });
  });

  test("have models to fall back on that are set in order, changed, shown and taken away", async () => {
    house.answer("GET /api/providers", [{ name: "a", kind: "openai", source: "config", ready: true, detail: "" }]);
    expect(await edited("--fallback", "a/b, c/d")).toMatchObject({ content: { fallback: ["a/b", "c/d"] } });
    expect((await hearth("agent", "show", "main")).out).toContain("fallback   a/b, c/d\n");
    expect((await hearth("agent", "edit", "main", "--fallback", "+e/f,-a/b")).err).toBe(
      'There is no provider "c" yet. Add it: hearth provider add c --kind …\n' +
        'There is no provider "e" yet. Add it: hearth provider add e --kind …\n',
    );
    expect(house.asked.findLast((request) => request.startsWith("PATCH"))).toContain(
      '"content":{"fallback":["c/d","e/f"]}',
    );
    expect(await edited("--fallback", "")).toMatchObject({ content: { fallback: null } });
    expect((await hearth("agent", "show", "main")).out).not.toContain("fallback");
  });

  test("have a way with messages that come while they work, which is set, shown and one of four", async () => {
    expect((await hearth("agent", "show", "main")).out).toMatch(/^queue {6}steer: It reads them at its next step/m);
    expect(await edited("--queue", "collect")).toMatchObject({ content: { queue: "collect" } });
    expect((await hearth("agent", "show", "main")).out).toMatch(/^queue {6}collect: When it is done/m);
    await hearth("agent", "add", "Ben", "--queue", "interrupt");
    expect(house.asked.findLast((request) => request.startsWith("POST"))).toContain('"queue":"interrupt"');
    expect((await hearth("agent", "edit", "main", "--queue", "later")).code).toBe(2);
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
      head: 0,
    });
  });

  test("show a message as it stands: the new text of an edited one, that one was deleted and not what it said", async () => {
    const den = house.addRoom({ name: "Den", kind: "group" });
    const [old, kept, gone] = ["from before", "teh", "a secret"].map((text) => house.say(den, house.main, text));
    if (old === undefined || kept === undefined || gone === undefined) throw new Error("three were said");
    house.change(kept, "the \u001b]0;x\u0007");
    house.change(gone, "still a secret");
    house.change(gone);
    house.change(old, "from before, edited");
    const { out } = await hearth("room", "events", "den", "--limit", "6");
    expect(out.replaceAll(/\d{4}-\d\d-\d\d \S+ /g, "")).toBe(
      [
        "Main (edited)",
        "the \\e]0;x\\u0007",
        "Main deleted a message",
        "Main (edited)",
        "from before, edited",
        "",
      ].join("\n"),
    );
    expect(((await json("room", "events", "den")) as { events: unknown[] }).events).toHaveLength(7);
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

test("login prints a new link, and how long it is good", async () => {
  const link = { url: "http://127.0.0.1:1/login?code=abc", expiresAt: 1_000_000 + 600_000 };
  house.answer("POST /api/login-links", link);
  expect(await hearth("login")).toEqual({ code: 0, out: `${link.url}\n`, err: "Good once, within 10 min.\n" });
  expect(await json("login")).toEqual(link);
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

  test("are given a key on stdin, and it is on no screen", async () => {
    house.answer("POST /api/providers", { ...provider, detail: "key from file:keys/den" });
    const readInput = () => Promise.resolve("sk-typed-4711\n");
    const add = (input: Partial<Terminal>, ...more: string[]) =>
      hearthAt({ stdinIsTerminal: false, ...input }, "provider", "add", "den", "--key-stdin", ...more);
    const added = await add({ readInput }, "--kind", "openai");
    expect(added).toEqual({ code: 0, out: "added den\n", err: "Try it: hearth provider test den\n" });
    const asked = 'POST /api/providers {"name":"den","kind":"openai","key":"sk-typed-4711"}';
    expect(house.asked).toEqual([asked]);
    const pasted = await add({ readInput, stdinIsTerminal: true });
    expect(pasted.err).toStartWith("Paste the key, then press Enter and Ctrl-D.\n");
    for (const input of ["", " \n", "sk-typed-4711 and more", "KEY=sk-typed-4711\nOTHER=1", "x4711".repeat(101)]) {
      const refused = await add({ readInput: () => Promise.resolve(input) });
      expect([refused.code, refused.out]).toEqual([2, ""]);
      expect(refused.err).toContain("stdin");
      expect(refused.err).not.toContain("4711");
    }
    expect((await add({ readInput }, "--api-key", "env:KEY")).code).toBe(2);
    expect(house.asked).toHaveLength(2);
  });

  test("of this machine are found, with what to type next", async () => {
    house.answer("GET /api/providers/found", []);
    expect(await hearth("provider", "found")).toEqual({
      code: 0,
      out: "",
      err: "Nothing was found that is not set up already.\n",
    });
    const server = { name: "ollama", kind: "openai", baseUrl: "http://127.0.0.1:1/v1", models: ["small", "b\u001b"] };
    house.answer("GET /api/providers/found", [server]);
    expect(await json("provider", "found")).toEqual([server]);
    const { out, err } = await hearth("provider", "found");
    expect(out).toContain("ollama  openai  http://127.0.0.1:1/v1  small, b\\e\n");
    expect(err).toBe("Use it: hearth provider add ollama --kind openai --base-url http://127.0.0.1:1/v1\n");
  });

  test("are asked for their models, one a line", async () => {
    house.answer("GET /api/providers/den/models", ["large", "sm\u001ball"]);
    expect(await hearth("provider", "models", "den")).toEqual({ code: 0, out: "large\nsm\\eall\n", err: "" });
    expect(await json("provider", "models", "den")).toEqual(["large", "sm\u001ball"]);
    house.answer("GET /api/providers/den/models", []);
    expect(await hearth("provider", "models", "den")).toEqual({ code: 0, out: "", err: '"den" names no models.\n' });
    const refusal = { code: "provider.auth", message: "den has no key.", hint: "Give it one." } as const;
    house.refuse("GET /api/providers/den/models", refusal);
    expect(await hearth("provider", "models", "den")).toEqual({
      code: 1,
      out: "",
      err: "hearth: den has no key.\n  Give it one.\n",
    });
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
    expect(out.split("\n")[1]).toMatch(/^act_\S+ {2}main {3}direct {3}failed .* No key\.$/);
    expect(out.split("\n")[2]).toMatch(/^act_\S+ {2}other {2}direct {3}replied /);
    expect(await json("activation", "list", "other")).toHaveLength(1);
  });

  test("that wait say for what, and those that were merged into another say into which", async () => {
    const den = house.addRoom({ name: "Den", kind: "group" });
    const host = house.wake(house.say(den, house.owner, "one"), house.main);
    house.wake(house.say(den, house.owner, "two"), house.main).end("skipped", { mergedInto: host.id });
    house.wake(house.say(den, house.owner, "three"), house.main).end("waiting");
    const { out } = await hearth("activation", "list");
    expect(out).toMatch(new RegExp(`skipped .* answered by ${host.id}$`, "m"));
    expect(out).toMatch(/waiting .* It waits for a person's decision\.$/m);
  });

  /** A turn that read a file, took in what was said meanwhile, and answered all of it. */
  const tellTurn = () => {
    const den = house.addRoom({ name: "Den", kind: "group" });
    const [one, two] = [house.say(den, house.owner, "one"), house.say(den, house.owner, "two")];
    const host = house.wake(one, house.main);
    const merged = house.wake(two, house.main);
    merged.end("skipped", { mergedInto: host.id });
    const usage = { ...noUsage, inputTokens: 200, cacheReadTokens: 1000, outputTokens: 50 };
    const step = { activation: host.id, effect: "pure", state: "done", startedAt: 5000, endedAt: 5012 };
    const { id } = host;
    house.answer(`GET /api/activations/${id}`, {
      ...{
        id,
        agent: house.main.id,
        room: den.id,
        trigger: "mention",
        cause: one.id,
        state: "replied",
        usage,
        depth: 0,
      },
      ...{ createdAt: 1000, startedAt: 2000, endedAt: 6100, model: "a/b" },
      message: { author: house.owner.id, at: 1, text: "look \u001b[2J into it" },
      steps: [
        { ...step, step: 0, kind: "model", name: "a/b", usage, glimpse: "asks for read" },
        { ...step, step: 1, kind: "tool", name: "read", glimpse: "no such file", failed: true },
        { ...step, step: 2, kind: "tool", name: "shell", effect: "plain", state: "unknown" },
        { ...step, step: 3, kind: "intake", name: "main", glimpse: "two", messages: [two.id] },
      ],
      parts: [
        { kind: "text", text: "Let me see." },
        { kind: "tool", call: "a", name: "read", input: { path: "x" }, state: "failed" },
        { kind: "tool", call: "b", name: "shell", input: { command: "date" }, state: "unknown" },
      ],
    });
    return { host, merged, one, two };
  };

  test("are explained: what woke it, when, what it did, whom it answers, what it cost", async () => {
    const { host, merged } = tellTurn();
    const { out } = await hearth("activation", "show", host.id);
    for (const line of [
      /^woken by {2}a mention by Owner: look \\e\[2J into it$/,
      /^room {6}Den$/,
      /^started {3}\S+ \S+, after 1\.0 s$/,
      /^ended {5}\S+ \S+, after 4\.1 s$/,
      /^state {5}replied$/,
      new RegExp(`^answers {3}2 messages, also that of ${merged.id}$`),
      /^tokens {4}1200 in \(1000 cached\), 50 out$/,
      /^0 +model +a\/b +pure +done +12 ms +1200 in \(1000 cached\), 50 out +asks for read$/,
      /^1 +tool +read +pure +done +12 ms +{"path":"x"} → failed: no such file$/,
      /^2 +tool +shell +plain +unknown +12 ms +{"command":"date"} → nobody knows what came of it$/,
      /^3 +intake +main +pure +done +12 ms +took in 1 message: two$/,
    ])
      expect(out.split("\n").some((text) => line.test(text)) || out).toBe(true);
  });

  test("are explained in JSON with all that is known, and the messages that they answer", async () => {
    const { host, merged, one, two } = tellTurn();
    expect(await json("activation", "show", host.id)).toMatchObject({
      ...{ id: host.id, state: "replied", merged: [merged.id], answers: [one.id, two.id] },
      ...{ message: { author: house.owner.id }, steps: { length: 4 }, parts: { length: 3 } },
    });
    expect(await json("activation", "show", merged.id)).toMatchObject({ mergedInto: host.id, answers: [] });
  });

  test("are explained though message and room are gone, and stopped", async () => {
    const den = house.addRoom({ name: "Den", kind: "group" });
    const { id } = house.wake(house.say(den, house.owner, "hi"), house.main);
    await hearth("room", "remove", "den");
    const { out } = await hearth("activation", "show", id);
    expect(out).toContain("woken by  a direct message that was deleted\n");
    expect(out).toContain(`room      ${den.id}, which was removed\n`);
    const where = { host: "allowed.example", port: 443, method: "GET", path: "/a", at: 1000 };
    const line = {
      id: `egr_${"0".repeat(26)}`,
      agent: house.main.id,
      activation: id,
      ...where,
      sentBytes: 120,
      receivedBytes: 4096,
    };
    house.answer(`GET /api/activations/${id}/egress`, [
      { ...line, outcome: "allowed", status: 200, secrets: ["github"] },
      { ...line, outcome: "refused", why: "Not granted.", secrets: [] },
      {
        ...line,
        outcome: "allowed",
        status: 200,
        secrets: [],
        usage: { ...noUsage, inputTokens: 12, outputTokens: 3 },
      },
    ]);
    const shown = (await hearth("activation", "egress", id)).out;
    expect(shown).toMatch(/allowed 200 +GET allowed\.example:443\/a +120 +4096 +github/);
    expect(shown).toMatch(/refused +GET allowed\.example:443\/a +120 +4096 +Not granted\./);
    expect(shown).toMatch(/allowed 200 +GET allowed\.example:443\/a +120 +4096 +12 in, 3 out/);
    expect(await json("activation", "egress", id)).toMatchObject([
      ...[{ secrets: ["github"] }, { why: "Not granted." }, { usage: { inputTokens: 12 } }],
    ]);
    expect(await hearth("activation", "stop", id)).toEqual({ code: 0, out: `${id} is stopped\n`, err: "" });
    expect((await hearth("activation", "stop", "nonsense")).code).toBe(2);
  });
});

describe("STOP", () => {
  const at = 1_000_000;
  const hold = () => ({ scope: house.main.id, by: house.owner.id, at });
  const all = () => ({ scope: "house", by: house.owner.id, at });
  const since = localTime(at);
  /** A message to Main that waits. */
  const leaveWaiting = (): void => {
    house.answer(`GET /api/agents/${house.main.id}/activations`, [
      {
        ...{ id: `act_${"0".repeat(26)}`, agent: house.main.id, room: house.directRoom(house.main).id },
        ...{
          trigger: "direct",
          cause: `evt_${"0".repeat(26)}`,
          state: "queued",
          usage: noUsage,
          depth: 0,
          createdAt: 1,
        },
      },
    ]);
  };

  test("of one agent asks for it, and tells what waits and how it goes on", async () => {
    house.answer(`POST /api/agents/${house.main.id}/stop`, hold());
    leaveWaiting();
    expect(await hearth("agent", "stop", "main")).toEqual({
      ...{ code: 0, out: "@main is stopped; 1 message waits\n" },
      err: "It goes on with: hearth agent resume main\n",
    });
    expect(await json("agent", "stop", "main")).toEqual({ ...hold(), waiting: 1 });
  });

  test("of one agent ends, and it is told when a stop of all goes on", async () => {
    house.answer(`POST /api/agents/${house.main.id}/resume`, { resumed: true });
    expect(await hearth("agent", "resume", "main")).toEqual({ code: 0, out: "@main is resumed\n", err: "" });
    house.answer(`POST /api/agents/${house.main.id}/resume`, { resumed: false });
    house.answer("GET /api/stops", [all()]);
    expect(await hearth("agent", "resume", "main")).toEqual({
      ...{ code: 0, out: "@main was not stopped by itself\n" },
      err: "All agents are stopped. They go on with: hearth resume-all\n",
    });
    expect(await json("agent", "resume", "main")).toEqual({ resumed: false, stopped: true });
  });

  test("is for bots: a person is refused", async () => {
    house.addAgent({ name: "Ada", kind: "human" });
    for (const verb of ["stop", "resume"]) {
      const { code, err } = await hearth("agent", verb, "ada");
      expect([code, err.split("\n")[0]]).toEqual([2, "hearth: Ada is a person; only bots are stopped and resumed."]);
    }
    expect(house.asked.filter((request) => request.startsWith("POST"))).toEqual([]);
  });

  test("shows in the list of agents, in one of them and in the status", async () => {
    house.answer("GET /api/stops", [hold(), all()]);
    house.answer("GET /api/status", status);
    leaveWaiting();
    house.addAgent({ name: "Other", kind: "bot" });
    const { out } = await hearth("agent", "list");
    expect(out).toEndWith(
      `@main is stopped by Owner since ${since}, 1 message waits\n` +
        `@other is stopped with all agents by Owner since ${since}, no message waits\n`,
    );
    expect((await hearth("agent", "show", "main")).out).toContain(
      `state      stopped by Owner since ${since}, 1 message waits\n`,
    );
    expect((await hearth("status")).out).toContain(
      `stopped      @main by Owner since ${since}, until: hearth agent resume main; all agents by Owner since ${since}, until: hearth resume-all\n`,
    );
    expect(await json("status")).toEqual({ ...status, stops: [hold(), all()] });
    expect(await json("agent", "show", "main")).toMatchObject({ stopped: { ...hold(), name: "Owner", waiting: 1 } });
    expect(await json("agent", "list")).toMatchObject([
      {},
      { handle: "main", stopped: { waiting: 1 } },
      { stopped: all() },
    ]);
  });

  test("of all agents begins and ends, and who was stopped alone is named", async () => {
    house.answer("POST /api/stop-all", all());
    expect(await hearth("stop-all")).toEqual({
      ...{ code: 0, out: "all agents are stopped\n", err: "Messages wait. They go on with: hearth resume-all\n" },
    });
    expect(await json("stop-all")).toEqual(all());
    house.answer("POST /api/resume-all", { resumed: true });
    house.answer("GET /api/stops", [hold()]);
    expect(await hearth("resume-all")).toEqual({
      ...{ code: 0, out: "the agents go on\n" },
      err: "@main was stopped by itself, and stays so: hearth agent resume main\n",
    });
    house.answer("POST /api/resume-all", { resumed: false });
    expect((await hearth("resume-all")).out).toBe("there was no stop of all agents\n");
    expect(await json("resume-all")).toEqual({ resumed: false, stopped: [house.main.id] });
  });

  test("of agents and of the daemon are told apart by each one's help", async () => {
    const help = async (...words: string[]): Promise<string> => (await hearth(...words, "--help")).out;
    expect(await help("stop")).toMatch(/hearth agent stop AGENT, or hearth stop-all/);
    expect(await help("stop-all")).toMatch(/hearth agent stop AGENT\. .* hearth stop ends it/);
    expect(await help("agent", "stop")).toMatch(/hearth stop-all[^]*hearth stop$/m);
  });
});
