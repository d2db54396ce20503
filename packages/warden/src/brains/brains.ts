/** The agents' folders of plain files. They are the truth of what an agent is; this part finds, makes and reads them. */
import type { AgentId, AgentRecord } from "@hearth/protocol";

/** Files below one root, by slash-separated path. An adapter gives the real ones. */
export interface BrainDisk {
  /** Absolute path of a place below the root, for those who must hand it to a cell. */
  absolute(path: string): string;
  /** `undefined` when there is no such file. */
  read(path: string): Promise<string | undefined>;
  write(path: string, text: string): Promise<void>;
  makeFolder(path: string): Promise<void>;
  /** Names of the folders right below the root. */
  folders(): Promise<readonly string[]>;
}

export interface Brain {
  /** Absolute path of the folder that the agent's cell may write. */
  readonly workspace: string;
  /** A file of the brain, such as "SOUL.md". `undefined` when it is missing. */
  read(name: string): Promise<string | undefined>;
}

export interface Brains {
  /** The agent's brain; one that has none gets the starter's. */
  open(agent: AgentRecord): Promise<Brain>;
}

/** Holds the agent's id, so that a folder stays its agent's when the agent is renamed. */
const MARK = ".agent";

export const createBrains = (options: {
  readonly disk: BrainDisk;
  /** Files of a new brain: path → text. */
  readonly starter: () => Promise<Readonly<Record<string, string>>>;
}): Brains => {
  const { disk, starter } = options;
  let folders: Promise<Map<string, string>> | undefined;
  const opening = new Map<AgentId, Promise<string>>();

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
      await disk.makeFolder(`${folder}/workspace`);
      for (const [path, text] of Object.entries(await starter())) {
        if ((await disk.read(`${folder}/${path}`)) === undefined) await disk.write(`${folder}/${path}`, text);
      }
      // Last, so that a folder with a mark is a whole brain.
      await disk.write(`${folder}/${MARK}`, `${agent.id}\n`);
    } catch (error) {
      owners.delete(agent.id);
      throw error;
    }
    return folder;
  };

  return {
    async open(agent) {
      const pending = opening.get(agent.id) ?? make(agent);
      opening.set(agent.id, pending);
      try {
        const folder = await pending;
        return {
          workspace: disk.absolute(`${folder}/workspace`),
          read: (name) => disk.read(`${folder}/${name}`),
        };
      } catch (error) {
        opening.delete(agent.id);
        throw error;
      }
    },
  };
};

/** A disk in memory, for tests. */
export const createMemoryBrainDisk = (files: Map<string, string> = new Map()): BrainDisk => ({
  absolute: (path) => `/brains/${path}`,
  read: async (path) => files.get(path),
  write: async (path, text) => void files.set(path, text),
  makeFolder: async (path) => void files.set(`${path}/`, ""),
  folders: async () => [...new Set([...files.keys()].map((path) => path.slice(0, path.indexOf("/"))))],
});
