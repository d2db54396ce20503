import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FakeHouse, createFakeHouse } from "../fakes/fake-house.ts";
import { createFakeTerminal } from "../fakes/fake-terminal.ts";
import { run } from "../run.ts";
import type { Terminal } from "../terminal.ts";

let house: FakeHouse;
beforeEach(async () => {
  house = await createFakeHouse(await mkdtemp(join(tmpdir(), "hearth-chat-")));
});
afterEach(() => house.close());

const start = (words: readonly string[], options: Partial<Terminal> = {}) => {
  const terminal = createFakeTerminal({ home: house.home, ...options });
  return { terminal, code: run(["chat", ...words], terminal) };
};
const hearth = async (words: readonly string[], options: Partial<Terminal> = {}) => {
  const { terminal, code } = start(words, options);
  return { code: await code, ...terminal.written };
};

/** A bot that sends its reply in two pieces. */
const answering = (text: string): void => {
  house.onPost = (message) => {
    const activation = house.wake(message, house.main);
    activation.delta({ type: "round-start", round: 1 });
    activation.delta({ type: "text-delta", text: text.slice(0, 3) });
    activation.delta({ type: "text-delta", text: text.slice(3) });
    activation.reply(text);
  };
};

describe("one message", () => {
  test("is posted to the direct room, its reply is printed, and chat exits with 0", async () => {
    answering("Good morning.");
    expect(await hearth(["-m", "hi"])).toEqual({ code: 0, out: "Good morning.\n", err: "" });
    expect(house.requests.find((request) => request.includes("/messages"))).toMatch(
      new RegExp(
        `^POST /api/rooms/${house.directRoom(house.main).id}/messages {"text":"hi","idempotencyKey":"[0-9a-f-]{36}"}$`,
      ),
    );
  });

  test("with --new, is posted to another direct room of the two", async () => {
    answering("Good morning.");
    const first = house.directRoom(house.main).id;
    expect(await hearth(["main", "--new", "-m", "hi"])).toMatchObject({ code: 0, out: "Good morning.\n" });
    expect(house.requests.some((request) => request.startsWith(`POST /api/agents/${house.main.id}/chats`))).toBe(true);
    const posted = house.requests.find((request) => request.includes("/messages"));
    expect(posted).toMatch(/^POST \/api\/rooms\/room_/);
    expect(posted).not.toContain(first);
  });

  test("prints the untrusted sources of a reply", async () => {
    house.onPost = (message) => {
      const sources = ["https://a.example", "b\u202e", "c", "d"];
      house
        .wake(message, house.main)
        .reply("Fine.", [], { label: { integrity: "untrusted", readers: "anyone", sources } });
    };
    const { code, out, err } = await hearth(["-m", "hi"]);
    expect({ code, out }).toEqual({ code: 0, out: "Fine.\n" });
    expect(err).toMatch(/^Built from untrusted content: https:\/\/a\.example, b\\u\{?202e\}?, c and 1 more\n$/);
  });

  test("prints a reply that also answers an earlier message", async () => {
    house.onPost = (message) => {
      const room = house.directRoom(house.main);
      const host = house.wake(house.postMessage(room, house.owner, "earlier"), house.main);
      house.wake(message, house.main).end("skipped", { mergedInto: host.id, reason: "together with others" });
      host.reply("To both.", [message]);
    };
    expect(await hearth(["-m", "hi"])).toEqual({ code: 0, out: "To both.\n", err: "" });
  });

  test("to a stopped agent waits, and chat says for what", async () => {
    const posted = Promise.withResolvers<ReturnType<FakeHouse["wake"]>>();
    house.onPost = (message) => posted.resolve(house.wake(message, house.main));
    house.answer("GET /api/stops", [{ scope: "house", by: house.owner.id, at: 1 }]);
    const { terminal, code } = start(["-m", "hi"]);
    await terminal.whenWritten("Main is stopped, so your message is queued. To resume it: hearth resume-all\n");
    (await posted.promise).reply("At last.");
    expect(await code).toBe(0);
    expect(terminal.written.out).toBe("At last.\n");
  });

  const STOPPED = "All running and queued turns in this room are stopped.";
  const BEGUN = "A new session starts: agents no longer read earlier messages.";
  test.each([
    [["-m", "stop"], "stop", STOPPED],
    [["-m", "Stop!", "main", "--room", "den"], "Stop!", STOPPED],
    [["-m", "/new", "main", "--room", "den"], "/new", BEGUN],
  ])("%p is a command for the house: it is sent unchanged, and chat waits for no reply", async (words, text, said) => {
    house.addRoom({ name: "Den", kind: "group" });
    expect(await hearth(words)).toEqual({ code: 0, out: "", err: `${said}\n` });
    expect(house.requests.find((request) => request.includes("/messages"))).toContain(`"text":"${text}"`);
    expect(JSON.parse((await hearth([...words, "--json"])).out)).toMatchObject({ replies: [] });
  });

  test("is read from stdin if that is not a terminal", async () => {
    answering("ok");
    expect(
      (await hearth(["main"], { stdinIsTerminal: false, readInput: () => Promise.resolve("line one\nline two\n") }))
        .code,
    ).toBe(0);
    expect(house.requests.find((request) => request.includes("/messages"))).toContain('"text":"line one\\nline two"');
  });

  test("streams text before the reply is complete", async () => {
    const posted = Promise.withResolvers<ReturnType<FakeHouse["wake"]>>();
    house.onPost = (message) => posted.resolve(house.wake(message, house.main));
    const { terminal, code } = start(["-m", "hi"]);
    const activation = await posted.promise;
    activation.delta({ type: "text-delta", text: "So far" });
    await terminal.whenWritten("So far");
    activation.delta({ type: "tool-start", call: "a", name: "read", input: { path: "x.md" } });
    activation.delta({ type: "tool-end", call: "a", name: "read", failed: false, output: "", durationMs: 3 });
    activation.delta({ type: "round-start", round: 2 });
    activation.delta({ type: "text-delta", text: "and done." });
    activation.reply("and done.");
    expect(await code).toBe(0);
    expect(terminal.written).toEqual({ out: "So far\nand done.\n", err: "  read x.md 3 ms\n" });
  });

  test("prints the reply and its usage as JSON", async () => {
    answering("Good \u009bmorning.");
    const { code, out } = await hearth(["-m", "hi", "--json"]);
    expect(code).toBe(0);
    expect(out).toContain("\\u009b");
    expect(JSON.parse(out)).toMatchObject({
      agent: "main",
      reply: "Good \u009bmorning.",
      state: "replied",
      room: house.directRoom(house.main).id,
      usage: { inputTokens: 0, outputTokens: 0 },
    });
  });

  test("must not be empty, and needs a terminal or a text", async () => {
    expect((await hearth(["-m", " "])).err).toStartWith("hearth: The message is empty.\n");
    expect((await hearth([], { stdinIsTerminal: true, stdoutIsTerminal: false })).code).toBe(2);
    expect((await hearth(["--json"], { stdinIsTerminal: true, stdoutIsTerminal: true })).code).toBe(2);
    expect(house.requests).toEqual([]);
  });
});

describe("chat exits with 0 only for a complete reply", () => {
  const ending = (end: (activation: ReturnType<FakeHouse["wake"]>) => void): void => {
    house.onPost = (message) => {
      const activation = house.wake(message, house.main);
      activation.delta({ type: "text-delta", text: "Half a" });
      end(activation);
    };
  };

  test("a failed activation prints its reason and hint", async () => {
    ending((activation) =>
      activation.end("failed", {
        error: { code: "provider.auth", message: "The key is refused.", hint: "Add another." },
      }),
    );
    expect(await hearth(["-m", "hi"])).toEqual({
      code: 1,
      out: "Half a\n",
      err: "hearth: The key is refused.\n  Add another.\n",
    });
    const { code, out } = await hearth(["-m", "hi", "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      reply: null,
      state: "failed",
      error: { code: "provider.auth", hint: "Add another." },
    });
  });

  test("a stopped or silent activation exits with 1", async () => {
    ending((activation) => activation.end("stopped"));
    expect(await hearth(["-m", "hi"])).toMatchObject({ code: 1, err: "hearth: Main was stopped.\n" });
    ending((activation) => activation.end("skipped", { reason: "The agent had nothing to say." }));
    expect(await hearth(["-m", "hi"])).toMatchObject({
      code: 1,
      err: "hearth: Main did not reply: The agent had nothing to say.\n",
    });
  });

  test("Ctrl-C stops the reply in the house", async () => {
    const posted = Promise.withResolvers<ReturnType<FakeHouse["wake"]>>();
    house.onPost = (message) => {
      const activation = house.wake(message, house.main);
      activation.delta({ type: "text-delta", text: "Half a" });
      posted.resolve(activation);
    };
    const { terminal, code } = start(["-m", "hi"]);
    await terminal.whenWritten("Half a");
    terminal.interrupt();
    expect(await code).toBe(1);
    expect(house.requests).toContain(`POST /api/activations/${(await posted.promise).id}/stop`);
    expect(terminal.written).toEqual({ out: "Half a\n", err: "hearth: Main was stopped.\n" });
  });

  test("a second Ctrl-C no longer waits", async () => {
    house.onPost = (message) => {
      const { id, delta } = house.wake(message, house.main);
      delta({ type: "text-delta", text: "Half a" });
      // The house accepts the request and does nothing.
      house.answer(`POST /api/activations/${id}/stop`, {});
    };
    const { terminal, code } = start(["-m", "hi"]);
    await terminal.whenWritten("Half a");
    terminal.interrupt();
    terminal.interrupt();
    expect(await code).toBe(1);
    expect(terminal.written.err).toContain("Stopped waiting for the reply of Main.");
  });
});

describe("a daemon that dies in the middle", () => {
  test("is waited for, and the reply is printed once and completely", async () => {
    const posted = Promise.withResolvers<Parameters<FakeHouse["onPost"]>[0]>();
    house.onPost = posted.resolve;
    const { terminal, code } = start(["-m", "hi"]);
    const message = await posted.promise;
    const activation = house.wake(message, house.main);
    activation.delta({ type: "text-delta", text: "One, two" });
    await terminal.whenWritten("One, two");
    await house.stopServer();
    await terminal.whenWritten("does not answer");
    await house.restartServer();
    // The activation restarts from the beginning.
    activation.delta({ type: "text-delta", text: "One, " });
    activation.delta({ type: "text-delta", text: "two, three." });
    activation.reply("One, two, three.");
    expect(await code).toBe(0);
    expect(terminal.written.out).toBe("One, two, three.\n");
    expect(terminal.written.err).toBe("Hearth does not answer. Retrying ...\nHearth is back.\n");
  });

  test("before an agent woke: the activation is found in the records", async () => {
    const posted = Promise.withResolvers<Parameters<FakeHouse["onPost"]>[0]>();
    house.onPost = posted.resolve;
    const { terminal, code } = start(["-m", "hi"]);
    const message = await posted.promise;
    await house.whenRequested(`FOLLOW /api/rooms/${message.room}/live`);
    await house.stopServer();
    await terminal.whenWritten("does not answer");
    // The daemon comes back and finishes the turn before the client follows it; its live stream is
    // empty again.
    house.wake(message, house.main).reply("Done.");
    house.forgetStreams();
    await house.restartServer();
    expect(await code).toBe(0);
    expect(terminal.written.out).toBe("Done.\n");
  });
});

describe("the target of a message", () => {
  test("is main or the only bot by default, else an error asks for a name", async () => {
    house.addAgent({ name: "Other", kind: "bot" });
    answering("ok");
    expect((await hearth(["-m", "hi"])).code).toBe(0);
    expect(await run(["agent", "remove", "main"], createFakeTerminal({ home: house.home }))).toBe(0);
    house.addAgent({ name: "Third", kind: "bot" });
    expect(await hearth(["-m", "hi"])).toEqual({
      code: 2,
      out: "",
      err: "hearth: Several bots are possible.\n  Choose one: hearth chat other | third\n",
    });
  });

  test("is a bot by @handle or display name, never a person", async () => {
    answering("ok");
    expect((await hearth(["@main", "-m", "hi"])).code).toBe(0);
    expect((await hearth(["Main", "-m", "hi"])).code).toBe(0);
    expect((await hearth(["owner", "-m", "hi"])).err).toStartWith("hearth: Owner is a person.");
    expect((await hearth(["nobody", "-m", "hi"])).code).toBe(1);
  });

  test("does not exist in a group room without a mention, and chat exits with 1", async () => {
    house.addRoom({ name: "Den", kind: "group" });
    expect(await hearth(["--room", "den", "-m", "hi all"])).toEqual({
      code: 1,
      out: "",
      err: 'hearth: The message is in the room "Den" but woke no agent.\n  In a group room a bot answers when it is mentioned: @main\n',
    });
    expect(house.requests.find((request) => request.includes("/messages"))).toContain("hi all");
  });

  test("in a room is mentioned automatically", async () => {
    house.addRoom({ name: "Den", kind: "group" });
    answering("ok");
    expect((await hearth(["main", "--room", "den", "-m", "hi"])).code).toBe(0);
    expect((await hearth(["main", "--room", "den", "-m", "hi, @main"])).code).toBe(0);
    const said = house.requests
      .filter((request) => request.includes("/messages"))
      .map((request) => /"text":"([^"]*)"/.exec(request)?.[1]);
    expect(said).toEqual(["@main hi", "hi, @main"]);
    house.addRoom({ name: "Closed", kind: "group", members: [house.owner.id] });
    expect((await hearth(["main", "--room", "closed", "-m", "hi"])).err).toContain(
      "hearth room edit closed --members +main",
    );
  });

  test("may be several bots, each printed under its name; one failure sets the exit code", async () => {
    house.addRoom({ name: "Den", kind: "group" });
    const other = house.addAgent({ name: "Other", kind: "bot" });
    house.onPost = (message) => {
      house.wake(message, house.main).reply("From main.");
      house.wake(message, other).reply("From other.");
    };
    const { code, out } = await hearth(["--room", "den", "-m", "@main @other hi"]);
    expect(code).toBe(0);
    expect(out).toContain("Main:\nFrom main.\n");
    expect(out).toContain("Other:\nFrom other.\n");
    expect(JSON.parse((await hearth(["--room", "den", "-m", "@main @other hi", "--json"])).out)).toMatchObject({
      reply: "From main.",
      replies: [{ agent: "main" }, { agent: "other", reply: "From other." }],
    });
    house.onPost = (message) => {
      house.wake(message, house.main).reply("From main.");
      house.wake(message, other).end("failed", { reason: "It broke." });
    };
    expect(await hearth(["--room", "den", "-m", "@main @other hi"])).toMatchObject({
      code: 1,
      err: "hearth: It broke.\n",
    });
  });
});
