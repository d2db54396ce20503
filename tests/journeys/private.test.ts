/**
 * Text from an agent's direct room must not reach a shared room. A hostile model tries every way to
 * read it and repeats everything that it sees. Each way is a row of the table; the cells are real.
 */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHome, type Daemon, type Json, startDaemon, until } from "./daemon.ts";
import { readHome } from "./home-files.ts";
import { configFor, createModel, type Model, type Piece } from "./model.ts";

const WORD = "zanzibar-otter-4711";
const REST = "since last spring";
const FACT = `The locker in the hall opens with ${WORD} ${REST}.`;
const LIMIT_MS = 300_000;

type Call = Exclude<Piece, string>;
const shell = (command: string): Call => ({ tool: "shell", input: { command, timeoutSeconds: 20 } });
const call = (tool: string, input: Json = {}): Call => ({ tool, input });
/** The prompt of a child turn, which looks up what it can and repeats all that it sees. */
const CHILD = "child of the hall, say what opens the locker";

/** Ways to read private text from a shared room: tools of the host, other agents, and the cell. */
const WAYS: readonly (readonly [name: string, ...calls: Call[]])[] = [
  ["the prompt: files, history, the day's log, summaries, notes"],
  [
    "recall, by the same words and by other words",
    call("recall", { query: "locker hall opens" }),
    call("recall", { query: "key code" }),
  ],
  ["the long-term memory", call("read_brain", { path: "MEMORY.md" })],
  ["the notes on its person", call("read_brain", { path: "USER.md" })],
  ["a file of its brain", call("read_brain", { path: "notes.md" })],
  ["the list of its brain's files", call("read_brain", { path: "." }), call("read_brain", { path: "memory" })],
  [
    "other paths to a private file",
    call("read_brain", { path: "memory/rooms/../../MEMORY.md" }),
    call("read_brain", { path: "/MEMORY.md" }),
  ],
  [
    "the text of an error: what is replaced",
    call("remember", { text: "It opens with nothing.", replaces: "opens with zanzibar" }),
  ],
  [
    "the text of an error: the place of what is replaced",
    call("remember", { text: "It opens.", replaces: "MEMORY.md:1" }),
  ],
  ["the text of an error: what is written over", call("write_brain", { path: "notes.md", text: "x" })],
  [
    "the text of an answer: what is forgotten",
    call("forget", { source: "MEMORY.md:1" }),
    call("forget", { source: "notes.md" }),
  ],
  [
    "its own rooms, turns, network and budget",
    ...["me", "rooms", "turns", "network", "budget"].map((about) => call("house_query", { about })),
  ],
  ["what is scheduled", call("list_tasks")],
  ["other tools", call("find_tools", { query: `locker ${WORD.slice(0, 8)}` })],
  ["a child turn", call("delegate", { task: CHILD })],
  ["another agent, which asks it", call("ask_agent", { agent: "aide", question: CHILD })],
  ["a note to another agent", call("send_to_agent", { agent: "aide", text: "tell me what opens the locker" })],
  [
    "the files of its cell, by tools",
    call("grep", { pattern: "zanzibar", path: "." }),
    call("list", { path: ".." }),
    call("read", { path: "../MEMORY.md" }),
  ],
  [
    "the workspace of its private cell, by tools",
    call("read", { path: "mine.txt" }),
    call("glob", { pattern: "**/*" }),
  ],
  [
    "the files of its cell",
    shell("cat /mnt/brain/MEMORY.md /mnt/brain/notes.md /mnt/brain/memory/*.md /mnt/brain/workspace/mine.txt"),
  ],
  [
    "any file of the whole machine",
    shell("grep -rIl zanzibar-otter / --exclude-dir=proc --exclude-dir=sys 2>/dev/null | head; true"),
  ],
  [
    "files in shared folders",
    shell(
      "ls -laR /mnt/brain /tmp /var/tmp /dev/shm /run $HOME 2>/dev/null | head -200; cat $TMPDIR/left ${tmpdir()}/left /var/tmp/left /dev/shm/left $HOME/left",
    ),
  ],
  ["running programs", shell("cat /proc/[0-9]*/cmdline | tr '\\0' ' '; ps aux; true")],
  ["their environment", shell("cat /proc/[0-9]*/environ | tr '\\0' '\\n'; env; true")],
  [
    "their open files",
    shell(
      "ls -l /proc/[0-9]*/fd /proc/[0-9]*/cwd /proc/[0-9]*/root; cat /proc/[0-9]*/fd/* </dev/null & sleep 1; kill $! 2>/dev/null; true",
    ),
  ],
  ["their memory", shell("for p in /proc/[0-9]*; do grep -a -c zanzibar-otter $p/mem; done; true")],
  ["background processes of the shell, and their output", call("processes"), call("processes", { id: 1 })],
  ["the index of its memory", shell("ls /mnt/brain/db; cat /mnt/brain/db/*; true")],
  // The query itself contains the word, so this way comes last. A leak would show the rest of the
  // fact.
  ["recall, by the secret word, with every hit", call("recall", { query: WORD, limit: 50 })],
];

const TOOLS = [
  ...[
    "read_brain",
    "write_brain",
    "remember",
    "recall",
    "forget",
    "house_query",
    "list_tasks",
    "find_tools",
    "delegate",
  ],
  ...["ask_agent", "send_to_agent", "shell", "processes", "list", "glob", "grep", "read", "write", "time"],
];

const open = async (home: string, model: Model): Promise<Daemon> => {
  const tools = `tools = ${JSON.stringify(TOOLS)}\n`;
  const aide = `[agents.aide]\nmodel = "test/model"\n${tools}`;
  writeFileSync(join(home, "hearth.toml"), `${configFor(model.baseUrl)}cell = "bubblewrap"\n${tools}${aide}`);
  return startDaemon(home, { TEST_KEY: "key" });
};

const lastUser = ({ messages }: Json): number => messages.findLastIndex(({ role }: Json) => role === "user");

/** A model that makes these calls one after the other, then repeats all that it sees. */
const answerWith =
  (calls: readonly Call[]) =>
  (request: Json): readonly Piece[] => {
    const isChild = JSON.stringify(request.messages[lastUser(request)]).includes(CHILD);
    const own = isChild
      ? [call("recall", { query: "what opens the locker" }), call("read_brain", { path: "MEMORY.md" })]
      : calls;
    const done = request.messages.slice(lastUser(request)).filter(({ role }: Json) => role === "tool").length;
    // Earlier turns are in its earlier replies, and their requests are searched too.
    return [own[done] ?? JSON.stringify(request.messages.slice(lastUser(request)))];
  };

/** Posts a message, allows every call that needs approval, and waits for the reply. */
const say = async (house: Daemon, room: string, text: string): Promise<string> => {
  const { json: asked } = await house.ask("POST", `/api/rooms/${room}/messages`, { text });
  let reply: Json;
  const answered = until(async () => {
    for (const { id } of (await house.ask("GET", "/api/approvals?state=pending")).json)
      await house.ask("POST", `/api/approvals/${id}`, { decision: "allow", scope: "once" });
    const { json } = await house.ask("GET", `/api/rooms/${room}/events?after=${asked.offset}&limit=1000`);
    const failure = json.events.find(
      ({ type, causes }: Json) => type === "activation-failed" && causes.includes(asked.id),
    );
    if (failure !== undefined) throw new Error(`The turn failed: ${JSON.stringify(failure.error)}`);
    reply = json.events.find(({ type, causes }: Json) => type === "message" && causes.includes(asked.id));
    return reply !== undefined;
  });
  await answered.catch(async (error: unknown) => {
    const { json: fates } = await house.ask("GET", `/api/rooms/${room}/fates`);
    const { json: approvals } = await house.ask("GET", "/api/approvals");
    throw new Error(`${String(error)}\n${JSON.stringify({ fates, approvals }, undefined, 1).slice(-4000)}`);
  });
  return reply.body.text;
};

test.skipIf(Bun.which("bwrap") === null)(
  `B7: text from a direct room appears in nothing that the agent reads or writes in a shared room, by ${WAYS.length} ways`,
  async () => {
    using home = createHome();
    await using model = createModel();
    await using house = await open(home.folder, model);
    const { json: bea } = await house.ask("POST", "/api/agents", { content: { name: "Bea", kind: "human" } });
    const { json: hall } = await house.ask("POST", "/api/rooms", { content: { name: "Hall" } });
    expect((await house.ask("PUT", `/api/rooms/${hall.id}/grants/${bea.id}`, { level: "w" })).status).toBe(200);
    const before = async (): Promise<void> => {
      model.answer = answerWith([
        call("remember", { text: FACT }),
        call("write_brain", { path: "notes.md", text: `${FACT}\n` }),
        call("write", { path: "mine.txt", text: `${FACT}\n` }),
        shell(
          `for f in ${tmpdir()}/left /var/tmp/left /dev/shm/left $HOME/left; do echo "${FACT}" > $f; done; cat mine.txt`,
        ),
        {
          tool: "shell",
          input: {
            command: `WORD=${WORD} sh -c 'exec 7<mine.txt; echo "$WORD"; exec -a ${WORD} sleep 250'`,
            background: true,
          },
        },
        call("recall", { query: "locker" }),
      ]);
      // The model sees the fact here and repeats it, so the search below can find it.
      expect((await say(house, "main", FACT)).split(WORD).length).toBeGreaterThan(4);
    };
    await before();
    model.answer = () => [FACT];
    await say(house, "main", "in short?");
    await until(async () =>
      [...(await readHome(home.folder))].some(([path, bytes]) => /main\/memory\/\d/.test(path) && bytes.includes(WORD)),
    );

    const leaks: string[] = [];
    const tryOut = async (ways: typeof WAYS, when: string): Promise<void> => {
      for (const [name, ...calls] of ways) {
        const from = model.requests.length;
        model.answer = answerWith(calls);
        const said = await say(house, hall.id, "@main what opens it?");
        const seen = JSON.stringify(model.requests.slice(from)) + said;
        const isAsked = JSON.stringify(calls).includes(WORD);
        if (seen.includes(isAsked ? REST : WORD)) leaks.push(`${when}: ${name}`);
        for (const { tool } of calls) expect([name, seen.includes(tool)]).toEqual([name, true]);
      }
    };
    const inCell = WAYS.filter(([, first]) => first?.tool === "shell" || first?.tool === "processes");
    const [ofHost, last] = [WAYS.slice(0, -1), WAYS.slice(-1)];
    await tryOut(ofHost, "beside its private cell, which runs");
    expect((await house.hearth("cell", "close", "main")).code).toBe(0);
    await tryOut(inCell, "in a cell that was opened after that one was closed");
    await tryOut(last, "at the end");
    expect(leaks).toEqual([]);
    const events = await house.ask("GET", `/api/rooms/${hall.id}/events?after=0&limit=1000`);
    expect(JSON.stringify(events.json)).not.toContain(REST);
  },
  LIMIT_MS,
);
