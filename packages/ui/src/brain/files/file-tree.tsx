/** The files of a brain in folders. Large folders are collapsed until the user opens them. */
import type { BrainFile } from "@hearth/protocol";
import { useState } from "react";
import { Link } from "wouter";
import { classes } from "../../design/classes.ts";
import { VisuallyHidden } from "../../design/hidden.tsx";
import { Icon } from "../../design/icon.tsx";
import { formatNumber } from "../../language/locale.ts";
import { toVisible } from "../../text/visible.tsx";
import styles from "../brain.module.css";
import { pathOfFile } from "../place.ts";
import * as texts from "../text.ts";
import { countFiles, toTree, type TreeNode } from "./tree.ts";

/** Folders with more files are collapsed. */
const MAX_EXPANDED_FILES = 12;

export interface FileTreeProps {
  readonly agent: string;
  readonly files: readonly BrainFile[];
  /** Path of the open file. */
  readonly path: string | undefined;
  /** Paths with unsaved text. */
  readonly unsavedPaths: readonly string[];
}

export const FileTree = ({ files, ...row }: FileTreeProps) => <Nodes nodes={toTree(files)} row={row} />;

/** The values that every row of the tree needs. */
interface Row {
  readonly agent: string;
  readonly path: string | undefined;
  readonly unsavedPaths: readonly string[];
}

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

const FileRow = ({ name, file, row: { agent, path, unsavedPaths } }: FileRowProps) => (
  <Link
    href={pathOfFile(agent, file.path)}
    aria-current={file.path === path ? "page" : undefined}
    className={styles.node}
  >
    <bdi>{toVisible(name)}</bdi>{" "}
    {unsavedPaths.includes(file.path) ? <span className={styles.mark}>{texts.notSaved}</span> : undefined}{" "}
    {file.isGuarded ? (
      <span className={styles.quiet} title={texts.protectedHint}>
        <Icon name="key" />
        <VisuallyHidden>{texts.protectedState}</VisuallyHidden>
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
  const hasOpenFile = row.path?.startsWith(`${path}/`) === true;
  const [isOpen, setOpen] = useState(hasOpenFile || count <= MAX_EXPANDED_FILES);
  return (
    <>
      <button type="button" aria-expanded={isOpen} className={styles.node} onClick={() => setOpen(!isOpen)}>
        <span className={classes(styles.chevron, isOpen && styles.unfolded)}>
          <Icon name="chevron" />
        </span>
        <bdi>{toVisible(name)}</bdi>{" "}
        <span className={styles.quiet}>
          {formatNumber(count)}
          <VisuallyHidden>{count === 1 ? texts.fileUnit : texts.filesUnit}</VisuallyHidden>
        </span>
      </button>
      {isOpen ? <Nodes nodes={nodes} row={row} /> : undefined}
    </>
  );
};
