/** A house in a simulated world: daemons that come and go, and all that outlives them. */
import { type EffectClass, tools } from "@hearth/protocol/tools";
import {
  type Change,
  type CommitResult,
  createMemoryDisk,
  HOST,
  type Log,
  type MemoryDisk,
  openMemoryWarden,
  readMemoryConfig,
  TOKEN,
  type Warden,
} from "@hearth/warden/memory-warden";
import { type Cells, createCells } from "./cell.ts";
import { type Chance, createChance } from "./chance.ts";
import { createFaultyBlobs, type FaultyBlobs } from "./blob-faults.ts";
import { createCommitFaults } from "./commit-faults.ts";
import { createLivingDisk } from "./disk.ts";
import { createEgressParts } from "./egress-faults.ts";
import { createFailpoints } from "./failpoints.ts";
import type { Families } from "./families.ts";
import { createToolWorld, type ToolWorld } from "./far-side.ts";
import { JOBS_FILE } from "./job-terms.ts";
import { createJobs, type Jobs } from "./jobs.ts";
import { createLife, type Life } from "./life.ts";
import type { Faults } from "./faults.ts";
import { createMemoryProcess } from "./memory-process.ts";
import { type Asked, createModel, TIGHT } from "./model.ts";
import { isAsking, PAGE_HOST } from "./plan.ts";
import { createPlatform, type Platform } from "./platform.ts";
import { createTimeline, type Timeline } from "./timeline.ts";
import { createVaultKeys } from "./vault-faults.ts";
import { createWatch } from "./watch.ts";
import { createWords, type Words } from "./words.ts";

export type Json = ReturnType<typeof JSON.parse>;

export interface Answer {
  readonly status: number;
  readonly json: Json;
}

export interface Daemon {
  readonly life: Life;
  readonly warden: Promise<Warden>;
  readonly cells: Cells;
  /** Sets its own clock forward or back. */
  setClock(ms: number): void;
  /** One request to its port; rejects when it dies first. */
  ask(method: string, path: string, body?: unknown, key?: string): Promise<Answer>;
  /** Ends it in order. */
  close(): Promise<void>;
}

export interface House {
  readonly timeline: Timeline;
  readonly chance: Chance;
  readonly disk: MemoryDisk & { readonly blobs: FaultyBlobs };
  readonly families: Families;
  readonly faults: Faults;
  readonly toolWorld: ToolWorld;
  readonly platforms: readonly Platform[];
  readonly complaints: readonly string[];
  /** What daemons wrote into their diaries, and what happened to them. */
  readonly diary: string[];
  /** What people said about calls that they were asked about. */
  readonly words: Words;
  /** How often people said of a delivery that it goes out again, by its id. */
  readonly resends: Map<string, number>;
  /** Who was told to stop, and whose daemon has said that they have: handles, or the house. */
  readonly held: Set<string>;
  /** All that the model ever said to its end. */
  readonly spoken: ReadonlySet<string>;
  /** Calls of which a model was told that nobody knows what came of them. */
  readonly told: ReadonlySet<string>;
  /** What became the text of an agent's notes, in this order. */
  readonly notes: Note[];
  readonly jobs: Jobs;
  /** How often a model was asked. */
  requests(): number;
  /** Copies the database and the blobs, as a backup does. */
  copyDisk(): void;
  /** Puts the copy in their place. Nothing when there is none. */
  putCopyBack(): Promise<boolean>;
  complain(invariant: string, what: string): void;
  /** Drops complaints since there were `count`, but those of these invariants. */
  dropComplaints(count: number, kept: readonly string[]): void;
  open(options: { readonly shared: boolean }): Daemon;
  /** Lets go of all daemons, so that nothing of the run stays in memory. */
  forget(): void;
}

/** The file of a brain that people change. */
export const NOTES = "MEMORY.md";

export interface Note {
  readonly agent: string;
  readonly text: string;
  /** The house has said that it is kept. Otherwise somebody saved it in an editor. */
  readonly isKept: boolean;
}

const IN_ORDER = "closed in order";
const EPOCH = Date.UTC(2026, 0, 1);
/** How far the clocks of daemons are apart. Most computers are right to the second. */
const CLOCK_SKEWS_MS = [0, 0, -1500, 1500, -40_000, 40_000, -600_000, 3_600_000] as const;

/** Until a tool that ships is reconcilable, `glob` is. */
export const declareReconcilable = (): Disposable => {
  const glob: { effect: EffectClass } = tools.glob;
  const was = glob.effect;
  glob.effect = "reconcilable";
  return {
    [Symbol.dispose]() {
      glob.effect = was;
    },
  };
};

export const createHouse = (options: {
  readonly seed: number;
  readonly families: Families;
  /** Whether more than one daemon may be open at a time. */
  readonly isShared: boolean;
  readonly queue: string;
  readonly otherQueue: string;
  /** How long each thing takes that crosses a boundary. */
  readonly latency: (chance: Chance) => number;
  readonly slowReads: number;
  readonly counts: Map<string, number>;
  /** For each life, whether it ends at this failpoint. */
  readonly crashesAt: (life: number) => (name: string, occurrence: number) => boolean;
  /** Whether a life that ends so takes the power along. Where others go on it never does. */
  readonly cutsPower: (life: number) => boolean;
}): House => {
  const chance = createChance(options.seed);
  const { families } = options;
  const timeline = createTimeline();
  const memoryDisk = createMemoryDisk(() => EPOCH + timeline.now() + faults.skewMs);
  const blobs = createFaultyBlobs(memoryDisk.blobs);
  const disk = { ...memoryDisk, blobs };
  const complaints: string[] = [];
  const complain = (invariant: string, what: string): void => void complaints.push(`${invariant}: ${what}`);
  const faults: Faults = {
    databaseFull: false,
    blobsFull: false,
    model: 0,
    channel: 0,
    crashes: true,
    memory: undefined,
    skewMs: 0,
  };
  const watch = createWatch({ disk, complain, families, isShared: options.isShared });
  const { isLate } = watch;
  const toolWorld = createToolWorld(disk, complain, isLate);
  const trouble = { trouble: () => faults.channel };
  const platforms = [true, false].map((takesKeys) =>
    createPlatform({
      ...{
        name: takesKeys ? "keyed" : "plain",
        takesKeys,
        disk,
        complain,
        isLate,
        isShared: options.isShared,
        faults: trouble,
      },
      chance: chance.branch(`platform ${takesKeys}`),
    }),
  );
  const diary: string[] = [];
  const words = createWords(disk, complain);
  const resends = new Map<string, number>();
  const held = new Set<string>();
  const told = new Set<string>();
  const spoken = new Set<string>();
  const notes: Note[] = [];
  const jobs = createJobs(timeline, EPOCH, complain);
  const fetching = families.has("egress")
    ? `\ntools = ["read", "write", "glob", "edit", "recall", "http_fetch"]\negress = [{ host = "${PAGE_HOST}" }]`
    : "";
  const prompt = (handle: string): string => `prompt = "handle=${handle}"${fetching}`;
  const config = [
    `version = 1\n[providers.fake]\nkind = "scripted"`,
    `[agents.main]\nmodel = "${TIGHT}"\nqueue = "${options.queue}"\n${prompt("main")}`,
    `[agents.aide]\nmodel = "fake/model"\nqueue = "${options.otherQueue}"\n${prompt("aide")}`,
    `[compaction.limits]\n"${TIGHT}" = 1000`,
    `[turns]\nmax_chain = 2\nmax_replies = 6`,
    // A house comes to rest between two looks at what has run out.
    `[approvals]\nexpire_hours = 4`,
    ...platforms.map(({ name }) => `[channels.${name}]\nkind = "${name}"\ntoken = "env:SIMULATION"`),
  ].join("\n");
  const parsed = readMemoryConfig(config);
  const lives: Life[] = [];
  let requests = 0;
  let copy: { readonly putBack: () => void; readonly names: ReadonlySet<string> } | undefined;
  const keys = createVaultKeys(chance.branch("vault keys"));
  const hasMemory = families.has("memory-process") || families.has("forgetting");
  const commitFaults = createCommitFaults({
    ...{ store: disk.store, chance: chance.branch("commits"), families, isActive: () => faults.crashes },
  });
  /** How often the model answered each request, by its hash. */
  const answered = new Map<string, number>();

  const open: House["open"] = ({ shared }) => {
    const nth = lives.length + 1;
    const name = `daemon ${nth}`;
    const own = chance.branch(name);
    let ownSkewMs = families.has("own-clocks") ? own.branch("clock").pick(CLOCK_SKEWS_MS) : 0;
    const asks = options.crashesAt(nth);
    diary.push(`${timeline.now().toFixed(1)} ${name} opens${shared ? ", not alone" : ""}`);
    const life = createLife({
      ...{ name, timeline, epoch: EPOCH },
      chance: own,
      latency: () => options.latency(own),
      skew: () => faults.skewMs + ownSkewMs,
      failpoints: createFailpoints(options.counts, (point, occurrence) => faults.crashes && asks(point, occurrence)),
      onDeath(why) {
        diary.push(`${timeline.now().toFixed(1)} ${name} died: ${why}`);
        const cutsPower = !options.isShared && why !== IN_ORDER && options.cutsPower(nth);
        if (cutsPower) memoryDisk.cutPower();
        watch.died(name);
      },
    });
    lives.push(life);
    const living = createLivingDisk({
      ...{ disk, life, chance: own },
      told(change: Change, result: CommitResult) {
        watch.committed(name, change, result);
        jobs.committed(change, result);
      },
      saved(agent, path, bytes) {
        if (path === JOBS_FILE) jobs.history.saved(agent, new TextDecoder().decode(bytes), { isByHand: false });
      },
      commitFaults,
      faults: {
        isDatabaseFull: () => faults.databaseFull,
        areBlobsFull: () => faults.blobsFull,
        areBlobsSlow: families.has("slow-blobs"),
        slowReads: options.slowReads,
      },
    });
    const log: Log = {
      write(level, message, fields = {}) {
        const { error, ...rest } = fields;
        const why = error instanceof Error ? ` ${error.name}: ${error.message}` : "";
        diary.push(`${timeline.now().toFixed(1)} ${name} ${level}: ${message}${why} ${JSON.stringify(rest)}`);
        // Where two are at work one of them comes second: to a room that it reads, or to what it had in line before it was away.
        const isSecond =
          shared &&
          error instanceof Error &&
          /conflicted$|conflicted too many times in a row$|was not queued when it began$/.test(error.message);
        if (level === "error" && error instanceof Error && error.name !== "HearthError" && !isSecond)
          complain("bug", `${message}: ${error.stack}`);
      },
    };
    const asked: Asked = (handle, messages) => {
      requests += 1;
      for (const message of messages)
        if (message.role === "tool" && message.text.includes("outcome is unknown"))
          told.add(`${handle} ${message.call}`);
      if (held.has("house") || held.has(handle)) complain("STOP", `the model was asked for ${handle}, who is stopped`);
    };
    const cells = createCells({
      ...{ life, toolWorld, words, families, killed: watch.cellKilled },
      chance: own.branch("cells"),
    });
    const provider = createModel({
      life,
      chance: own,
      disk,
      faults: { trouble: () => faults.model },
      complain,
      isLate,
      asked,
      spoken,
      heard: jobs.heard,
      answered,
      isFickle: families.has("fickle-model"),
    });
    const warden = Promise.resolve()
      .then(() =>
        openMemoryWarden({
          ...{ world: life.world, log, disk: living, config, parsed, backend: cells, provider },
          house: shared ? "shared" : "alone",
          ...(families.has("vault") ? { secrets: keys.partsOf(life) } : {}),
          ...(families.has("egress") ? { egress: createEgressParts(life, disk, complain) } : {}),
          ...(hasMemory ? { memory: createMemoryProcess(life, () => faults.memory) } : {}),
          channels: Object.fromEntries(
            platforms.map((platform) => [platform.name, async () => () => platform.channelOf(life)]),
          ),
          stages: {
            // In place of one that counts: what it asks about, the real stage of approvals asks people.
            quota: (effect) =>
              effect.kind === "tool" && isAsking(effect.call.input)
                ? { verdict: "ask", text: "May it?", fields: [] }
                : { verdict: "on" },
          },
        }),
      )
      .then(async (made) => {
        await made.start();
        return made;
      });
    warden.catch((error: unknown) => life.die(`it did not start: ${String(error)}`));
    const died = life.died.then((why) => Promise.reject(new Error(`${name} died: ${why}`)));
    died.catch(() => {});
    return {
      ...{ life, warden, cells },
      setClock: (ms) => void (ownSkewMs += ms),
      async ask(method, path, body, key = TOKEN) {
        const respond = async (): Promise<Answer> => {
          const { http } = await warden;
          const response = await http.handle(
            new Request(`http://${HOST}${path}`, {
              method,
              headers: {
                host: HOST,
                authorization: `Bearer ${key}`,
                ...(body === undefined ? {} : { "content-type": "application/json" }),
              },
              ...(body === undefined ? {} : { body: JSON.stringify(body) }),
            }),
          );
          const text = await response.text();
          return { status: response.status, json: text === "" ? undefined : JSON.parse(text) };
        };
        return Promise.race([respond(), died]);
      },
      async close() {
        const opened = await Promise.race([warden, died]);
        await Promise.race([opened[Symbol.asyncDispose](), died]);
        life.die(IN_ORDER);
      },
    };
  };

  return {
    timeline,
    chance,
    disk,
    families,
    faults,
    toolWorld,
    platforms,
    complaints,
    diary,
    words,
    resends,
    held,
    told,
    spoken,
    notes,
    jobs,
    requests: () => requests,
    copyDisk: () => void (copy = { putBack: memoryDisk.copy(), names: new Set(blobs.names()) }),
    async putCopyBack() {
      if (copy === undefined) return false;
      copy.putBack();
      for (const name of blobs.names()) if (!copy.names.has(name)) await blobs.erase(name);
      return true;
    },
    complain,
    dropComplaints(count, kept) {
      const later = complaints.splice(count);
      complaints.push(...later.filter((one) => kept.some((invariant) => one.startsWith(`${invariant}:`))));
    },
    open,
    forget() {
      for (const life of lives) life.forget();
    },
  };
};
