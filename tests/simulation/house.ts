/**
 * A house in a simulated world: its daemons, and the disk, far sides and logs that outlive them.
 */
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
import { JOB_DAYS } from "./job-watch.ts";
import { createJobs, type Jobs } from "./jobs.ts";
import { createLife, type Life } from "./life.ts";
import type { Faults } from "./faults.ts";
import { createMemoryProcess } from "./memory-process.ts";
import { type Asked, createModel, TIGHT } from "./model.ts";
import { EFFECTS, isAsking, toolOf } from "./plan.ts";
import { createPlatform, type Platform } from "./platform.ts";
import { createTimeline, type Timeline } from "./timeline.ts";
import { createVaultKeys } from "./vault-faults.ts";
import { createVoiceWatch, VOICE_CONFIG } from "./voice-notes.ts";
import { createWatch } from "./watch.ts";
import { type ApprovalDecisions, createApprovalDecisions } from "./approval-decisions.ts";

export type Json = ReturnType<typeof JSON.parse>;

export interface Answer {
  readonly status: number;
  readonly json: Json;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

export interface Daemon {
  readonly life: Life;
  readonly warden: Promise<Warden>;
  readonly cells: Cells;
  /** Sets this daemon's clock forward or back. */
  setClock(ms: number): void;
  /** Sends one request to the daemon's port. Rejects if the daemon dies first. */
  ask(method: string, path: string, body?: unknown, key?: string): Promise<Answer>;
  /** Sends one request with any body, and returns the whole response. Rejects if the daemon dies first. */
  send(method: string, path: string, headers: object, bytes?: Uint8Array<ArrayBuffer>): Promise<RawAnswer>;
  /** Shuts the daemon down. */
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
  /** Log lines of all daemons, with their starts and deaths. */
  readonly diary: string[];
  /** Decisions of people about calls that need approval. */
  readonly decisions: ApprovalDecisions;
  /** How often people asked to resend a delivery, by its id. */
  readonly resends: Map<string, number>;
  /** Agents that a daemon has confirmed as stopped, by handle, or "house" for all. */
  readonly held: Set<string>;
  /** Activations whose input was changed to that of an older release. */
  readonly ofOlderRelease: Set<string>;
  /** Every text that the model completed. */
  readonly completedTexts: ReadonlySet<string>;
  /** Calls whose unknown outcome was reported to a model. */
  readonly unknownReported: ReadonlySet<string>;
  /** Texts that were written to agents' notes, in order. */
  readonly notes: Note[];
  readonly jobs: Jobs;
  /** How many requests models received. */
  requests(): number;
  /** Copies the database and the blobs, as a backup does. */
  copyDisk(): void;
  /** Puts the copy in their place. Returns `false` if there is no copy. */
  putCopyBack(): Promise<boolean>;
  complain(invariant: string, what: string): void;
  /** Drops the complaints after the first `count`, except those of the invariants in `kept`. */
  dropComplaints(count: number, kept: readonly string[]): void;
  open(options: { readonly shared: boolean }): Daemon;
  /** Removes all listeners of daemons, so that the run can be collected. */
  forget(): void;
}

/** The file of a brain that people change. */
export const NOTES = "MEMORY.md";

export interface Note {
  readonly agent: string;
  readonly text: string;
  /** Whether the house confirmed the write. Otherwise the text was saved in an editor. */
  readonly isKept: boolean;
}

const IN_ORDER = "closed in order";
const EPOCH = Date.UTC(2026, 0, 1);
/** Differences of daemons' clocks. Most computers are right to the second. */
const CLOCK_SKEWS_MS = [0, 0, -1500, 1500, -40_000, 40_000, -600_000, 3_600_000] as const;

/**
 * Declares the tool for keyed calls as keyed. Throws if another tool of the plan has another effect
 * class than the plan says.
 */
export const declareKeyed = (): Disposable => {
  const glob: { effect: EffectClass } = tools[toolOf.keyed];
  const was = glob.effect;
  glob.effect = "keyed";
  for (const effect of EFFECTS) {
    const name = toolOf[effect];
    if (tools[name].effect !== effect) throw new Error(`${name} is ${tools[name].effect}; the plan says ${effect}`);
  }
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
  /** How long each crossing of a boundary takes. */
  readonly latency: (chance: Chance) => number;
  readonly slowReads: number;
  readonly counts: Map<string, number>;
  /** Whether a daemon crashes at this failpoint, by the number of its life. */
  readonly crashesAt: (life: number) => (name: string, occurrence: number) => boolean;
  /** Whether a crash also cuts the power. Never with two daemons. */
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
  const decisions = createApprovalDecisions(disk, complain);
  const resends = new Map<string, number>();
  const held = new Set<string>();
  const unknownReported = new Set<string>();
  const ofOlderRelease = new Set<string>();
  const completedTexts = new Set<string>();
  const notes: Note[] = [];
  const jobs = createJobs(timeline, EPOCH, complain);
  const voice = families.has("voice-notes")
    ? createVoiceWatch({ disk, complain, isShared: options.isShared })
    : undefined;
  const extra = [...(families.has("egress") ? ["http_fetch"] : []), ...(families.has("uploads") ? ["attach"] : [])];
  const granted = JSON.stringify(["read", "write", "glob", "edit", "recall", ...extra]);
  const prompt = (handle: string): string =>
    `prompt = "handle=${handle}"${extra.length === 0 ? "" : `\ntools = ${granted}`}`;
  const config = [
    `version = 1\n[providers.fake]\nkind = "scripted"`,
    `[models."fake/"]\nsees = true`,
    `[agents.main]\nmodel = "${TIGHT}"\nqueue = "${options.queue}"\n${prompt("main")}`,
    `[agents.aide]\nmodel = "fake/model"\nqueue = "${options.otherQueue}"\n${prompt("aide")}`,
    `[compaction.limits]\n"${TIGHT}" = 1000`,
    `[turns]\nmax_chain = 2\nmax_replies = 6`,
    // Long enough for the house to come to rest between two sweeps of expired approvals.
    `[approvals]\nexpire_hours = 4`,
    `[retention]\njob_days = ${JOB_DAYS}`,
    ...(voice === undefined ? [] : [VOICE_CONFIG]),
    ...platforms.map(({ name }) => `[channels.${name}]\nkind = "${name}"\ntoken = "env:SIMULATION"`),
  ].join("\n");
  const parsed = readMemoryConfig(config);
  if (parsed.warnings.length > 0) throw new Error(`The simulated config has mistakes: ${parsed.warnings.join(" ")}`);
  const lives: Life[] = [];
  let requests = 0;
  let copy: { readonly putBack: () => void; readonly names: ReadonlySet<string> } | undefined;
  const keys = createVaultKeys(chance.branch("vault keys"));
  const hasMemory = families.has("memory-process") || families.has("forgetting");
  const commitFaults = createCommitFaults({
    ...{ store: disk.store, chance: chance.branch("commits"), families, isActive: () => faults.crashes },
  });
  /** How often the model answered each request, by hash. */
  const answered = new Map<string, number>();

  const open: House["open"] = ({ shared }) => {
    const nth = lives.length + 1;
    const name = `daemon ${nth}`;
    const own = chance.branch(name);
    let ownSkewMs = families.has("own-clocks") ? own.branch("clock").pick(CLOCK_SKEWS_MS) : 0;
    const asks = options.crashesAt(nth);
    diary.push(`${timeline.now().toFixed(1)} ${name} opens${shared ? " (shared store)" : ""}`);
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
      committed(change: Change, result: CommitResult) {
        watch.committed(name, change, result);
        jobs.committed(change, result);
        voice?.committed(change, result);
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
        // With two daemons, the slower one loses races for a room or for an activation in its
        // queue.
        const isLostRace =
          shared &&
          error instanceof Error &&
          /^another daemon read \S+ beyond the offset \d+$|changed \d+ times in a row$|was not queued when it began$/.test(
            error.message,
          );
        // The simulated inmate never violates the protocol, and a cut pipe does not count as one.
        if (message === "a cell broke its link" && String(fields["reason"]).startsWith("The link is broken"))
          complain("I10", `${name}: ${String(fields["reason"])}`);
        if (level === "error" && error instanceof Error && error.name !== "HearthError" && !isLostRace)
          complain("bug", `${message}: ${error.stack}`);
      },
    };
    const asked: Asked = (handle, messages) => {
      requests += 1;
      for (const message of messages)
        if (message.role === "tool" && message.text.includes("its outcome is unknown"))
          unknownReported.add(`${handle} ${message.call}`);
      if (held.has("house") || held.has(handle))
        complain("STOP", `the model was asked for ${handle}, which is stopped`);
      voice?.asked(messages);
    };
    const cells = createCells({
      ...{ life, toolWorld, decisions, families, killed: watch.cellKilled },
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
      completedTexts,
      heard: jobs.heard,
      answered,
      isFickle: families.has("fickle-model"),
      hasPictures: families.has("uploads"),
    });
    const warden = Promise.resolve()
      .then(() =>
        openMemoryWarden({
          world: voice === undefined ? life.world : { ...life.world, fetch: voice.fetchOf(life) },
          ...{ log, disk: living, config, parsed, backend: cells, provider },
          house: shared ? "shared" : "alone",
          ...(families.has("vault") ? { secrets: keys.partsOf(life) } : {}),
          ...(families.has("egress") ? { egress: createEgressParts(life, disk, complain) } : {}),
          ...(hasMemory ? { memory: createMemoryProcess(life, () => faults.memory) } : {}),
          channels: Object.fromEntries(
            platforms.map((platform) => [platform.name, async () => () => platform.channelOf(life)]),
          ),
          stages: {
            // Replaces the stage that counts usage. The real approval stage handles its "ask"
            // verdicts.
            quota: (effect) =>
              effect.kind === "tool" && isAsking(effect.call.input)
                ? { verdict: "ask", text: "May it?", fields: [] }
                : { verdict: "allowed" },
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
      async send(method, path, headers, bytes) {
        const respond = async (): Promise<RawAnswer> => {
          const { http } = await warden;
          const all = { ...headers, host: HOST, authorization: `Bearer ${TOKEN}` };
          const body = bytes === undefined ? {} : { body: bytes };
          const response = await http.handle(new Request(`http://${HOST}${path}`, { method, headers: all, ...body }));
          const { status, headers: given } = response;
          // A body that breaks off is a failure of the house, as of a blob that was lost meanwhile.
          return await response.bytes().then(
            (read) => ({ status, headers: given, bytes: read }),
            () => ({ status: 500, headers: given, bytes: new Uint8Array() }),
          );
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
    decisions,
    resends,
    held,
    unknownReported,
    ofOlderRelease,
    completedTexts,
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
      complaints.push(...later.filter((complaint) => kept.some((invariant) => complaint.startsWith(`${invariant}:`))));
    },
    open,
    forget() {
      for (const life of lives) life.forget();
    },
  };
};
