/**
 * Fingerprints workspace files, so that an approval of a command covers the exact scripts that it
 * names.
 */
import type { World } from "@hearth/protocol";
import { isHearthError } from "@hearth/protocol";
import type { BrainTree, FileFacts } from "./disk.ts";

export interface Pin {
  /** Path in the workspace of the private audience. */
  readonly path: string;
  /** Changes as soon as the file's content or the link's target changes. */
  readonly is: string;
  /**
   * The reason why the content cannot be pinned. A FIFO, a socket or a device returns different
   * bytes to each reader.
   */
  readonly unpinned?: string;
}

const WORKSPACE = "workspace";
const MAX_FILES = 20_000;
/**
 * Maximum number of files that are read. Further files, and larger ones, are pinned by their stamp.
 */
const MAX_FILES_READ = 64;
const MAX_FILE_BYTES = 8 * 1024 * 1024;

/**
 * Pins the files, links and other entries that `isNamed` selects, by path. All entries beyond the
 * first 20,000 count as one unpinned entry.
 */
export const pinWorkspace = async (
  { tree, hash }: { readonly tree: Pick<BrainTree, "walk" | "read">; readonly hash: World["hash"] },
  isNamed: (path: string) => boolean,
): Promise<readonly Pin[]> => {
  const { files, links, notes, isComplete } = await tree.walk(WORKSPACE, { skips: () => false, maxFiles: MAX_FILES });
  const pinOf = async (facts: FileFacts, index: number): Promise<Pin> => {
    const bytes = index < MAX_FILES_READ ? await read(facts) : undefined;
    return {
      path: toWorkspacePath(facts.path),
      is: bytes === undefined ? `at ${facts.stamp}` : `sha256:${hash(bytes)}`,
    };
  };
  const read = async ({ path }: FileFacts): Promise<Uint8Array | undefined> => {
    try {
      return (await tree.read(path, MAX_FILE_BYTES))?.bytes;
    } catch (error) {
      // The file is large, keeps changing, or no longer exists, so its earlier stamp is used.
      if (isHearthError(error, "store.unavailable")) throw error;
      return undefined;
    }
  };
  const namedFiles = files.filter(({ path }) => isNamed(toWorkspacePath(path)));
  return [
    ...(await Promise.all(namedFiles.map(pinOf))),
    ...links
      .map(({ path, stamp }) => ({ path: toWorkspacePath(path), is: `link ${stamp}` }))
      .filter(({ path }) => isNamed(path)),
    ...notes
      .filter(({ path }) => isNamed(toWorkspacePath(path)) && !links.some((link) => link.path === path))
      .map(({ path, why }) => ({ path: toWorkspacePath(path), is: `unpinned: ${why}`, unpinned: why })),
    ...(isComplete
      ? []
      : [{ path: "every other file", is: "unpinned", unpinned: `the workspace has more than ${MAX_FILES} files` }]),
  ];
};

const toWorkspacePath = (path: string): string => path.slice(WORKSPACE.length + 1);
