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
    const names = file.path.split("/");
    let folder = root;
    for (const name of names.slice(0, -1)) {
      const next = folder.folders.get(name) ?? createFolder();
      folder.folders.set(name, next);
      folder = next;
    }
    folder.files.push({ name: names.at(-1) ?? file.path, file });
  }
  return toNodes(root, "");
};

/** The number of files in these folders. */
export const countFiles = (nodes: readonly TreeNode[]): number =>
  nodes.reduce((sum, node) => sum + (node.kind === "file" ? 1 : countFiles(node.nodes)), 0);

const toNodes = ({ files, folders }: Folder, within: string): readonly TreeNode[] => [
  ...files.toSorted(byName).map(({ name, file }): TreeNode => ({ kind: "file", name, file })),
  ...[...folders]
    .toSorted(([a], [b]) => compareNames(a, b))
    .map(([name, folder]): TreeNode => {
      const path = `${within}${name}`;
      return { kind: "folder", name, path, nodes: toNodes(folder, `${path}/`) };
    }),
];

const DAY = /^\d{4}-\d{2}-\d{2}\b/;

const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  DAY.test(a.name) && DAY.test(b.name) ? compareNames(b.name, a.name) : compareNames(a.name, b.name);
