/** Finds and creates the agents' brain folders. */
import type { Blobs, DurableStreams, Log, Row, Store } from "../../kernel/index.ts";
import type { AgentId, AgentRecord, World } from "@hearth/protocol";
import type { Brain } from "./brain.ts";
import type { BrainDisk } from "./disk.ts";
import type { Guard } from "./guard-review.ts";
import type { SerialQueue } from "./serial-queue.ts";
import { SHOWN } from "./audience-files.ts";

/**
 * Disposing stores all pending observations of files. Otherwise a file that was made last and
 * deleted by hand before the next start would be restored.
 */
export interface Brains extends AsyncDisposable {
  /**
   * Opens the agent's brain. A new one gets the starter files; one whose folder is missing is
   * restored from its last versions.
   */
  open(agent: AgentRecord): Promise<Brain>;
  /** Brains restored from their versions since this start, because their folder was missing. */
  remade(): readonly RemadeBrain[];
  /** Preloads what opening a brain needs. */
  warm(): Promise<void>;
  /** The guard is called when a change of a brain halts or releases its agent. */
  guardWith(guard: Guard): void;
  /** Pending proposals of every agent, newest first, as stored. */
  pendingProposals(): Promise<readonly Row<"brain_proposals">[]>;
  /** Halts again the agents with undecided soul changes. Called before any agent wakes. */
  haltAgain(find: (agent: AgentId) => Promise<AgentRecord | undefined>): Promise<void>;
}

export interface RemadeBrain {
  readonly agent: AgentId;
  readonly handle: string;
  /** UTC milliseconds. */
  readonly at: number;
  /** Number of files written. */
  readonly written: number;
  /** Number of files without a stored version. */
  readonly missing: number;
}

/** The copy of the files that every audience may see. */
const PERSONA = ".persona";

/** Not mounted in cells: the index covers all audiences. */
const HIDDEN = ["db", ".agent", PERSONA];

/**
 * Keeps derived and runtime files out of a git repository, where they would block each checkout.
 */
const IGNORE = ".gitignore";
const IGNORED = `/db/\n/${PERSONA}/\n`;

/** Files that show an agent has been used, and the first-run page that only a new one gets. */
const SOUL = "SOUL.md";
const RITUAL = "BOOTSTRAP.md";

/** Holds the agent's id, so that the folder stays with the agent when it is renamed. */
const MARK = ".agent";

type OpenBrain = Brain & { readonly close: () => Promise<void> };

export interface BrainsOptions {
  readonly world: Pick<World, "clock" | "ids" | "hash">;
  readonly log: Log;
  readonly store: Store;
  readonly streams: Pick<DurableStreams, "commit">;
  readonly blobs: Blobs;
  readonly disk: BrainDisk;
  /** Files of a new brain: path → text. */
  readonly starter: () => Promise<Readonly<Record<string, string>>>;
}

export const createBrains = (options: BrainsOptions): Brains => {
  const { disk, starter, store, log, world } = options;
  const guards: Guard[] = [];
  const guard: Guard = {
    halt(agent) {
      for (const one of guards) one.halt(agent);
    },
    async release(agent) {
      for (const one of guards) await one.release(agent);
    },
  };
  const remade: RemadeBrain[] = [];
  let folders: Promise<Map<string, string>> | undefined;
  const opening = new Map<AgentId, Promise<OpenBrain>>();
  /** One queue per brain, shared by all its opens. */
  const turns = new Map<AgentId, SerialQueue>();

  const scan = async (): Promise<Map<string, string>> => {
    const owners = new Map<string, string>();
    for (const folder of await disk.folders()) {
      const owner = await disk.read(`${folder}/${MARK}`);
      if (owner !== undefined) owners.set(owner.trim(), folder);
    }
    return owners;
  };

  const make = async (agent: AgentRecord): Promise<string> => {
    folders ??= scan();
    const owners = await folders;
    const known = owners.get(agent.id);
    if (known !== undefined) return known;
    // A folder without a mark has no owner yet: a person added it, or a crash left it incomplete.
    const takenFolders = new Set(owners.values());
    let folder = agent.handle;
    for (let count = 2; takenFolders.has(folder); count += 1) folder = `${agent.handle}-${count}`;
    owners.set(agent.id, folder);
    try {
      const isGone = (await disk.read(`${folder}/${SOUL}`)) === undefined;
      const kept = isGone ? await store.select({ table: "brain_files", where: { agent: agent.id } }) : [];
      await disk.makeFolder(`${folder}/workspace`);
      if (kept.some(({ hash }) => hash !== null)) {
        const { writeKept } = await import("./write-kept.ts");
        const count = await writeKept({ ...options, agent: agent.id, tree: disk.tree(folder), kept });
        remade.push({ agent: agent.id, handle: agent.handle, at: world.clock.now(), ...count });
        const report = { agent: agent.id, folder, ...count };
        log.write("error", "a brain's folder was missing and has been restored from its versions", report);
        await disk.write(`${folder}/${MARK}`, `${agent.id}\n`);
        return folder;
      }
      // An agent with an existing persona needs no first conversation. The ritual file is written
      // first, so a persona without it came from a person.
      const { [RITUAL]: ritual, ...files } = await starter();
      if (ritual !== undefined && (await disk.read(`${folder}/${SOUL}`)) === undefined)
        await disk.write(`${folder}/${RITUAL}`, ritual);
      for (const [path, text] of Object.entries(files)) {
        if ((await disk.read(`${folder}/${path}`)) === undefined) await disk.write(`${folder}/${path}`, text);
      }
      if ((await disk.read(`${folder}/${IGNORE}`)) === undefined) await disk.write(`${folder}/${IGNORE}`, IGNORED);
      // Written last, so that a folder with a mark is complete.
      await disk.write(`${folder}/${MARK}`, `${agent.id}\n`);
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
      // A copy, because a cell would keep seeing the old inode of a replaced file.
      await disk.copy(folder, SHOWN, `${folder}/${PERSONA}`);
      return { brain: disk.absolute(`${folder}/${PERSONA}`), hidden: [], workspace: disk.absolute(workspace) };
    },
  });

  const open = async (agent: AgentRecord): Promise<OpenBrain> => {
    // Loaded lazily: no start needs it.
    const [folder, { openBrain }, { createSerialQueue }] = await Promise.all([
      make(agent),
      import("./house-brain.ts"),
      import("./serial-queue.ts"),
    ]);
    const brain = await openBrain(agent, disk.tree(folder), { ...options, guard }, () => opening.delete(agent.id));
    const inTurn = turns.get(agent.id) ?? createSerialQueue();
    turns.set(agent.id, inTurn);
    return { ...brain, ...viewsOf(folder), inTurn };
  };

  return {
    async open(agent) {
      const pending = opening.get(agent.id) ?? open(agent);
      opening.set(agent.id, pending);
      try {
        return await pending;
      } catch (error) {
        opening.delete(agent.id);
        throw error;
      }
    },
    remade: () => [...remade],
    async warm() {
      await import("./house-brain.ts");
    },
    guardWith: (one) => void guards.push(one),
    pendingProposals: () =>
      store.select({
        table: "brain_proposals",
        where: { state: "pending" },
        order: [
          { column: "at", descending: true },
          { column: "id", descending: true },
        ],
      }),
    async haltAgain(find) {
      const halting = await store.select({ table: "brain_proposals", where: { state: "pending", halts: 1 } });
      for (const id of new Set(halting.map((row) => row.agent))) {
        const agent = await find(id);
        if (agent !== undefined) guard.halt(agent);
      }
    },
    async [Symbol.asyncDispose]() {
      // A brain that failed to open has no observations.
      await Promise.allSettled([...opening.values()].map(async (brain) => (await brain).close()));
    },
  };
};
