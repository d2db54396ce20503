/** Sorts files into folders. Pure. */
import type { BrainFile } from "@hearth/protocol";
import { compareNames } from "../../language/locale.ts";

export type TreeNode =
  | { readonly kind: "file"; readonly name: string; readonly file: BrainFile }
  | { readonly kind: "folder"; readonly name: string; readonly path: string; readonly nodes: readonly TreeNode[] };

interface Folder {
  readonly files: { readonly name: string; readonly file: BrainFile }[];
  readonly folders: Map<string, Folder>;
}

const createFolder = (): Folder => ({ files: [], folders: new Map() });

/** Sorts files before folders, both by name. Files whose names are dates are sorted newest first. */
export const toTree = (files: readonly BrainFile[]): readonly TreeNode[] => {
  const root = createFolder();
  for (const file of files) {
    const segments = file.path.split("/");
    let folder = root;
    for (const name of segments.slice(0, -1)) {
      const subfolder = folder.folders.get(name) ?? createFolder();
      folder.folders.set(name, subfolder);
      folder = subfolder;
    }
    folder.files.push({ name: segments.at(-1) ?? file.path, file });
  }
  return toNodes(root, "");
};

/** Returns the number of files in these folders. */
export const countFiles = (nodes: readonly TreeNode[]): number =>
  nodes.reduce((sum, node) => sum + (node.kind === "file" ? 1 : countFiles(node.nodes)), 0);

const toNodes = ({ files, folders }: Folder, parentPath: string): readonly TreeNode[] => [
  ...files.toSorted(byName).map(({ name, file }): TreeNode => ({ kind: "file", name, file })),
  ...[...folders]
    .toSorted(([a], [b]) => compareNames(a, b))
    .map(([name, folder]): TreeNode => {
      const path = `${parentPath}${name}`;
      return { kind: "folder", name, path, nodes: toNodes(folder, `${path}/`) };
    }),
];

const DATE_PREFIX = /^\d{4}-\d{2}-\d{2}\b/;

const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  DATE_PREFIX.test(a.name) && DATE_PREFIX.test(b.name) ? compareNames(b.name, a.name) : compareNames(a.name, b.name);
