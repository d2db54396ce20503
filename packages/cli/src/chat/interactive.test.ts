/** The interactive chat as a person meets it: the real command in a real terminal. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Approval, StoredMessage } from "@hearth/protocol";
import { type FakeActivation, type FakeHouse, createFakeHouse } from "../fakes/fake-house.ts";
import { addPendingApproval } from "./fake-approval.ts";

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

interface ChatTerminal {
  type(keys: string): void;
  /** Resolves once this text appears after the text seen last. Escape sequences are ignored. */
  sees(text: string): Promise<void>;
  /** All output so far, with escape sequences. */
  raw(): string;
  readonly left: Promise<number>;
}

const openChat = (...words: string[]): ChatTerminal => {
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
  const chat = openChat();
  await chat.sees("Chat with Main.");
  await chat.sees("› ");
  const first = nextWakeUp();
  chat.type("good morning\r");
  const activation = await first;
  activation.delta({ type: "text-delta", text: "Good " });
  await chat.sees("Main\r\nGood ");
  activation.delta({ type: "text-delta", text: "morning \u001b]0;evil\u0007!" });
  activation.reply("Good morning \u001b]0;evil\u0007!");
  await chat.sees("morning \\e]0;evil\\u0007!\r\n");
  await chat.sees("› ");
  expect(chat.raw()).not.toContain("\u001b]0;");
  chat.type(CTRL_D);
  expect(await chat.left).toBe(0);
  expect(await historyOf()).toBe("good morning\n");
  expect((await stat(join(house.home, "chat-history"))).mode & 0o777).toBe(0o600);
});

test("Ctrl-C stops the reply; at the prompt it clears the line, and pressed twice it leaves", async () => {
  const chat = openChat("main");
  await chat.sees("› ");
  const woken = nextWakeUp();
  chat.type("write me a long story\r");
  const activation = await woken;
  activation.delta({ type: "text-delta", text: "Once upon" });
  await chat.sees("Once upon");
  chat.type(CTRL_C);
  await house.whenRequested(`POST /api/activations/${activation.id}/stop`);
  await chat.sees("stopped");
  await chat.sees("› ");
  chat.type("half a line");
  await chat.sees("half a line");
  chat.type(CTRL_C);
  chat.type(CTRL_C);
  await chat.sees("Press Ctrl-C again to leave.");
  chat.type(CTRL_C);
  expect(await chat.left).toBe(0);
  expect(house.requests.filter((request) => request.includes("half a line"))).toEqual([]);
});

test("other messages appear once above the input line, and recent messages are shown at the start", async () => {
  const room = house.addRoom({ name: "Den", kind: "group" });
  const ada = house.addAgent({ name: "Ada", kind: "human" });
  house.postMessage(room, ada, "from yesterday");
  const chat = openChat("--room", "den");
  await chat.sees("Ada\r\nfrom yesterday");
  await chat.sees("› ");
  chat.type("half a");
  await chat.sees("half a");
  house.postMessage(room, ada, "hello from Ada");
  await chat.sees("Ada\r\nhello from Ada\r\n");
  await chat.sees("› half a");
  chat.type(" line\r");
  await chat.sees("In a group room a bot answers when it is mentioned: @main");
  await chat.sees("› ");
  expect(house.requests.find((request) => request.includes("/messages"))).toContain('"text":"half a line"');
  house.postMessage(room, ada, "bye");
  await chat.sees("bye");
  expect(chat.raw().split("from yesterday")).toHaveLength(2);
  expect(chat.raw().split("Owner")).toHaveLength(1);
  chat.type("/quit\r");
  expect(await chat.left).toBe(0);
});

test("an edit shows the new text, a deletion shows a note, and messages deleted earlier are hidden", async () => {
  const room = house.addRoom({ name: "Den", kind: "group" });
  const ada = house.addAgent({ name: "Ada", kind: "human" });
  const [early, gone] = [house.postMessage(room, ada, "erly"), house.postMessage(room, ada, "a secret")];
  house.change(early, "early");
  house.change(gone);
  const chat = openChat("--room", "den");
  await chat.sees("Ada (edited)\r\nearly");
  await chat.sees("Ada deleted a message");
  await chat.sees("› ");
  const late = house.postMessage(room, ada, "laet");
  await chat.sees("Ada\r\nlaet");
  house.change(late, "late");
  await chat.sees("Ada (edited)\r\nlate");
  house.change(late);
  await chat.sees("Ada deleted a message");
  expect(chat.raw()).not.toContain("a secret");
  expect(chat.raw()).not.toContain("erly\r\n");
  chat.type(CTRL_D);
  expect(await chat.left).toBe(0);
});

test("a message typed during a reply is sent at once, and its reply follows the first", async () => {
  const chat = openChat();
  await chat.sees("› ");
  const first = nextWakeUp();
  chat.type("one\r");
  const activation = await first;
  activation.delta({ type: "text-delta", text: "Answer one" });
  await chat.sees("Answer one");
  const second = nextWakeUp();
  chat.type("two\rthr");
  const other = await second;
  await chat.sees("› two\r\n");
  other.delta({ type: "text-delta", text: "Answer two" });
  activation.delta({ type: "text-delta", text: ", and more" });
  await chat.sees(", and more");
  activation.reply("Answer one, and more");
  await chat.sees("Main\r\nAnswer two");
  other.reply("Answer two");
  await chat.sees("› thr");
  expect(
    house.requests
      .filter((request) => request.includes("/messages"))
      .map((request) => /"text":"(\w+)"/.exec(request)?.[1]),
  ).toEqual(["one", "two"]);
  chat.type("ee\u0001\u000b");
  chat.type(CTRL_D);
  expect(await chat.left).toBe(0);
});

/** Sends "two" while Main works on "one". */
const sendTwo = async (chat: ChatTerminal) => {
  await chat.sees("› ");
  const causes: StoredMessage[] = [];
  const woken: FakeActivation[] = [];
  const both = Promise.withResolvers<void>();
  house.onPost = (message) => {
    causes.push(message);
    woken.push(house.wake(message, house.main));
    if (woken.length === 2) both.resolve();
  };
  chat.type("one\r");
  await chat.sees("Main");
  chat.type("two\r");
  await both.promise;
  await chat.sees("› two");
  return { causes, woken } as { causes: [StoredMessage, StoredMessage]; woken: [FakeActivation, FakeActivation] };
};

test("a reply that answers two messages is printed once", async () => {
  const chat = openChat();
  const { causes, woken } = await sendTwo(chat);
  const [host, merged] = woken;
  merged.end("skipped", { mergedInto: host.id });
  host.delta({ type: "text-delta", text: "Both at once" });
  host.reply("Both at once", [causes[1]]);
  await chat.sees("Both at once\r\n");
  await chat.sees("› ");
  house.onPost = (message) => house.wake(message, house.main).reply("Three too");
  chat.type("three\r");
  await chat.sees("Three too");
  await chat.sees("› ");
  chat.type(CTRL_D);
  expect(await chat.left).toBe(0);
  const screen = Bun.stripANSI(chat.raw());
  expect(screen.match(/Both at once/g)).toHaveLength(1);
  expect(screen.match(/^Main\r$/gm)).toHaveLength(2);
});

test("a reply merged into a newer one is printed once", async () => {
  const chat = openChat();
  const { causes, woken } = await sendTwo(chat);
  const [left, host] = woken;
  left.delta({ type: "text-delta", text: "Half of" });
  await chat.sees("Half of");
  left.end("skipped", { mergedInto: host.id });
  host.delta({ type: "text-delta", text: "A single reply" });
  host.reply("A single reply", [causes[0]]);
  await chat.sees("A single reply\r\n");
  await chat.sees("› ");
  chat.type(CTRL_D);
  expect(await chat.left).toBe(0);
  expect(Bun.stripANSI(chat.raw()).match(/A single reply/g)).toHaveLength(1);
});

test("Ctrl-C stops all pending replies", async () => {
  const chat = openChat();
  const { woken } = await sendTwo(chat);
  chat.type(CTRL_C);
  for (const { id } of woken) await house.whenRequested(`POST /api/activations/${id}/stop`);
  await chat.sees("stopped");
  await chat.sees("stopped");
  await chat.sees("› ");
  chat.type(CTRL_D);
  expect(await chat.left).toBe(0);
});

test("Ctrl-C during a post stops the agents that the message wakes", async () => {
  const chat = openChat();
  await chat.sees("› ");
  const woken = Promise.withResolvers<FakeActivation>();
  house.onPost = async (message) => {
    woken.resolve(house.wake(message, house.main));
    chat.type(CTRL_C);
    // Keys are processed in order: an answer to this means that the key before was processed.
    chat.type("/help\r");
    await chat.sees("leave at once");
  };
  chat.type("hello\r");
  await house.whenRequested(`POST /api/activations/${(await woken.promise).id}/stop`);
  await chat.sees("stopped");
});

test("the message `stop` is sent during a reply and shows what it stopped", async () => {
  const chat = openChat();
  await chat.sees("› ");
  const woken = nextWakeUp();
  chat.type("write me a long story\r");
  const activation = await woken;
  activation.delta({ type: "text-delta", text: "Once upon" });
  await chat.sees("Once upon");
  house.onPost = () => activation.end("stopped");
  chat.type("stop\r");
  await chat.sees("› stop");
  await chat.sees("stopped");
  await chat.sees("› ");
  house.onPost = () => {};
  chat.type("stop\r");
  await chat.sees("All running and queued turns in this room are stopped.");
  await chat.sees("› ");
  chat.type("/new\r");
  await chat.sees("A new session starts: agents no longer read earlier messages.");
  await chat.sees("› ");
  chat.type(CTRL_D);
  expect(await chat.left).toBe(0);
});

test("a stopped agent is reported with the command to resume it", async () => {
  house.answer("GET /api/stops", [{ scope: house.main.id, by: house.owner.id, at: 1 }]);
  const chat = openChat();
  await chat.sees("› ");
  const woken = nextWakeUp();
  chat.type("hello\r");
  const activation = await woken;
  await chat.sees("Main is stopped, so your message is queued. To resume it: hearth agent resume main");
  activation.reply("Here I am.");
  await chat.sees("Here I am.");
  await chat.sees("› ");
  chat.type(CTRL_D);
  expect(await chat.left).toBe(0);
});

test("an unreachable daemon is reported, messages wait for it, and its return is reported once", async () => {
  const chat = openChat();
  await chat.sees("› ");
  await house.whenRequested(`FOLLOW /api/rooms/${house.directRoom(house.main).id}/events`);
  await house.stopServer();
  await chat.sees("Hearth does not answer. Retrying ...");
  await chat.sees("› ");
  chat.type("are you there?\r");
  await chat.sees("Your message is sent when it does");
  const woken = nextWakeUp();
  await house.restartServer();
  (await woken).reply("I am back.");
  await chat.sees("I am back.");
  await chat.sees("› ");
  chat.type(CTRL_D);
  expect(await chat.left).toBe(0);
  expect(house.requests.filter((request) => request.includes("/messages"))).toHaveLength(1);
});

test("chat commands are not sent as messages, and a failure keeps the chat open", async () => {
  const chat = openChat();
  await chat.sees("› ");
  chat.type("/help\r");
  await chat.sees("Ctrl-C stops the reply; pressed twice");
  chat.type("/hlep\r");
  await chat.sees("Unknown command /hlep.");
  house.onPost = (message) =>
    house
      .wake(message, house.main)
      .end("failed", { error: { code: "provider.auth", message: "The key is refused.", hint: "Add another." } });
  chat.type(" /hlep\r");
  await chat.sees("failed: The key is refused.");
  await chat.sees("Add another.");
  await chat.sees("› ");
  chat.type("/exit\r");
  expect(await chat.left).toBe(0);
  expect(house.requests.filter((request) => request.includes("/messages"))).toHaveLength(1);
});

test("arrow up recalls lines of earlier chats", async () => {
  await writeFile(join(house.home, "chat-history"), "older\nnewer\n");
  const chat = openChat();
  await chat.sees("› ");
  chat.type("\u001b[A");
  await chat.sees("newer");
  chat.type("\u001b[A");
  await chat.sees("older");
  house.onPost = (message) => house.wake(message, house.main).reply("yes");
  chat.type("\r");
  await chat.sees("yes");
  await chat.sees("› ");
  chat.type(CTRL_D);
  expect(await chat.left).toBe(0);
  expect(await historyOf()).toBe("older\nnewer\nolder\n");
});

test("a removed room ends the chat with an error and exit code 1", async () => {
  const chat = openChat();
  await chat.sees("› ");
  house.refuse(`GET /api/rooms/${house.directRoom(house.main).id}/events`, {
    code: "record.not-found",
    message: "The room is gone.",
  });
  await house.stopServer();
  await house.restartServer();
  await chat.sees("hearth: The room is gone.");
  expect(await chat.left).toBe(1);
});

test("an approval is decided with a key, by its id", async () => {
  const id = `apr_${"0".repeat(26)}` as Approval["id"];
  const room = house.directRoom(house.main);
  const woken = Promise.withResolvers<FakeActivation>();
  house.onPost = (message) => {
    const activation = house.wake(message, house.main);
    addPendingApproval(house, {
      id,
      house: house.main.house,
      agent: house.main.id,
      activation: activation.id,
      step: 1,
      room: room.id,
      what: { kind: "tool", name: "write", input: "{}", hash: "0" },
      asks: [],
      display: 'write\n  path: "a.txt"',
      offers: [{ scope: "once", text: "once" }],
      state: "pending",
      createdAt: 1,
      expiresAt: 2,
    });
    woken.resolve(activation);
  };
  const chat = openChat();
  await chat.sees("›");
  chat.type("write it\r");
  await chat.sees('path: "a.txt"');
  await chat.sees("and Enter.");
  chat.type("y\r");
  await chat.sees("Allowed.");
  expect(house.requests.filter((request) => request.startsWith("POST /api/approvals"))).toEqual([
    `POST /api/approvals/${id} {"decision":"allow","scope":"once"}`,
  ]);
  (await woken.promise).reply("Written.");
  await chat.sees("Written.");
  chat.type(CTRL_D);
  expect(await chat.left).toBe(0);
});
