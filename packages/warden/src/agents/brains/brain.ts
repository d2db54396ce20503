/**
 * One agent's brain: plain files on disk, which are the source of truth, and the records about
 * them.
 */
import type {
  ActivationId,
  AgentId,
  Audience,
  BrainChange,
  BrainDiff,
  BrainErased,
  BrainFiles,
  BrainLogQuery,
  BrainUndone,
  ChangeId,
  DecideProposal,
  EraseBrain,
  Label,
  Proposal,
  ProposalId,
  ProposalQuery,
  UndoBrain,
} from "@hearth/protocol";

import type { SerialQueue } from "./serial-queue.ts";
import type { WorkspaceFiles } from "./workspace-files.ts";
import type { Pin } from "./workspace-pins.ts";

/** Who makes a change, and the label of its content. */
export interface By {
  readonly agent: AgentId;
  /** The bot's turn. Absent: a person, in the UI or the CLI. */
  readonly activation?: ActivationId;
  readonly label: Label;
}

export type Written =
  /** Durable, as a version. Without `hash` the file is deleted. */
  | { readonly kind: "written"; readonly change: ChangeId; readonly hash?: string }
  /** The file already has this content. */
  | { readonly kind: "unchanged" }
  /**
   * Nothing is written until a person approves it. With `halts` the agent is stopped until then.
   */
  | { readonly kind: "proposed"; readonly proposal: ProposalId; readonly halts: boolean };

export interface LabelledLine {
  /** Without its line ending. */
  readonly text: string;
  /** The owner's label, unless another author is known. */
  readonly label: Label;
}

/** Absolute paths that a cell mounts, as in `CellSpec`. */
export interface View {
  readonly brain: string;
  readonly hidden: readonly string[];
  readonly workspace: string;
}

/**
 * Contract, checked by its tests:
 * - A path is relative to the brain and leads through no link. Any other path throws `brain.path`
 *   before anything is touched.
 * - Edits that a person makes with an editor become a version, at the latest when the file is next
 *   read, written or scanned.
 * - A change and its event in the agent's log are one commit. A file is never half written, and the
 *   next open repairs a crash between the two.
 * - Changes of one brain run one at a time.
 * - A line keeps its author's label wherever in the brain it appears and whichever author moves it.
 * - Only the cell's tools write to `workspace/`; this interface does not.
 */
export interface Brain {
  /**
   * Scans the files of the soul guard for edits by hand. An edit that goes too far halts the agent
   * before this resolves.
   */
  checkSoul(): Promise<void>;
  viewFor(audience: Audience): Promise<View>;
  /**
   * Serialises a task that copies text into the brain with one that erases it there and at its
   * source, so that erased text is never written afterwards. Tasks must not nest.
   */
  readonly inTurn: SerialQueue;
  /**
   * Reads a file of the brain, such as "SOUL.md", as text. `undefined` if it is missing. A file
   * that is not text, or is too long, reads as a one-line note.
   */
  read(path: string): Promise<string | undefined>;
  /**
   * Reads a file line by line with labels. Returns the same array while the file is unchanged, at
   * the cost of one stat.
   */
  readLabelled(path: string): Promise<readonly LabelledLine[] | undefined>;
  /** Reads the file's bytes. Throws `brain.too-large`. */
  readBytes(path: string): Promise<{ readonly bytes: Uint8Array; readonly hash: string } | undefined>;
  /**
   * Returns the names directly in a folder, sorted, with a single directory read. Empty if the
   * folder is missing or the path leads through a link.
   */
  names(folder: string): Promise<readonly string[]>;
  /**
   * Returns fingerprints of the workspace files that `isNamed` selects, by path in the workspace,
   * to detect changes.
   */
  pins(isNamed: (path: string) => boolean): Promise<readonly Pin[]>;
  /** Files that the agent made. */
  readonly workspace: WorkspaceFiles;
  /**
   * Lists files outside the workspace by path. Excludes dot files, which belong to the owner's
   * tools.
   */
  list(): Promise<BrainFiles>;
  /**
   * Replaces a whole file; without a text, deletes it. With `hash`, only if the file has that
   * content. Throws `brain.path`, `brain.text`, `brain.too-large`, `brain.changed`.
   */
  write(path: string, text: string | undefined, by: By, hash?: string): Promise<Written>;
  /** Appends the text as a new line. */
  append(path: string, text: string, by: By): Promise<Written>;
  /** Finds edits by hand. Records them as one version per file, in one change. */
  scan(): Promise<BrainChange | undefined>;
  /** Records the workspace as a turn left it. Undefined if nothing changed. */
  checkpoint(by: By): Promise<BrainChange | undefined>;

  /** Newest first. */
  log(query: BrainLogQuery): Promise<readonly BrainChange[]>;
  /** Throws `brain.not-found`. */
  diff(change: ChangeId): Promise<readonly BrainDiff[]>;
  /**
   * Undoes changes for a person, completely or not at all. Throws `brain.changed` if later changes
   * conflict, `brain.not-found`.
   */
  undo(what: UndoBrain, by: By): Promise<BrainUndone>;
  /**
   * Erases content for a person: from the files, all versions and the disk. Reports where something
   * was erased, never what.
   */
  erase(what: EraseBrain, by: By): Promise<BrainErased>;

  /** Newest first. */
  proposals(query: ProposalQuery): Promise<readonly Proposal[]>;
  /**
   * Applies a person's decision. Approved: the change is made as shown, on top of later edits.
   * Denied: it is not made, and a change already on disk is reverted. Throws `proposal.not-found`,
   * `proposal.over`, and `brain.changed` for an approval that no longer applies.
   */
  decide(id: ProposalId, decision: DecideProposal, by: AgentId): Promise<Proposal>;
}
