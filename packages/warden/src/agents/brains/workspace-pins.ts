/** What files of a workspace hold at this moment, so that a word about a command is for the very scripts that it names. */
import type { World } from "@hearth/protocol";
import { isHearthError } from "@hearth/protocol";
import type { BrainTree, FileFacts } from "./disk.ts";

export interface Pin {
  /** In the workspace of the private audience. */
  readonly path: string;
  /** Another one as soon as it holds, or leads to, something else. */
  readonly is: string;
  /** Why its content cannot be pinned: a FIFO, a socket or a device gives to each reader something else. */
  readonly unpinned?: string;
}

const WORKSPACE = "workspace";
const MAX_FILES = 20_000;
/** Files that are read; of further ones, and of larger ones, it is what the disk says of them. */
const MAX_READ = 64;
const MAX_BYTES = 8 * 1024 * 1024;

/** Files, links and other entries that `isNamed` accepts, by path. Files beyond the first 20,000 are one unpinned entry. */
export const pinWorkspace = async (
  { tree, hash }: { readonly tree: Pick<BrainTree, "walk" | "read">; readonly hash: World["hash"] },
  isNamed: (path: string) => boolean,
): Promise<readonly Pin[]> => {
  const { files, links, notes } = await tree.walk(WORKSPACE, { skips: () => false, maxFiles: MAX_FILES });
  const pinOf = async (facts: FileFacts, index: number): Promise<Pin> => {
    const bytes = index < MAX_READ ? await read(facts) : undefined;
    return { path: inside(facts.path), is: bytes === undefined ? `at ${facts.stamp}` : `sha256:${hash(bytes)}` };
  };
  const read = async ({ path }: FileFacts): Promise<Uint8Array | undefined> => {
    try {
      return (await tree.read(path, MAX_BYTES))?.bytes;
    } catch (error) {
      // It is large, never holds still, or is no file any more: its stamp is from before.
      if (isHearthError(error, "store.unavailable")) throw error;
      return undefined;
    }
  };
  const named = files.filter(({ path }) => isNamed(inside(path)));
  return [
    ...(await Promise.all(named.map(pinOf))),
    ...links
      .map(({ path, stamp }) => ({ path: inside(path), is: `link ${stamp}` }))
      .filter(({ path }) => isNamed(path)),
    ...notes
      .filter(({ path }) => isNamed(inside(path)) && !links.some((link) => link.path === path))
      .map(({ path, why }) => ({ path: inside(path), is: `unpinned: ${why}`, unpinned: why })),
    ...(files.length < MAX_FILES
      ? []
      : [{ path: "every other file", is: "unpinned", unpinned: `the workspace has more than ${MAX_FILES} files` }]),
  ];
};

const inside = (path: string): string => path.slice(WORKSPACE.length + 1);
