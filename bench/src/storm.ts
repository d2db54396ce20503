/**
 * A storm: a house under load whose processes are killed repeatedly. The result is judged from
 * outside: by acknowledgements, rooms, fates, and files that shell calls wrote.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Fate, RoomId } from "@hearth/protocol";
import type { Bench, Figure, Finding } from "./bench.ts";
import { pause } from "./clock.ts";
import { type House, MODEL_NAME, startHouse } from "./house.ts";
import { loopback } from "./loopback.ts";
import { hasProc, NEEDS_PROC, treeOf } from "./machine.ts";
import { makeRooms } from "./rooms.ts";
import { type Site, temporaryFolder } from "./site.ts";
import { type Acknowledged, judge, type Shown, type Verdict } from "./storm-judge.ts";
import { type OrderKind, orderText, startStormModel, type StormModel } from "./storm-model.ts";

const KILLS = 100;
/** Minimum and maximum time between two kills. A killed daemon runs again after about a quarter of a second. */
const SHORTEST_MS = 100;
const LONGEST_MS = 1500;
/** Maximum pause of a room's writer between two messages. */
const WRITE_MS = 900;
/** Maximum wait for all answers after the last kill. */
const PATIENCE_MS = 180_000;
const LOOK_MS = 500;

/** The test of the queue: the number of messages that wait for a slow model, and the number of kills. */
const QUEUED = 10;
const SLOW_MS = 6000;
const THREE = [1500, 1500, 1500] as const;

export const storm: Bench = {
  name: "storm",
  about: "kills of the daemon, cells and the memory process under load: what is lost, doubled or unanswered",
  isLong: true,
  async run(site, { kills = KILLS, seed = 1 }) {
    if (!hasProc) return [{ what: "storm", skipped: NEEDS_PROC }];
    const queue = await runQueue(site);
    const { verdict, killed } = await runStorm(site, kills, seed);
    const record = { kills, seed, killed, storm: verdict, queue };
    return [...toFindings(`${kills} kills`, verdict, killed, record), ...toFindings("3 kills over a queue", queue, {})];
  },
};

/** The daemon of a storm, which is restarted on the same home after each kill. */
interface Stormy extends AsyncDisposable {
  readonly home: string;
  /** The running daemon. */
  house(): House;
  kill(): Promise<void>;
}

const startStormy = async (site: Site, home: string): Promise<Stormy> => {
  let house = await startHouse(site, home);
  return {
    home,
    house: () => house,
    async kill() {
      process.kill(house.pid, "SIGKILL");
      await house[Symbol.asyncDispose]();
      house = await startHouse(site, home);
    },
    [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
  };
};

const writeStormConfig = (home: string, model: StormModel): Promise<number> =>
  Bun.write(
    join(home, "hearth.toml"),
    [
      ...["version = 1", "[providers.bench]", 'kind = "openai"', `base_url = ${JSON.stringify(model.baseUrl)}`],
      ...['api_key = "env:BENCH_KEY"', "[agents.main]", `model = ${JSON.stringify(MODEL_NAME)}`],
      ...['tools = ["shell", "recall"]', ""],
    ].join("\n"),
  );

/** Repeats a post until the house acknowledges it, as a client with an outbox does. */
const insist = async (stormy: Stormy, room: RoomId, text: string): Promise<string> => {
  for (;;) {
    const { url, token } = stormy.house();
    try {
      const response = await loopback(`${url}/api/rooms/${room}/messages`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ text, idempotencyKey: text }),
      });
      if (response.ok) return ((await response.json()) as { readonly id: string }).id;
      await response.text();
    } catch {
      // The daemon was killed. The loop sends the same message with the same key to its successor.
    }
    await pause(50);
  }
};

const runStorm = async (site: Site, kills: number, seed: number): Promise<{ verdict: Verdict; killed: Killed }> => {
  const random = createRandom(seed);
  await using model = startStormModel(site, 20);
  await using folder = await temporaryFolder(site);
  await writeStormConfig(folder.path, model);
  await using stormy = await startStormy(site, folder.path);
  const rooms = await makeRooms(stormy.house(), "rooms");
  const acknowledged: Acknowledged[] = [];
  let marks = 0;
  let isOver = false;
  const writing = rooms.map(async (room) => {
    while (!isOver) {
      marks += 1;
      const mark = marks;
      const kind: OrderKind = mark % 10 === 0 ? "recall" : mark % 3 === 0 ? "shell" : "talk";
      acknowledged.push({ mark, event: await insist(stormy, room, orderText(mark, kind)) });
      await pause(random() * WRITE_MS);
    }
  });
  const killed: Killed = { daemon: 0, cell: 0, memory: 0 };
  for (let count = 1; count <= kills; count += 1) {
    await pause(SHORTEST_MS + random() * (LONGEST_MS - SHORTEST_MS));
    const target = random();
    await killSome(stormy, target < 0.6 ? "daemon" : target < 0.85 ? "cell" : "memory", random, killed);
    if (count % 10 === 0) site.say(`storm: ${count} of ${kills} kills, ${acknowledged.length} messages acknowledged`);
  }
  isOver = true;
  await Promise.all(writing);
  site.say("storm: waiting for the answers");
  return { verdict: await judgeHouse(stormy, rooms, acknowledged), killed };
};

/** Kills the daemon three times, 1.5 s apart, while ten messages wait for a slow model. */
const runQueue = async (site: Site): Promise<Verdict> => {
  site.say(`storm: three kills over ${QUEUED} queued messages`);
  await using model = startStormModel(site, SLOW_MS);
  await using folder = await temporaryFolder(site);
  await writeStormConfig(folder.path, model);
  await using stormy = await startStormy(site, folder.path);
  const room = await stormy.house().client.agents.room("main");
  const acknowledged: Acknowledged[] = [];
  for (let mark = 1; mark <= QUEUED; mark += 1)
    acknowledged.push({ mark, event: await insist(stormy, room.id, orderText(mark, "talk")) });
  for (const ms of THREE) {
    await pause(ms);
    await stormy.kill();
  }
  return await judgeHouse(stormy, [room.id], acknowledged);
};

/** Number of kills by kind. Kills of a cell or memory process that does not run are not counted. */
type Killed = Record<"daemon" | "cell" | "memory", number>;

const killSome = async (stormy: Stormy, target: keyof Killed, random: () => number, killed: Killed): Promise<void> => {
  if (target === "daemon") {
    await stormy.kill();
    killed.daemon += 1;
    return;
  }
  const [, ...children] = await treeOf(stormy.house().pid);
  const commands = await Promise.all(children.map(async (pid) => ({ pid, command: await commandOf(pid) })));
  const own = commands.filter(({ command }) => command.includes(target === "cell" ? "inmate" : "packages/memory"));
  const key = own[Math.floor(random() * own.length)];
  if (key === undefined) return;
  try {
    process.kill(key.pid, "SIGKILL");
    killed[target] += 1;
  } catch {
    // The process has ended in the meantime.
  }
};

const commandOf = (pid: number): Promise<string> => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");

const judgeHouse = async (
  stormy: Stormy,
  rooms: readonly RoomId[],
  acknowledged: readonly Acknowledged[],
): Promise<Verdict> => {
  const deadline = performance.now() + PATIENCE_MS;
  let fates = await fatesOf(stormy.house(), rooms);
  const isOpen = (event: string): boolean =>
    ["running", "waiting", "queued", "ignored"].includes(fates.get(event)?.kind ?? "queued");
  while (acknowledged.some(({ event }) => isOpen(event)) && performance.now() < deadline) {
    await pause(LOOK_MS);
    fates = await fatesOf(stormy.house(), rooms);
  }
  const shown = (await Promise.all(rooms.map((room) => shownIn(stormy.house(), room)))).flat();
  return judge({ acknowledged, shown, fates, effects: await effectsIn(stormy.home) });
};

const fatesOf = async ({ client }: House, rooms: readonly RoomId[]): Promise<Map<string, Fate>> => {
  const fates = new Map<string, Fate>();
  for (const room of rooms)
    for (let after: number | undefined = 0; after !== undefined;) {
      const page: Awaited<ReturnType<typeof client.rooms.fates>> = await client.rooms.fates(room, {
        after,
        limit: 1000,
      });
      for (const { event, fate } of page.fates) fates.set(event, fate);
      after = page.next > after ? page.next : undefined;
    }
  return fates;
};

const shownIn = async ({ client }: House, room: RoomId): Promise<readonly Shown[]> => {
  const shown: Shown[] = [];
  for (let after = 0; ;) {
    const { events } = await client.rooms.events(room, { after, limit: 1000 });
    for (const event of events) {
      after = event.offset;
      if (event.type !== "message") continue;
      const { id, body, activation, causes } = event;
      shown.push({ id, text: body.text, isReply: activation !== undefined, causes });
    }
    if (events.length === 0) return shown;
  }
};

const effectsIn = async (home: string): Promise<readonly { readonly mark: number; readonly lines: number }[]> => {
  const effects: { mark: number; lines: number }[] = [];
  for await (const path of new Bun.Glob("**/effect-*").scan({ cwd: home, dot: true })) {
    const text = await readFile(join(home, path), "utf8");
    effects.push({ mark: Number(/effect-(\d+)-/.exec(path)?.[1]), lines: text.trim().split("\n").length });
  }
  return effects;
};

/** Creates a generator of random numbers, with the algorithm mulberry32. Equal seeds give equal kills. */
const createRandom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

const toFindings = (what: string, verdict: Verdict, killed: Partial<Killed>, record?: object): readonly Finding[] => {
  const { acknowledged, lost, doubled, unanswered, answered, failed, effects, effectsDoubled, doubledMarks } = verdict;
  const none = { atMost: 0 };
  const of = (name: string, value: number, samples: number, more: Partial<Figure> = {}): Figure => ({
    what: `${what}: ${name}`,
    value,
    unit: "messages",
    samples,
    target: none,
    ...more,
  });
  const failures = Object.entries(failed);
  const count = failures.reduce((sum, [, times]) => sum + times, 0);
  const reasons = failures.map(([reason, times]) => `${times} x ${reason}`).join("; ");
  const deaths = Object.entries(killed).map(([kind, times]) => `${kind} ${times}`);
  return [
    of("answered", answered, acknowledged, {
      target: { atLeast: acknowledged },
      ...(deaths.length === 0 ? {} : { note: `killed: ${deaths.join(", ")}` }),
      ...(record === undefined ? {} : { record }),
    }),
    of("lost", lost, acknowledged),
    of("doubled", doubled, acknowledged),
    of("unanswered", unanswered, acknowledged),
    of("failed", count, acknowledged, reasons === "" ? {} : { note: reasons }),
    of("effects doubled", effectsDoubled, effects, {
      unit: "calls",
      ...(effectsDoubled === 0 ? {} : { note: `messages ${doubledMarks.join(", ")}` }),
    }),
  ];
};
