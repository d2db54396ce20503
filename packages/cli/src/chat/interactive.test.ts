/** The interactive chat as a person meets it: the real command in a real terminal. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Approval, StoredMessage } from "@hearth/protocol";
import { type FakeActivation, type FakeHouse, createFakeHouse } from "../fakes/fake-house.ts";
import { askIn } from "./fake-asked.ts";

const MAIN = join(import.meta.dir, "../main.ts");
const CTRL_C = "\u0003";
const CTRL_D = "\u0004";

let house: FakeHouse;
const ending: (() => void)[] = [];
beforeEach(async () => {
  house = await createFakeHouse(await mkdtemp(join(tmpdir(), "hearth-chat-")));
});
afterEach(async () => {
  for (const end of ending.splice(0)) end();
  await house.close();
});

interface Seat {
  type(keys: string): void;
  /** Resolves once this text appears after the text seen last. Escape sequences are ignored. */
  sees(text: string): Promise<void>;
  /** All output so far, with escape sequences. */
  raw(): string;
  readonly left: Promise<number>;
}

const sit = (...words: string[]): Seat => {
  let raw = "";
  let from = 0;
  let waiting: { readonly text: string; readonly resolve: () => void } | undefined;
  const look = (): void => {
    if (waiting === undefined) return;
    const at = Bun.stripANSI(raw).indexOf(waiting.text, from);
    if (at === -1) return;
    from = at + waiting.text.length;
    waiting.resolve();
    waiting = undefined;
  };
  const decoder = new TextDecoder();
  const child = Bun.spawn([process.execPath, "--no-install", "--no-env-file", MAIN, "chat", ...words], {
    env: { ...process.env, HEARTH_HOME: house.home, TERM: "xterm-256color", NO_COLOR: "" },
    terminal: {
      cols: 80,
      rows: 24,
      data(_terminal, bytes) {
        raw += decoder.decode(bytes, { stream: true });
        look();
      },
    },
  });
  ending.push(() => {
    child.kill("SIGKILL");
    child.terminal?.close();
  });
  return {
    type: (keys) => void child.terminal?.write(keys),
    sees: (text) =>
      new Promise((resolve) => {
        waiting = { text, resolve };
        look();
      }),
    raw: () => raw,
    left: child.exited,
  };
};

/** The activation that the next message starts. */
const nextWakeUp = (): Promise<FakeActivation> =>
  new Promise((resolve) => {
    house.onPost = (message) => resolve(house.wake(message, house.main));
  });

const historyOf = (): Promise<string> => readFile(join(house.home, "chat-history"), "utf8");

test("replies are streamed in order, and Ctrl-D leaves", async () => {
  const seat = sit();
  await seat.sees("Chat with Main.");
  await seat.sees("› ");
  const first = nextWakeUp();
  seat.type("good morning\r");
  const activation = await first;
  activation.delta({ type: "text-delta", text: "Good " });
  await seat.sees("Main\r\nGood ");
  activation.delta({ type: "text-delta", text: "morning \u001b]0;evil\u0007!" });
  activation.reply("Good morning \u001b]0;evil\u0007!");
  await seat.sees("morning \\e]0;evil\\u0007!\r\n");
  await seat.sees("› ");
  expect(seat.raw()).not.toContain("\u001b]0;");
  seat.type(CTRL_D);
  expect(await seat.left).toBe(0);
  expect(await historyOf()).toBe("good morning\n");
  expect((await stat(join(house.home, "chat-history"))).mode & 0o777).toBe(0o600);
});

test("Ctrl-C stops the reply; at the prompt it clears the line, and pressed twice it leaves", async () => {
  const seat = sit("main");
  await seat.sees("› ");
  const woken = nextWakeUp();
  seat.type("write me a long story\r");
  const activation = await woken;
  activation.delta({ type: "text-delta", text: "Once upon" });
  await seat.sees("Once upon");
  seat.type(CTRL_C);
  await house.asks(`POST /api/activations/${activation.id}/stop`);
  await seat.sees("stopped");
  await seat.sees("› ");
  seat.type("half a line");
  await seat.sees("half a line");
  seat.type(CTRL_C);
  seat.type(CTRL_C);
  await seat.sees("Press Ctrl-C again to leave.");
  seat.type(CTRL_C);
  expect(await seat.left).toBe(0);
  expect(house.asked.filter((request) => request.includes("half a line"))).toEqual([]);
});

test("other messages appear once above the input line, and recent messages are shown at the start", async () => {
  const room = house.addRoom({ name: "Den", kind: "group" });
  const ada = house.addAgent({ name: "Ada", kind: "human" });
  house.say(room, ada, "from yesterday");
  const seat = sit("--room", "den");
  await seat.sees("Ada\r\nfrom yesterday");
  await seat.sees("› ");
  seat.type("half a");
  await seat.sees("half a");
  house.say(room, ada, "hello from Ada");
  await seat.sees("Ada\r\nhello from Ada\r\n");
  await seat.sees("› half a");
  seat.type(" line\r");
  await seat.sees("In a group room a bot answers when it is mentioned: @main");
  await seat.sees("› ");
  expect(house.asked.find((request) => request.includes("/messages"))).toContain('"text":"half a line"');
  house.say(room, ada, "bye");
  await seat.sees("bye");
  expect(seat.raw().split("from yesterday")).toHaveLength(2);
  expect(seat.raw().split("Owner")).toHaveLength(1);
  seat.type("/quit\r");
  expect(await seat.left).toBe(0);
});

test("an edit shows the new text, a deletion shows a note, and messages deleted earlier are hidden", async () => {
  const room = house.addRoom({ name: "Den", kind: "group" });
  const ada = house.addAgent({ name: "Ada", kind: "human" });
  const [early, gone] = [house.say(room, ada, "erly"), house.say(room, ada, "a secret")];
  house.change(early, "early");
  house.change(gone);
  const seat = sit("--room", "den");
  await seat.sees("Ada (edited)\r\nearly");
  await seat.sees("Ada deleted a message");
  await seat.sees("› ");
  const late = house.say(room, ada, "laet");
  await seat.sees("Ada\r\nlaet");
  house.change(late, "late");
  await seat.sees("Ada (edited)\r\nlate");
  house.change(late);
  await seat.sees("Ada deleted a message");
  expect(seat.raw()).not.toContain("a secret");
  expect(seat.raw()).not.toContain("erly\r\n");
  seat.type(CTRL_D);
  expect(await seat.left).toBe(0);
});

test("a message typed during a reply is sent at once, and its reply follows the first", async () => {
  const seat = sit();
  await seat.sees("› ");
  const first = nextWakeUp();
  seat.type("one\r");
  const activation = await first;
  activation.delta({ type: "text-delta", text: "Answer one" });
  await seat.sees("Answer one");
  const second = nextWakeUp();
  seat.type("two\rthr");
  const other = await second;
  await seat.sees("› two\r\n");
  other.delta({ type: "text-delta", text: "Answer two" });
  activation.delta({ type: "text-delta", text: ", and more" });
  await seat.sees(", and more");
  activation.reply("Answer one, and more");
  await seat.sees("Main\r\nAnswer two");
  other.reply("Answer two");
  await seat.sees("› thr");
  expect(
    house.asked
      .filter((request) => request.includes("/messages"))
      .map((request) => /"text":"(\w+)"/.exec(request)?.[1]),
  ).toEqual(["one", "two"]);
  seat.type("ee\u0001\u000b");
  seat.type(CTRL_D);
  expect(await seat.left).toBe(0);
});

/** Sends "two" while Main works on "one". */
const sayTwo = async (seat: Seat) => {
  await seat.sees("› ");
  const causes: StoredMessage[] = [];
  const woken: FakeActivation[] = [];
  const both = Promise.withResolvers<void>();
  house.onPost = (message) => {
    causes.push(message);
    woken.push(house.wake(message, house.main));
    if (woken.length === 2) both.resolve();
  };
  seat.type("one\r");
  await seat.sees("Main");
  seat.type("two\r");
  await both.promise;
  await seat.sees("› two");
  return { causes, woken } as { causes: [StoredMessage, StoredMessage]; woken: [FakeActivation, FakeActivation] };
};

test("a reply that answers two messages is printed once", async () => {
  const seat = sit();
  const { causes, woken } = await sayTwo(seat);
  const [host, merged] = woken;
  merged.end("skipped", { mergedInto: host.id });
  host.delta({ type: "text-delta", text: "Both at once" });
  host.reply("Both at once", [causes[1]]);
  await seat.sees("Both at once\r\n");
  await seat.sees("› ");
  house.onPost = (message) => house.wake(message, house.main).reply("Three too");
  seat.type("three\r");
  await seat.sees("Three too");
  await seat.sees("› ");
  seat.type(CTRL_D);
  expect(await seat.left).toBe(0);
  const screen = Bun.stripANSI(seat.raw());
  expect(screen.match(/Both at once/g)).toHaveLength(1);
  expect(screen.match(/^Main\r$/gm)).toHaveLength(2);
});

test("a reply merged into a newer one is printed once", async () => {
  const seat = sit();
  const { causes, woken } = await sayTwo(seat);
  const [left, host] = woken;
  left.delta({ type: "text-delta", text: "Half of" });
  await seat.sees("Half of");
  left.end("skipped", { mergedInto: host.id });
  host.delta({ type: "text-delta", text: "A single reply" });
  host.reply("A single reply", [causes[0]]);
  await seat.sees("A single reply\r\n");
  await seat.sees("› ");
  seat.type(CTRL_D);
  expect(await seat.left).toBe(0);
  expect(Bun.stripANSI(seat.raw()).match(/A single reply/g)).toHaveLength(1);
});

test("Ctrl-C stops all pending replies", async () => {
  const seat = sit();
  const { woken } = await sayTwo(seat);
  seat.type(CTRL_C);
  for (const { id } of woken) await house.asks(`POST /api/activations/${id}/stop`);
  await seat.sees("stopped");
  await seat.sees("stopped");
  await seat.sees("› ");
  seat.type(CTRL_D);
  expect(await seat.left).toBe(0);
});

test("Ctrl-C during a post stops the agents that the message wakes", async () => {
  const seat = sit();
  await seat.sees("› ");
  const woken = Promise.withResolvers<FakeActivation>();
  house.onPost = async (message) => {
    woken.resolve(house.wake(message, house.main));
    seat.type(CTRL_C);
    // Keys are processed in order: an answer to this means that the key before was processed.
    seat.type("/help\r");
    await seat.sees("leave at once");
  };
  seat.type("hello\r");
  await house.asks(`POST /api/activations/${(await woken.promise).id}/stop`);
  await seat.sees("stopped");
});

test("the message `stop` is sent during a reply and shows what it stopped", async () => {
  const seat = sit();
  await seat.sees("› ");
  const woken = nextWakeUp();
  seat.type("write me a long story\r");
  const activation = await woken;
  activation.delta({ type: "text-delta", text: "Once upon" });
  await seat.sees("Once upon");
  house.onPost = () => activation.end("stopped");
  seat.type("stop\r");
  await seat.sees("› stop");
  await seat.sees("stopped");
  await seat.sees("› ");
  house.onPost = () => {};
  seat.type("stop\r");
  await seat.sees("All running and queued turns in this room are stopped.");
  await seat.sees("› ");
  seat.type("/new\r");
  await seat.sees("A new session starts: agents no longer read earlier messages.");
  await seat.sees("› ");
  seat.type(CTRL_D);
  expect(await seat.left).toBe(0);
});

test("a stopped agent is reported with the command to resume it", async () => {
  house.answer("GET /api/stops", [{ scope: house.main.id, by: house.owner.id, at: 1 }]);
  const seat = sit();
  await seat.sees("› ");
  const woken = nextWakeUp();
  seat.type("hello\r");
  const activation = await woken;
  await seat.sees("Main is stopped, so your message is queued. To resume it: hearth agent resume main");
  activation.reply("Here I am.");
  await seat.sees("Here I am.");
  await seat.sees("› ");
  seat.type(CTRL_D);
  expect(await seat.left).toBe(0);
});

test("an unreachable daemon is reported, messages wait for it, and its return is reported once", async () => {
  const seat = sit();
  await seat.sees("› ");
  await house.asks(`FOLLOW /api/rooms/${house.directRoom(house.main).id}/events`);
  await house.die();
  await seat.sees("Hearth does not answer. Retrying ...");
  await seat.sees("› ");
  seat.type("are you there?\r");
  await seat.sees("Your message is sent when it does");
  const woken = nextWakeUp();
  await house.rise();
  (await woken).reply("I am back.");
  await seat.sees("I am back.");
  await seat.sees("› ");
  seat.type(CTRL_D);
  expect(await seat.left).toBe(0);
  expect(house.asked.filter((request) => request.includes("/messages"))).toHaveLength(1);
});

test("chat commands are not sent as messages, and a failure keeps the chat open", async () => {
  const seat = sit();
  await seat.sees("› ");
  seat.type("/help\r");
  await seat.sees("Ctrl-C stops the reply; pressed twice");
  seat.type("/hlep\r");
  await seat.sees("Unknown command /hlep.");
  house.onPost = (message) =>
    house
      .wake(message, house.main)
      .end("failed", { error: { code: "provider.auth", message: "The key is refused.", hint: "Add another." } });
  seat.type(" /hlep\r");
  await seat.sees("failed: The key is refused.");
  await seat.sees("Add another.");
  await seat.sees("› ");
  seat.type("/exit\r");
  expect(await seat.left).toBe(0);
  expect(house.asked.filter((request) => request.includes("/messages"))).toHaveLength(1);
});

test("arrow up recalls lines of earlier chats", async () => {
  await writeFile(join(house.home, "chat-history"), "older\nnewer\n");
  const seat = sit();
  await seat.sees("› ");
  seat.type("\u001b[A");
  await seat.sees("newer");
  seat.type("\u001b[A");
  await seat.sees("older");
  house.onPost = (message) => house.wake(message, house.main).reply("yes");
  seat.type("\r");
  await seat.sees("yes");
  await seat.sees("› ");
  seat.type(CTRL_D);
  expect(await seat.left).toBe(0);
  expect(await historyOf()).toBe("older\nnewer\nolder\n");
});

test("a removed room ends the chat with an error and exit code 1", async () => {
  const seat = sit();
  await seat.sees("› ");
  house.refuse(`GET /api/rooms/${house.directRoom(house.main).id}/events`, {
    code: "record.not-found",
    message: "The room is gone.",
  });
  await house.die();
  await house.rise();
  await seat.sees("hearth: The room is gone.");
  expect(await seat.left).toBe(1);
});

test("an approval is decided with a key, by its id", async () => {
  const id = `apr_${"0".repeat(26)}` as Approval["id"];
  const room = house.directRoom(house.main);
  const woken = Promise.withResolvers<FakeActivation>();
  house.onPost = (message) => {
    const activation = house.wake(message, house.main);
    askIn(house, {
      ...{ id, house: house.main.house, agent: house.main.id, activation: activation.id, step: 1, room: room.id },
      ...{ what: { kind: "tool", name: "write", input: "{}", hash: "0" }, asks: [], display: 'write\n  path: "a.txt"' },
      ...{ offers: [{ scope: "once", text: "once" }], state: "pending", createdAt: 1, expiresAt: 2 },
    });
    woken.resolve(activation);
  };
  const seat = sit();
  await seat.sees("›");
  seat.type("write it\r");
  await seat.sees('path: "a.txt"');
  await seat.sees("and Enter.");
  seat.type("y\r");
  await seat.sees("Allowed.");
  expect(house.asked.filter((request) => request.startsWith("POST /api/approvals"))).toEqual([
    `POST /api/approvals/${id} {"decision":"allow","scope":"once"}`,
  ]);
  (await woken.promise).reply("Written.");
  await seat.sees("Written.");
  seat.type(CTRL_D);
  expect(await seat.left).toBe(0);
});
