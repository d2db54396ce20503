/** The agents' folders of plain files. They are the truth of what an agent is; this part finds and makes them. */
import type { AgentId, AgentRecord } from "@hearth/protocol";
import type { Brain } from "./brain.ts";
import type { BrainDisk } from "./disk.ts";
import type { BrainParts } from "./house-brain.ts";
import type { SerialQueue } from "./serial-queue.ts";
import { SHOWN } from "./audience-files.ts";

/** Disposed, it has told the store all that it saw. Without that, a file that was made last and removed by hand before the next start comes back. */
export interface Brains extends AsyncDisposable {
  /** The agent's brain; one that never had any gets the starter's, and one whose folder is gone gets its last versions. */
  open(agent: AgentRecord): Promise<Brain>;
  /** Brains whose folder was gone, and was written again from its versions, since this start. */
  remade(): readonly RemadeBrain[];
  /** Reads what opening a brain takes, before anybody waits for it. */
  warm(): Promise<void>;
  /** Whoever waits for a person's word about a change of what it is goes on waiting. Before anything wakes. */
  haltAgain(find: (agent: AgentId) => Promise<AgentRecord | undefined>): Promise<void>;
}

export interface RemadeBrain {
  readonly agent: AgentId;
  readonly handle: string;
  /** UTC milliseconds. */
  readonly at: number;
  /** Files that were written. */
  readonly written: number;
  /** Files of which no version is kept. */
  readonly missing: number;
}

/** The copy of what every audience may see. */
const PERSONA = ".persona";

/** Derived, and nothing that a cell may read: what is indexed is of every audience. */
const HIDDEN = ["db", ".agent", PERSONA];

/** Whoever keeps a brain in git keeps what its agent is, and not what is made of it while it runs: that would be in the way of every checkout. */
const IGNORE = ".gitignore";
const IGNORED = `/db/\n/${PERSONA}/\n`;

/** What every agent that has lived has, and the page that only a new one is given. */
const SOUL = "SOUL.md";
const RITUAL = "BOOTSTRAP.md";

/** Holds the agent's id, so that a folder stays its agent's when the agent is renamed. */
const MARK = ".agent";

type OpenBrain = Brain & { readonly close: () => Promise<void> };

export interface BrainsOptions extends BrainParts {
  readonly disk: BrainDisk;
  /** Files of a new brain: path → text. */
  readonly starter: () => Promise<Readonly<Record<string, string>>>;
}

export const createBrains = (options: BrainsOptions): Brains => {
  const { disk, starter, store, guard, log, world } = options;
  const remade: RemadeBrain[] = [];
  let folders: Promise<Map<string, string>> | undefined;
  const opening = new Map<AgentId, Promise<OpenBrain>>();
  /** One for all that are opened of a brain, one after the other. */
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
    // A folder without a mark is nobody's yet: one that a person put there, or one that a crash left half made.
    const taken = new Set(owners.values());
    let folder = agent.handle;
    for (let count = 2; taken.has(folder); count += 1) folder = `${agent.handle}-${count}`;
    owners.set(agent.id, folder);
    try {
      const isGone = (await disk.read(`${folder}/${SOUL}`)) === undefined;
      const kept = isGone ? await store.select({ table: "brain_files", where: { agent: agent.id } }) : [];
      await disk.makeFolder(`${folder}/workspace`);
      if (kept.some(({ hash }) => hash !== null)) {
        const { writeKept } = await import("./write-kept.ts");
        const count = await writeKept({ ...options, agent: agent.id, tree: disk.tree(folder), kept });
        remade.push({ agent: agent.id, handle: agent.handle, at: world.clock.now(), ...count });
        const told = { agent: agent.id, folder, ...count };
        log.write("error", "the folder of a brain was gone and was written again from its versions", told);
        await disk.write(`${folder}/${MARK}`, `${agent.id}\n`);
        return folder;
      }
      // Whoever brings a persona along has had its first conversation. Written first, so that a persona without it was not made here.
      const { [RITUAL]: ritual, ...files } = await starter();
      if (ritual !== undefined && (await disk.read(`${folder}/${SOUL}`)) === undefined)
        await disk.write(`${folder}/${RITUAL}`, ritual);
      for (const [path, text] of Object.entries(files)) {
        if ((await disk.read(`${folder}/${path}`)) === undefined) await disk.write(`${folder}/${path}`, text);
      }
      if ((await disk.read(`${folder}/${IGNORE}`)) === undefined) await disk.write(`${folder}/${IGNORE}`, IGNORED);
      // Last, so that a folder with a mark is a whole brain.
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
      // A copy: a file that is replaced would stay the old one in a cell that it was handed into.
      await disk.copy(folder, SHOWN, `${folder}/${PERSONA}`);
      return { brain: disk.absolute(`${folder}/${PERSONA}`), hidden: [], workspace: disk.absolute(workspace) };
    },
  });

  const open = async (agent: AgentRecord): Promise<OpenBrain> => {
    // No start needs it.
    const [folder, { openBrain }, { createSerialQueue }] = await Promise.all([
      make(agent),
      import("./house-brain.ts"),
      import("./serial-queue.ts"),
    ]);
    const brain = await openBrain(agent, disk.tree(folder), options, () => opening.delete(agent.id));
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
    async haltAgain(find) {
      const halting = await store.select({ table: "brain_proposals", where: { state: "pending", halts: 1 } });
      for (const id of new Set(halting.map((row) => row.agent as AgentId))) {
        const agent = await find(id);
        if (agent !== undefined) guard.halt(agent);
      }
    },
    async [Symbol.asyncDispose]() {
      // One that could not be opened has seen nothing.
      await Promise.allSettled([...opening.values()].map(async (brain) => (await brain).close()));
    },
  };
};
