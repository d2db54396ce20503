/** Houses, people, levels, admission and wake rules at the command line, against a fake house. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { openFakeHouse, runAt } from "../fakes/fake-command-line.ts";
import type { FakeHouse } from "../fakes/fake-house.ts";
import { createFakeTerminal } from "../fakes/fake-terminal.ts";
import { run } from "../run.ts";

let house: FakeHouse;
beforeEach(async () => {
  house = await openFakeHouse();
});
afterEach(() => house.close());

const hearth = (...words: string[]) => runAt(house, words);
const json = async (...words: string[]): Promise<unknown> => JSON.parse((await hearth(...words, "--json")).out);
/** The body of the last request that starts with this text. */
const sent = (start: string): unknown => {
  const request = house.requests.findLast((line) => line.startsWith(start)) ?? `${start} null`;
  return JSON.parse(request.slice(start.length + 1));
};

describe("houses", () => {
  test("are listed with the caller's level, shown, created and changed", async () => {
    expect((await hearth("house", "list")).out).toBe("HANDLE  NAME  YOUR LEVEL  DESCRIPTION\nhome    home  x\n");
    expect(await json("house", "list")).toEqual([house.house]);
    await hearth("house", "add", "The Office", "--description", "Where we work", "--timezone", "");
    expect(sent("POST /api/houses")).toEqual({ content: { name: "The Office", description: "Where we work" } });
    await hearth("house", "edit", "the-office", "--description", "", "--timezone", "Asia/Tokyo");
    expect(house.requests.findLast((line) => line.startsWith("PATCH"))).toEndWith(
      '{"version":1,"content":{"description":null,"timezone":"Asia/Tokyo"}}',
    );
    expect((await hearth("house", "show", "the-office")).out).toMatch(/^timezone {2}Asia\/Tokyo$/m);
    expect((await hearth("house", "show")).out).toMatch(/^handle +home$/m);
    expect((await hearth("house", "edit", "home")).code).toBe(2);
  });
});

describe("people", () => {
  test("are the human agents: listed with their level, added with one, changed", async () => {
    await hearth("grant", "add", "owner", "x");
    expect((await hearth("person", "list")).out).toBe("HANDLE  NAME   LEVEL  DESCRIPTION\n@owner  Owner  x\n");
    const { out, err } = await hearth("person", "add", "Ada", "--level", "r", "--house", "home");
    expect(sent("POST /api/agents")).toEqual({
      house: house.house.id,
      level: "r",
      content: { name: "Ada", kind: "human" },
    });
    expect(out).toMatch(/^handle {3}@ada$/m);
    expect(err).toBe("To create a key for them: hearth key create --name ada --agent ada\n");
    await hearth("person", "edit", "@ada", "--description", "Mathematician", "--level", "w");
    expect(house.requests.findLast((line) => line.startsWith("PATCH"))).toEndWith(
      '"content":{"description":"Mathematician"}}',
    );
    expect((await hearth("person", "show", "ada")).out).toMatch(/^may +w on house home$/m);
    await hearth("person", "edit", "ada", "--level", "none");
    expect(house.requests.some((line) => line.startsWith(`DELETE /api/houses/${house.house.id}/grants/`))).toBe(true);
    expect(await hearth("person", "remove", "ada")).toMatchObject({ code: 0, out: "removed @ada\n" });
  });

  test("are not bots", async () => {
    expect(await hearth("person", "remove", "main")).toMatchObject({
      code: 2,
      err: "hearth: Main is a bot.\n  For bots: hearth agent show main\n",
    });
    expect(house.requests.some((line) => line.startsWith("DELETE"))).toBe(false);
  });
});

describe("levels", () => {
  test("are granted on the own house or on another place by handle or id, and removed", async () => {
    const den = house.addRoom({ name: "Den", kind: "group" });
    expect((await hearth("grant", "add", "@main", "r")).out).toBe("@main has r on house home\n");
    expect((await hearth("grant", "add", "main", "w", "--on", "den")).out).toBe("@main has w on room den\n");
    expect((await hearth("grant", "add", "main", "x", "--on", den.id)).code).toBe(0);
    expect(sent(`PUT /api/rooms/${den.id}/grants/main`)).toEqual({ level: "x" });
    const { out } = await hearth("grant", "list");
    expect(out.split("\n").map((line) => line.split(/ {2,}/).slice(0, 4))).toEqual([
      ["NAME", "LEVEL", "RIGHTS", "ON"],
      ["Main", "r", "house home", "Owner"],
      ["Main", "x", "room den", "Owner"],
      [""],
    ]);
    expect((await hearth("room", "show", "den")).out).toMatch(/^levels +Main x$/m);
    expect(await json("grant", "list", "--on", "den", "--agent", "main")).toHaveLength(1);
    await hearth("grant", "remove", "main", "--on", "den");
    expect(await json("grant", "list", "--on", "den")).toEqual([]);
    expect(await json("grant", "list")).toHaveLength(1);
  });

  test("are r, w and x, and a grant on an unknown place is refused", async () => {
    expect((await hearth("grant", "add", "main", "rw")).err).toStartWith(
      'hearth: A level is r, w, x, and a right is providers, secrets, audit, approve, not "rw".\n',
    );
    expect((await hearth("grant", "add", "main", "r", "--on", "attic")).err).toBe(
      'hearth: There is no house and no room "attic".\n  List them: hearth house list, hearth room list\n',
    );
    expect(house.requests.some((line) => line.startsWith("PUT"))).toBe(false);
  });

  test("on a name shared by a house and a room need the kind as a prefix", async () => {
    house.addRoom({ name: "Home", kind: "group" });
    expect((await hearth("grant", "add", "main", "r", "--on", "home")).err).toBe(
      'hearth: Both a house and a room are named "home".\n  Use house:home or room:home.\n',
    );
    expect((await hearth("grant", "add", "main", "r", "--on", "room:home")).out).toBe("@main has r on room home\n");
    expect((await hearth("grant", "add", "main", "r", "--on", "house:home")).out).toBe("@main has r on house home\n");
  });

  test("above one's own cannot be granted, and the last x cannot be removed; the error says why", async () => {
    const grants = `/api/houses/${house.house.id}/grants`;
    house.refuse(`PUT ${grants}/main`, { code: "grant.exceeds", message: "You do not decide there.", hint: "Ask." });
    expect(await hearth("grant", "add", "main", "x")).toEqual({
      code: 4,
      out: "",
      err: "hearth: You do not decide there.\n  Ask.\n",
    });
    house.refuse(`DELETE ${grants}/owner`, {
      code: "grant.last",
      message: "House home has no other person with x.",
    });
    expect(await hearth("grant", "remove", "owner")).toEqual({
      code: 1,
      out: "",
      err: "hearth: House home has no other person with x.\n",
    });
  });
});

describe("wake rules", () => {
  const edited = async (...words: string[]): Promise<unknown> => {
    expect((await hearth("agent", "edit", "main", ...words)).code).toBe(0);
    const { content } = sent(`PATCH /api/agents/${house.main.id}`) as { content: unknown };
    return content;
  };
  const wakes = async (): Promise<string> =>
    /^wakes +(.*)$/m.exec((await hearth("agent", "show", "main")).out)?.[1] ?? "";

  test("are set field by field, shown, and reset", async () => {
    house.answer("GET /api/providers", [{ name: "a", kind: "openai", source: "config", ready: true, detail: "" }]);
    expect(await wakes()).toStartWith("mention: ");
    expect(await edited("--trigger", "ambient")).toEqual({ triggerMode: "ambient" });
    expect(await wakes()).toBe("ambient: after 3.0 s of silence, cooldown on, relevance by words");
    expect(await edited("--debounce", "500ms", "--cooldown", "off")).toEqual({
      ambient: { debounceMs: 500, cooldown: false },
    });
    expect(await edited("--relevance", "model", "--relevance-model", "a/small")).toEqual({
      ambient: { debounceMs: 500, cooldown: false, relevance: "model", model: "a/small" },
    });
    expect(await wakes()).toBe("ambient: after 500 ms of silence, cooldown off, relevance by a/small");
    expect(await edited("--relevance", "off", "--relevance-model", "", "--debounce", "")).toEqual({
      ambient: { cooldown: false, relevance: "off" },
    });
    expect(await wakes()).toBe("ambient: after 3.0 s of silence, cooldown off, everything is relevant");
    expect((await hearth("agent", "edit", "main", "--debounce", "soon")).code).toBe(2);
  });

  test("do not apply to a bot that runs elsewhere", async () => {
    await hearth("agent", "add", "Echo", "--runs", "elsewhere", "--level", "none");
    expect(sent("POST /api/agents")).toEqual({
      level: "none",
      content: { name: "Echo", kind: "bot", runs: "elsewhere" },
    });
    const { out } = await hearth("agent", "show", "echo");
    expect(out).toMatch(/^runs +elsewhere: /m);
    expect(out).not.toMatch(/^(wakes|model|tools|queue) /m);
    const { code, err } = await hearth("chat", "echo", "-m", "hello");
    expect(code).toBe(1);
    expect(err).toContain(
      "Echo runs elsewhere. Its reply will appear in the room. To follow it: hearth room events room_",
    );
  });
});

describe("admission to a room", () => {
  test("is set with handles, changed, shown and removed", async () => {
    const den = house.addRoom({ name: "Den", kind: "group" });
    house.addAgent({ name: "Ada", kind: "human" });
    const edited = async (...words: string[]): Promise<unknown> => {
      expect((await hearth("room", "edit", "den", ...words)).code).toBe(0);
      return (sent(`PATCH /api/rooms/${den.id}`) as { content: { admission: unknown } }).content.admission;
    };
    const told = async (): Promise<string | undefined> =>
      /^admission +(.*)$/m.exec((await hearth("room", "show", "den")).out)?.[1];
    expect(await told()).toBeUndefined();
    expect(await edited("--admission-mode", "allow")).toEqual({ mode: "allow" });
    expect(await told()).toBe("no one");
    expect(await edited("--admission-allow", "owner,@main")).toEqual({
      mode: "allow",
      allow: [house.owner.id, house.main.id],
    });
    expect(await edited("--admission-allow=-main", "--admission-block", "main", "--admission-wake", "+owner")).toEqual({
      mode: "allow",
      allow: [house.owner.id],
      block: [house.main.id],
      wake: [house.owner.id],
    });
    expect(await edited("--admission-direct-only", "yes", "--admission-mention-required", "yes")).toMatchObject({
      directOnly: true,
      mentionRequired: true,
    });
    expect(await told()).toBe(
      "only Owner; never Main; only in direct rooms; only when an agent is mentioned; every message of Owner wakes each bot",
    );
    await edited("--admission-mode", "open", "--admission-allow", "", "--admission-block", "");
    expect(
      await edited("--admission-wake", "", "--admission-direct-only", "no", "--admission-mention-required", "no"),
    ).toBeNull();
    expect(await told()).toBeUndefined();
    expect((await hearth("room", "edit", "den", "--admission-allow", "nobody")).code).toBe(1);
  });
});

describe("activations", () => {
  test("are filtered by skip reason, cause and time, and show the reason", async () => {
    const den = house.addRoom({ name: "Den", kind: "group" });
    const { id } = house.wake(house.postMessage(den, house.owner, "hm"), house.main);
    house.answer(`GET /api/agents/${house.main.id}/activations`, [
      {
        id,
        agent: house.main.id,
        room: den.id,
        trigger: "ambient",
        cause: `evt_${"0".repeat(26)}`,
        depth: 0,
        state: "skipped",
        skip: "cooldown",
        reason: "It wrote a moment ago.",
        createdAt: 1,
        usage: { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 },
      },
    ]);
    const words = ["--skip", "cooldown", "--trigger", "ambient", "--since", "10min", "--room", "den"];
    const { out } = await hearth("activation", "list", "main", ...words);
    expect(out).toMatch(/ambient +skipped .* cooldown: It wrote a moment ago\.$/m);
    expect(house.queries.at(-1)).toEqual({
      limit: "20",
      room: den.id,
      trigger: "ambient",
      skip: "cooldown",
      since: String(1_000_000 - 600_000),
    });
    expect((await hearth("activation", "list", "main", "--since", "yesterday")).code).toBe(2);
    expect((await hearth("activation", "list", "main", "--skip", "tired")).code).toBe(2);
  });
});

describe("from another machine", () => {
  const elsewhere = async (env: Record<string, string>, ...words: string[]) => {
    const terminal = createFakeTerminal({ env: { HOME: "/nonexistent", ...env } });
    return { code: await run(words, terminal), ...terminal.written };
  };

  test("a house is reached by its address and a key, and no home is read", async () => {
    const { url, token } = house.facts();
    const env = { HEARTH_URL: url, HEARTH_KEY: ` ${token}\n` };
    expect((await elsewhere(env, "house", "list")).code).toBe(0);
    expect(await elsewhere({ ...env, HEARTH_KEY: "wrong" }, "house", "list")).toMatchObject({ code: 4, out: "" });
    // Its process is on another machine, so the command does not wait for it.
    house.answer("GET /api/status", {
      version: "1",
      home: "/h",
      url,
      pid: process.pid,
      startedAt: 1,
      durability: "process",
      houses: 1,
      rooms: 1,
      agents: 1,
      activations: { queued: 0, running: 0 },
      cells: [],
    });
    expect(await elsewhere(env, "stop")).toMatchObject({ code: 0, out: "stopping\n" });
    await house.stopServer();
    for (const words of [["house", "list"], ["doctor"]])
      expect(await elsewhere(env, ...words)).toEqual({
        code: 3,
        out: "",
        err: `hearth: No house answers at ${url}.\n  Check that HEARTH_URL is the house's address and that the house is running.\n`,
      });
    await house.restartServer();
  });

  test("a key alone acts as its agent at the home's own daemon", async () => {
    const words = ["house", "list", "--home", house.home];
    expect((await elsewhere({}, ...words)).code).toBe(0);
    expect((await elsewhere({ HEARTH_KEY: "wrong" }, ...words)).code).toBe(4);
  });
});
