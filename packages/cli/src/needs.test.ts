/**
 * Runs every command's examples against a real house. A caller with the declared permission must
 * not be refused; a caller with one level less must be, whatever permissions it has elsewhere. A
 * declaration that asks for too little or too much fails.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient } from "@hearth/client";
import { type HouseId, type Level, type Place, levels } from "@hearth/protocol";
import { found } from "@hearth/protocol/until";
import type { Command } from "./command.ts";
import { commands } from "./commands.ts";
import { createFakeTerminal } from "./fakes/fake-terminal.ts";
import type { Needs } from "./needs.ts";
import { run } from "./run.ts";
import { directFetch, sleep } from "./terminal.ts";

const MAIN = join(import.meta.dir, "main.ts");

/** These commands need the files of the home. */
const LOCAL = [
  "up",
  "onboard",
  "service install",
  "service status",
  "service logs",
  "service uninstall",
  "repair",
  "backup",
  "backup list",
  "backup verify",
  "restore",
  "export",
  "import hearth",
  "upgrade",
  "bench",
];
/** These commands change the whole daemon, so each runs against its own. */
const ALONE = ["stop", "stop-all", "resume-all", "provider add"];
/**
 * Inbox messages and approvals exist only after an agent with a model has created them. A channel
 * needs a token on stdin; tests/journeys/telegram.test.ts adds one. A tunnel and some settings need
 * the token of this machine; tests/public/tunnel.test.ts opens one, and tests of
 * packages/warden/src/http/routes change the others: settings.test.ts, providers.test.ts the providers
 * of speech and pictures, audit.test.ts the audit log's key, and keys.test.ts creates keys.
 * tests/journeys/backup-targets.test.ts has the verbs of backup targets. Second factors ask for codes
 * at a terminal, and only a browser adds passkeys and links accounts. tests/journeys/take-over.test.ts
 * has the homes of other programs.
 */
const UNTRIED = [
  ...["import openclaw", "import hermes", "import claude-code"],
  ...["backup add", "backup edit", "backup test", "backup remove"],
  ...["channel add", "tunnel open", "config set", "config unset", "voice set", "pictures set", "descriptions set"],
  ...["inbox archive", "approval show", "approval allow", "approval deny"],
  ...["second-factor on", "second-factor codes", "passkey rename", "passkey remove"],
  ...["identity unlink", "identity test", "audit rotate-key", "key create"],
];

const all = (
  await Promise.all(
    Object.entries(commands).map(async ([name, entry]): Promise<readonly (readonly [string, Command])[]> => {
      const loaded = await entry.load();
      if (loaded.kind === "command") return [[name, loaded]];
      const verbs = Object.entries(loaded.verbs).map(([verb, command]) => [`${name} ${verb}`, command] as const);
      return loaded.defaultCommand === undefined ? verbs : [[name, loaded.defaultCommand], ...verbs];
    }),
  )
).flat();

/** A daemon without this machine's environment variables. */
const open = async () => {
  const home = await mkdtemp(join(tmpdir(), "hearth-needs-"));
  const child = Bun.spawn(
    [process.execPath, "--no-install", "--no-env-file", MAIN, "up", "--port", "0", "--home", home],
    {
      env: { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent" },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
    },
  );
  let said = "";
  for await (const chunk of child.stdout) {
    said += new TextDecoder().decode(chunk);
    if (said.includes("log in: ")) break;
  }
  const url = /^ready (\S+)$/m.exec(said)?.[1] ?? "";
  const token = (await readFile(join(home, "run/token"), "utf8")).trim();
  const owner = createClient({ baseUrl: url, token, fetch: directFetch, sleep });
  return {
    url,
    owner,
    first: (await owner.me()).house.id,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
      await rm(home, { recursive: true, force: true });
    },
  };
};
type House = Awaited<ReturnType<typeof open>>;

/**
 * A second house with everything that the examples name. It has the same handle as the first,
 * because a caller's own house is preferred.
 */
const furnish = async ({ owner }: House) => {
  const { id: house } = await owner.houses.create({ name: "home" });
  const { id: annex } = await owner.houses.create({ name: "Annex" });
  const person = (name: string, level: Level | "none" = "w") =>
    owner.agents.create({ name, kind: "human" }, { house, level });
  const bot = (name: string) => owner.agents.create({ name, kind: "bot", cell: "inline" }, { house });
  const [caller, main, room] = await Promise.all([
    ...[person("Caller", "none"), bot("Main")],
    owner.rooms.create({ name: "Den" }, { house }),
    ...[person("Owner"), person("Ada"), person("Ana"), bot("Archivist"), bot("Reviewer")],
  ]);
  if (caller?.type !== "agent" || main?.type !== "agent" || room?.type !== "room") throw new Error("made otherwise");
  const [{ key }, laptop] = await Promise.all([
    owner.keys.create({ name: "caller", agent: caller.id }),
    owner.keys.create({ name: "laptop", agent: main.id }),
  ]);
  return { house, annex, room: room.id, caller: caller.id, key, laptop: laptop.id };
};
type Scene = Awaited<ReturnType<typeof furnish>>;

/** An activation in the room, ended or not. */
const wake = async (owner: Client, room: string): Promise<string> => {
  await owner.rooms.post(room, { text: "@main help" });
  const [activation] = await found(async () => {
    const all = await owner.rooms.activations(room);
    return all.length > 0 ? all : undefined;
  });
  if (activation === undefined) throw new Error("the room has no activation");
  return activation.id;
};

const NEEDED =
  /^(?:([rwx]) on|permission to see) the (first house|house or room|house|room|agent's house|agent|activation's room)/;

/** The places where the level is needed, the level, and a house where a level does not help. */
const placesOf = (needs: Needs, scene: Scene, first: HouseId) => {
  const [, level = "r", place = ""] = NEEDED.exec(needs) ?? [];
  if (needs.startsWith("a credential;")) return { on: scene.house, level: "x", elsewhere: first } as const;
  if (needs === "permission to see the house") return { on: scene.annex, level: "r", elsewhere: first } as const;
  const isRoom = ["room", "activation's room", "agent"].includes(place);
  const on: Place = place === "first house" ? first : isRoom ? scene.room : scene.house;
  return { on, level: level as Level, elsewhere: on === first ? scene.house : first };
};

/**
 * The words of a shell command line, from the command on. Input from files and pipes is dropped.
 */
const wordsOf = (line: string, { laptop }: Scene, activation: string): readonly string[] =>
  [
    ...line
      .replace(/^.*\| /, "")
      .replace(/ < .*$/, "")
      .matchAll(/"([^"]*)"|(\S+)/g),
  ]
    .map(([, quoted, plain = ""]) => quoted ?? plain)
    .slice(1)
    // The chat of examples: a group room gets no title, but only after the permission is checked.
    .map((word) =>
      word
        .replace(/^act_.*/, activation)
        .replace(/^key_.*/, laptop)
        .replace(/^main-2$/, "den"),
    );

interface Came {
  readonly refused: boolean;
  readonly missing: boolean;
}

/** Runs one example like a user on another machine. */
const attempt = async (house: House, { scene, key }: Caller, example: string): Promise<Came> => {
  const activation = example.includes("act_") ? await wake(house.owner, scene.room) : "";
  const terminal = createFakeTerminal({
    env: { HEARTH_URL: house.url, HEARTH_KEY: key, HOME: "/nonexistent" },
    stdinIsTerminal: false,
    readInput: () => Promise.resolve("help me please"),
  });
  const words = wordsOf(example, scene, activation);
  const code = await run([...words, "--json"], terminal);
  // The house checks the level first, and then that the login is fresh. No key is.
  const isAllowedWithLogin = terminal.written.out.includes("needs a fresh login");
  return {
    refused: code === 4 && !isAllowedWithLogin,
    missing: /"code":"(record|activation)\.not-found"/.test(terminal.written.out),
  };
};

interface Caller {
  readonly scene: Scene;
  readonly key: string;
}

/** A caller with the declared permission, in its own house. */
const enough = async (house: House, needs: Needs): Promise<Caller> => {
  const scene = await furnish(house);
  if (needs !== "a credential") {
    const { on, level } = placesOf(needs, scene, house.first);
    await house.owner.grants.give(on, scene.caller, level);
  }
  return { scene, key: scene.key };
};

/**
 * A caller with one level less there, and `x` elsewhere. For `permission to see`, the
 * caller has no level at all.
 */
const less = async (house: House, needs: Needs): Promise<Caller> => {
  const scene = await furnish(house);
  if (needs === "a credential") return { scene, key: "no key" };
  const { on, level, elsewhere } = placesOf(needs, scene, house.first);
  const lower = levels[levels.indexOf(level) - 1];
  if (lower !== undefined) await house.owner.grants.give(on, scene.caller, lower);
  if (!needs.startsWith("permission to see")) await house.owner.grants.give(elsewhere, scene.caller, "x");
  return { scene, key: scene.key };
};

/**
 * Every example runs with `--json`, so the same example without it is skipped. Also skipped:
 * examples that do not end or name a home; a key reference, which needs the token of this machine;
 * pairing as the owner, which needs all rights of the owner; a key for metrics, which needs `x` on
 * the first house (packages/warden/src/http/routes/metrics.test.ts).
 */
const toTry = (examples: readonly string[]): readonly string[] => [
  ...new Set(
    examples
      .filter((line) => !/--home|--follow|--api-key|--token env|--as owner|--only/.test(line))
      .map((line) => line.replace(" --json", "")),
  ),
];

test("every command except local ones declares a permission", () => {
  expect(all.filter(([, { needs }]) => needs === "access to this machine").map(([path]) => path)).toEqual(LOCAL);
});

describe("a command declares the permission that the house requires", () => {
  let shared: House;
  beforeAll(async () => {
    shared = await open();
  });
  afterAll(() => shared[Symbol.asyncDispose]());

  test.each(all.filter(([path]) => ![...LOCAL, ...UNTRIED].includes(path)))(
    "%s",
    async (path, { needs, examples }) => {
      await using own = ALONE.includes(path) ? await open() : undefined;
      const house = own ?? shared;
      const poor = await less(house, needs);
      const refusals: boolean[] = [];
      for (const example of toTry(examples)) {
        const without = await attempt(house, poor, example);
        const having = await attempt(house, await enough(house, needs), example);
        expect([example, having.refused]).toEqual([example, false]);
        refusals.push(without.refused || (without.missing && !having.missing));
      }
      expect([path, needs, refusals.includes(true)]).toEqual([path, needs, true]);
    },
    180_000,
  );
});
