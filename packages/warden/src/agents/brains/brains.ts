/** Finds and creates the agents' brain folders. */
import type { Blobs, DurableStreams, Log, Row, Store } from "../../kernel/index.ts";
import type { AgentId, AgentRecord, World } from "@hearth/protocol";
import type { Brain } from "./brain.ts";
import type { BrainDisk } from "./disk.ts";
import type { Guard } from "./guard-review.ts";
import { createNamedQueues } from "@hearth/protocol/serial-queue";
import { PERSONA_FILES } from "./audience-files.ts";

/**
 * Disposing stores all pending observations of files. Otherwise the next start would restore a new
 * file that a person deleted by hand after the last commit.
 */
export interface Brains extends AsyncDisposable {
  /**
   * Opens the agent's brain. A new brain gets the starter files. A brain whose folder is missing
   * is restored from the last versions of its files.
   */
  open(agent: AgentRecord): Promise<Brain>;
  /** The brains that this daemon restored because their folder was missing. */
  restoredBrains(): readonly RestoredBrain[];
  /** Preloads the modules that opening a brain needs. */
  warm(): Promise<void>;
  /** Adds a guard, which is called when a change of a brain halts or releases its agent. */
  addGuard(guard: Guard): void;
  /** Returns the pending proposals of every agent as stored, newest first. */
  pendingProposals(): Promise<readonly Row<"brain_proposals">[]>;
  /**
   * Halts the agents with undecided soul changes, as before the restart. The caller does this
   * before an agent wakes.
   */
  repeatHalts(find: (agent: AgentId) => Promise<AgentRecord | undefined>): Promise<void>;
}

export interface RestoredBrain {
  readonly agent: AgentId;
  readonly handle: string;
  /** UTC milliseconds. */
  readonly at: number;
  /** Number of files written. */
  readonly written: number;
  /** Number of files that could not be restored because no version is stored. */
  readonly missing: number;
}

/** The folder with a copy of the files that every audience may see. */
const PERSONA = ".persona";

/** Folders and files that cells do not mount: the index covers all audiences. */
const HIDDEN = ["db", ".agent", PERSONA];

/**
 * Keeps derived and runtime files out of a git repository, where they would block each checkout.
 */
const IGNORE_FILE = ".gitignore";
const IGNORE_TEXT = `/db/\n/${PERSONA}/\n`;

/** The persona, and the page of the first run. Only an agent without a persona gets the page. */
const SOUL = "SOUL.md";
const FIRST_RUN_PAGE = "BOOTSTRAP.md";

/** The file with the agent's id. A renamed folder is still found by it. */
const OWNER_FILE = ".agent";

type OpenBrain = Brain & { readonly close: () => Promise<void> };

export interface BrainsOptions {
  readonly world: Pick<World, "clock" | "ids" | "hash">;
  readonly log: Log;
  readonly store: Store;
  readonly streams: Pick<DurableStreams, "commit">;
  readonly blobs: Blobs;
  readonly disk: BrainDisk;
  /** The files of a new brain: path → text. */
  readonly starter: () => Promise<Readonly<Record<string, string>>>;
}

export const createBrains = (options: BrainsOptions): Brains => {
  const { disk, starter, store, log, world } = options;
  const guards: Guard[] = [];
  const guard: Guard = {
    halt(agent) {
      for (const guard of guards) guard.halt(agent);
    },
    async release(agent) {
      for (const guard of guards) await guard.release(agent);
    },
  };
  const restored: RestoredBrain[] = [];
  let folders: Promise<Map<string, string>> | undefined;
  const openBrains = new Map<AgentId, Promise<OpenBrain>>();
  /** One queue per brain, shared by all its opens. */
  const enqueue = createNamedQueues<AgentId>();

  const scan = async (): Promise<Map<string, string>> => {
    const owners = new Map<string, string>();
    for (const folder of await disk.folders()) {
      const owner = await disk.read(`${folder}/${OWNER_FILE}`);
      if (owner !== undefined) owners.set(owner.trim(), folder);
    }
    return owners;
  };

  const findOrCreateFolder = async (agent: AgentRecord): Promise<string> => {
    folders ??= scan();
    const owners = await folders;
    const existingFolder = owners.get(agent.id);
    if (existingFolder !== undefined) return existingFolder;
    // A folder without a mark has no owner yet: a person added it, or a crash interrupted its
    // creation.
    const takenFolders = new Set(owners.values());
    let folder = agent.handle;
    for (let count = 2; takenFolders.has(folder); count += 1) folder = `${agent.handle}-${count}`;
    owners.set(agent.id, folder);
    try {
      const isPersonaMissing = (await disk.read(`${folder}/${SOUL}`)) === undefined;
      const storedFiles = isPersonaMissing
        ? await store.select({ table: "brain_files", where: { agent: agent.id } })
        : [];
      await disk.makeFolder(`${folder}/workspace`);
      if (storedFiles.some(({ hash }) => hash !== null)) {
        const { restoreFiles } = await import("./restore-files.ts");
        const count = await restoreFiles({ ...options, agent: agent.id, tree: disk.tree(folder), storedFiles });
        restored.push({ agent: agent.id, handle: agent.handle, at: world.clock.now(), ...count });
        const report = { agent: agent.id, folder, ...count };
        log.write("error", "a brain's folder was missing and has been restored from its versions", report);
        await disk.write(`${folder}/${OWNER_FILE}`, `${agent.id}\n`);
        return folder;
      }
      // An agent with an existing persona needs no first run. The page is written first, so a
      // person wrote every persona that has no page beside it.
      const { [FIRST_RUN_PAGE]: firstRunText, ...files } = await starter();
      if (firstRunText !== undefined && (await disk.read(`${folder}/${SOUL}`)) === undefined)
        await disk.write(`${folder}/${FIRST_RUN_PAGE}`, firstRunText);
      for (const [path, text] of Object.entries(files)) {
        if ((await disk.read(`${folder}/${path}`)) === undefined) await disk.write(`${folder}/${path}`, text);
      }
      if ((await disk.read(`${folder}/${IGNORE_FILE}`)) === undefined)
        await disk.write(`${folder}/${IGNORE_FILE}`, IGNORE_TEXT);
      // The mark is written last, so that a folder with a mark is complete.
      await disk.write(`${folder}/${OWNER_FILE}`, `${agent.id}\n`);
    } catch (error) {
      owners.delete(agent.id);
      throw error;
    }
    return folder;
  };

  const viewsOf = (folder: string): Pick<Brain, "viewFor"> => ({
    async viewFor(audience) {
      if (audience === "private")
        return { brain: disk.absolute(folder), hidden: HIDDEN, workspace: disk.absolute(`${folder}/workspace`) };
      const workspace = `${folder}/workspace/rooms/${audience.slice("room:".length)}`;
      await disk.makeFolder(workspace);
      // The cell gets a copy, because it would keep seeing the old inode of a replaced file.
      await disk.copy(folder, PERSONA_FILES, `${folder}/${PERSONA}`);
      return { brain: disk.absolute(`${folder}/${PERSONA}`), hidden: [], workspace: disk.absolute(workspace) };
    },
  });

  const open = async (agent: AgentRecord): Promise<OpenBrain> => {
    // Loaded lazily: no start needs it.
    const [folder, { openBrain }] = await Promise.all([findOrCreateFolder(agent), import("./house-brain.ts")]);
    const brain = await openBrain(agent, disk.tree(folder), { ...options, guard }, () => openBrains.delete(agent.id));
    return { ...brain, ...viewsOf(folder), serialize: (work) => enqueue(agent.id, work) };
  };

  return {
    async open(agent) {
      const openingBrain = openBrains.get(agent.id) ?? open(agent);
      openBrains.set(agent.id, openingBrain);
      try {
        return await openingBrain;
      } catch (error) {
        openBrains.delete(agent.id);
        throw error;
      }
    },
    restoredBrains: () => [...restored],
    async warm() {
      await import("./house-brain.ts");
    },
    addGuard: (listener) => void guards.push(listener),
    pendingProposals: () =>
      store.select({
        table: "brain_proposals",
        where: { state: "pending" },
        order: [
          { column: "at", descending: true },
          { column: "id", descending: true },
        ],
      }),
    async repeatHalts(find) {
      const haltingProposals = await store.select({ table: "brain_proposals", where: { state: "pending", halts: 1 } });
      for (const id of new Set(haltingProposals.map((row) => row.agent))) {
        const agent = await find(id);
        if (agent !== undefined) guard.halt(agent);
      }
    },
    async [Symbol.asyncDispose]() {
      // A brain that failed to open has no observations.
      await Promise.allSettled([...openBrains.values()].map(async (brain) => (await brain).close()));
    },
  };
};
