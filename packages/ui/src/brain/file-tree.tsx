/** The files of a brain in their folders. A folder with much in it stays shut until one looks for something there. */
import type { BrainFile } from "@hearth/protocol";
import { useState } from "react";
import { Link } from "wouter";
import { classes } from "../design/classes.ts";
import { Hidden } from "../design/hidden.tsx";
import { Icon } from "../design/icon.tsx";
import { visible } from "../text/visible.tsx";
import styles from "./brain.module.css";
import { pathOfFile } from "./place.ts";
import { countFiles, toTree, type TreeNode } from "./tree.ts";

/** More than these at once are no list that one reads. */
const MANY = 12;

export interface FileTreeProps {
  readonly agent: string;
  readonly files: readonly BrainFile[];
  /** The one that is open. */
  readonly path: string | undefined;
  /** Files with something typed that is not saved. */
  readonly unsaved: readonly string[];
}

export const FileTree = ({ files, ...row }: FileTreeProps) => <Nodes nodes={toTree(files)} row={row} />;

type Row = Omit<FileTreeProps, "files">;

const Nodes = ({ nodes, row }: { readonly nodes: readonly TreeNode[]; readonly row: Row }) => (
  <ul className={styles.tree}>
    {nodes.map((node) =>
      node.kind === "file" ? (
        <li key={node.file.path}>
          <FileRow name={node.name} file={node.file} row={row} />
        </li>
      ) : (
        <li key={node.path}>
          <FolderRow node={node} row={row} />
        </li>
      ),
    )}
  </ul>
);

interface FileRowProps {
  readonly name: string;
  readonly file: BrainFile;
  readonly row: Row;
}

const FileRow = ({ name, file, row: { agent, path, unsaved } }: FileRowProps) => (
  <Link
    href={pathOfFile(agent, file.path)}
    aria-current={file.path === path ? "page" : undefined}
    className={styles.node}
  >
    <bdi>{visible(name)}</bdi>{" "}
    {unsaved.includes(file.path) ? <span className={styles.mark}>Not saved</span> : undefined}{" "}
    {file.isGuarded ? (
      <span className={styles.quiet} title="What it is and obeys: a change by the agent may wait for your word">
        <Icon name="key" />
        <Hidden>guarded</Hidden>
      </span>
    ) : undefined}
  </Link>
);

interface FolderRowProps {
  readonly node: Extract<TreeNode, { kind: "folder" }>;
  readonly row: Row;
}

const FolderRow = ({ node, row }: FolderRowProps) => {
  const { path, name, nodes } = node;
  const count = countFiles(nodes);
  const holdsOpen = row.path?.startsWith(`${path}/`) === true;
  const [isOpen, setOpen] = useState(holdsOpen || count <= MANY);
  return (
    <>
      <button type="button" aria-expanded={isOpen} className={styles.node} onClick={() => setOpen(!isOpen)}>
        <span className={classes(styles.chevron, isOpen && styles.unfolded)}>
          <Icon name="chevron" />
        </span>
        <bdi>{visible(name)}</bdi>{" "}
        <span className={styles.quiet}>
          {count.toLocaleString()}
          <Hidden>{count === 1 ? " file" : " files"}</Hidden>
        </span>
      </button>
      {isOpen ? <Nodes nodes={nodes} row={row} /> : undefined}
    </>
  );
};
