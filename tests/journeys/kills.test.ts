import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spend } from "@hearth/protocol/until";
import { type Chance, createChance, readSeed } from "./chance.ts";
import {
  childrenOf,
  createHome,
  type Daemon,
  eventsOf,
  isAlive,
  type Json,
  LAUNCHER,
  startDaemon,
  until,
} from "./daemon.ts";
import { faultsOf } from "./history.ts";
import { configFor, createModel, type Model } from "./model.ts";
import { pairAna, startTelegram, type TelegramServer, TOKEN } from "./telegram-server.ts";
import { type Address, createPoster, createWriter, type Source } from "./traffic.ts";

/** Each kind of moment once. Two hundred kills have each kind in short and in long lives. */
const KILLS = Number(process.env["HEARTH_KILLS"] ?? 7);
const ROOMS = 3;
/** A quarter of a minute on an idle machine. */
const TIMEOUT_MS = 900_000;
const env = { TEST_KEY: "key", BOT: TOKEN };

test(
  "R1: a daemon that is killed repeatedly while people write and tools run answers every accepted message exactly once",
  async () => {
    const seed = readSeed();
    console.log(`seed ${seed}: HEARTH_SEED=${seed} npm test -- tests/journeys/kills`);
    const chance = createChance(seed);
    const news = createNews();
    const faults: string[] = [];
    await using model = createModel();
    const replied = new Map<string, number>();
    thinkWithTools(model, {
      chance: createChance(seed + 1),
      faults,
      asked: () => news.tell("asked"),
      replied(room) {
        replied.set(room, (replied.get(room) ?? 0) + 1);
        news.tell("replied");
      },
    });
    using home = createHome();
    await using telegram = startTelegram();
    const channel = `[channels.telegram]\nkind = "telegram"\ntoken = "env:BOT"\nbase_url = "${telegram.url}"\n`;
    writeFileSync(join(home.folder, "hearth.toml"), `${configFor(model.baseUrl)}tools = ["time", "list"]\n${channel}`);
    const { made, main } = await makeRooms(home.folder, telegram);
    const rooms = [...made, main];

    let address: Address | undefined;
    const told = (): void => news.tell("accepted");
    const sources: readonly Source[] = [
      ...made.map((room, index) =>
        createPoster({ room, chance: createChance(seed + 2 + index), address: () => address, told }),
      ),
      createWriter({ room: main, chance: createChance(seed + 1000), say: (text) => telegram.say(text), told }),
    ];
    const over = new AbortController();
    const sending = Promise.all(sources.map((source) => source.run(over.signal)));
    const left: number[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const moment = pickMoment(chance, KINDS[kill % KINDS.length] ?? "spawn");
      await using house = spawnHouse(home.folder, (at) => {
        address = at;
        news.tell("ready");
      });
      // A turn whose daemons die repeatedly is given up. Therefore every second life lasts until
      // each room has finished its turn, so no turn sees more than two deaths.
      replied.clear();
      if (kill % 2 === 1)
        await Promise.race([
          news.until(() => rooms.every((room) => (replied.get(room) ?? 0) >= 2), HOWEVER_SLOW_MS),
          house.exited,
        ]);
      await Promise.race([news.after(moment), house.exited]);
      expect(house.isRunning()).toBe(true);
      left.push(...(await childrenOf(house.pid)));
      address = undefined;
      await house.kill();
    }

    await using last = await startDaemon(home.folder, env);
    address = last;
    over.abort();
    await sending;
    const accepted = sources.flatMap((source) => source.accepted);
    for (const room of rooms) {
      const mine = accepted.filter((message) => message.room === room);
      let events: readonly Json[] = [];
      await until(async () => {
        events = await eventsOf(last, room);
        return new Set(events.flatMap(({ causes }) => causes)).size >= mine.length;
      });
      expect(events.map(({ offset }) => offset)).toEqual(events.map((_, index) => index + 1));
      const said = events.filter(({ causes }) => causes.length === 0);
      expect(said.map(({ body }) => body.text)).toEqual(mine.map(({ text }) => text));
      const answered = events.flatMap(({ causes }) => causes);
      expect(new Set(answered)).toEqual(new Set(said.map(({ id }) => id)));
      expect(answered).toHaveLength(said.length);
    }
    await until(async () => (await last.ask("GET", "/api/status")).json.activations.running === 0);
    for (const room of rooms) {
      const events = await eventsOf(last, room);
      expect(events.flatMap(({ causes }) => causes)).toHaveLength(new Set(events.flatMap(({ causes }) => causes)).size);
    }
    expect(faults).toEqual([]);
    await expectDelivered(last, telegram, main);
    // The kills interrupted real work.
    expect(accepted.length).toBeGreaterThan(KILLS);
    await until(() => left.every((pid) => !isAlive(pid)));
  },
  TIMEOUT_MS,
);

/**
 * When the daemon is killed: this many milliseconds after the `count`th such event since its start.
 */
interface Moment {
  readonly after: "spawn" | "ready" | "accepted" | "asked";
  readonly count: number;
  readonly ms: number;
}

/** Kinds of moments, in turn. Their number is odd, so each occurs in short and in long lives. */
const KINDS: readonly Moment["after"][] = ["asked", "spawn", "accepted", "asked", "ready", "accepted", "asked"];

const pickMoment = (chance: Chance, after: Moment["after"]): Moment => {
  switch (after) {
    case "spawn":
      return { after: "spawn", count: 0, ms: chance.between(0, 300) };
    case "ready":
      return { after: "ready", count: 1, ms: chance.between(0, 200) };
    case "accepted":
      return { after: "accepted", count: chance.between(1, 8), ms: chance.between(0, 4) };
    default:
      return { after: "asked", count: chance.between(1, 12), ms: chance.between(0, 20) };
  }
};

/** Maximum wait for a moment that may not come, because an idle house runs no turns. */
const PATIENCE_MS = 2000;
/** Maximum wait for an event that is certain, on a busy machine. */
const HOWEVER_SLOW_MS = 30_000;

const createNews = () => {
  const listeners = new Set<(what: string) => void>();
  /** Resolves when an event satisfies `holds`, or after `patienceMs`. */
  const until = async (holds: (what: string) => boolean, patienceMs = PATIENCE_MS): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const hear = (what: string): void => {
      if (holds(what)) resolve();
    };
    listeners.add(hear);
    const patience = setTimeout(resolve, patienceMs);
    await promise;
    clearTimeout(patience);
    listeners.delete(hear);
  };
  return {
    tell: (what: "ready" | "accepted" | "asked" | "replied"): void => {
      for (const hear of listeners) hear(what);
    },
    until,
    async after({ after, count, ms }: Moment): Promise<void> {
      let left = count;
      if (left > 0) await until((what) => what === after && (left -= 1) <= 0);
      if (ms > 0) await spend(ms);
    },
  };
};

interface Thinking {
  readonly chance: Chance;
  /** Reasons why a provider would have refused a request. */
  readonly faults: string[];
  readonly asked: () => void;
  readonly replied: (room: string) => void;
}

/**
 * A model that makes one or two calls before it answers, and fails on a history that a provider
 * would refuse.
 */
const thinkWithTools = (model: Model, { chance, faults, asked, replied }: Thinking): void => {
  model.answer = async function* ({ messages }: { messages: readonly Json[] }) {
    asked();
    const found = faultsOf(messages);
    if (found.length > 0) {
      faults.push(...found);
      throw new Error(found.join("\n"));
    }
    const lastReply = messages.findLastIndex(
      ({ role, tool_calls }) => role === "assistant" && tool_calls === undefined,
    );
    const isLookedUp = messages.slice(lastReply + 1).some(({ role }) => role === "tool");
    await spend(chance.between(0, 15));
    if (!isLookedUp) {
      yield { tool: "time", input: {} };
      if (chance.between(0, 2) === 0) yield { tool: "list", input: { path: "." } };
      return;
    }
    yield "Now I ";
    await spend(chance.between(0, 15));
    replied(/room_\w+(?= \d+)/.exec(JSON.stringify(messages.findLast(({ role }) => role === "user")))?.[0] ?? "");
    yield "know.";
  };
};

/**
 * Expects every reply once in its chat. A delivery that a kill interrupted may be missing if its
 * state is "unknown".
 */
const expectDelivered = async (house: Daemon, telegram: TelegramServer, room: string): Promise<void> => {
  const fates = async (): Promise<readonly Json[]> => {
    const all: Json[] = [];
    for (let after = 0; ;) {
      const page = (await house.ask("GET", `/api/rooms/${room}/fates?after=${after}&limit=1000`)).json;
      if (page.fates.length === 0) return all;
      all.push(...page.fates.map(({ fate }: Json) => fate));
      after = page.next;
    }
  };
  const isOver = ({ kind, delivery }: Json): boolean =>
    kind === "answered" && (delivery === "sent" || delivery === "unknown");
  await until(async () => (await fates()).every(isOver));
  const all = await fates();
  const replies = new Set(all.map(({ activation }) => activation));
  const unknown = new Set(all.filter(({ delivery }) => delivery === "unknown").map(({ activation }) => activation));
  // The first two messages are notices of the pairing.
  const sent = telegram.api.sent().slice(2);
  const answered = sent.map(({ replyTo }) => replyTo);
  expect(new Set(answered).size).toBe(answered.length);
  expect(sent.length).toBeLessThanOrEqual(replies.size);
  expect(sent.length).toBeGreaterThanOrEqual(replies.size - unknown.size);
  expect(unknown.size).toBeLessThan(KILLS);
};

/**
 * Creates direct rooms of the owner and `main`. `main` is the room that Telegram is paired with.
 */
const makeRooms = async (
  home: string,
  telegram: TelegramServer,
): Promise<{ readonly made: readonly string[]; readonly main: string }> => {
  await using house = await startDaemon(home, env);
  await pairAna(telegram, house);
  const agents: Json[] = (await house.ask("GET", "/api/agents")).json;
  const members = agents.map(({ id }) => id);
  const made: string[] = [];
  for (let number = 1; number <= ROOMS; number += 1) {
    const content = { name: `Room ${number}`, kind: "direct", members };
    made.push((await house.ask("POST", "/api/rooms", { content })).json.id);
  }
  return { made, main: (await house.ask("GET", "/api/rooms/main")).json.id };
};

/** A daemon that may be killed before it is ready. */
const spawnHouse = (home: string, ready: (address: Address) => void) => {
  const child = Bun.spawn([LAUNCHER, "up", "--home", home, "--port", "0"], {
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", HOME: "/nonexistent", ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  const listen = async (): Promise<void> => {
    let said = "";
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      const isNew = !said.includes("\n");
      said += text;
      const url = /^ready (\S+)\n/m.exec(said)?.[1];
      if (isNew && url !== undefined) ready({ url, token: readFileSync(join(home, "run/token"), "utf8").trim() });
    }
  };
  const listening = listen();
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await child.exited;
    await listening;
  };
  return {
    pid: child.pid,
    exited: child.exited,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    kill,
    [Symbol.asyncDispose]: kill,
  };
};
