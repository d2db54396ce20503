/**
 * The interface of one agent's brain: plain files on disk, which are the source of truth, and the
 * records about them.
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

import type { SerialQueue } from "@hearth/protocol/serial-queue";
import type { WorkspaceFiles } from "./workspace-files.ts";
import type { Pin } from "./workspace-pins.ts";

/** The author of a change, and the label of the content. */
export interface ChangeAuthor {
  readonly agent: AgentId;
  /** The bot's turn. It is absent if a person makes the change in the UI or the CLI. */
  readonly activation?: ActivationId;
  readonly label: Label;
}

export type WriteResult =
  /** The change is durable as a version. Without `hash` the file was deleted. */
  | { readonly kind: "written"; readonly change: ChangeId; readonly hash?: string }
  /** The file already has this content. */
  | { readonly kind: "unchanged" }
  /**
   * The change waits for a person's approval and is not written before. With `halts` the agent is
   * stopped until then.
   */
  | { readonly kind: "proposed"; readonly proposal: ProposalId; readonly halts: boolean };

export interface LabelledLine {
  /** The line without its line ending. */
  readonly text: string;
  /** The label of the line's author, or the owner's label if the author is unknown. */
  readonly label: Label;
}

/** Absolute paths that a cell mounts, as in `CellSpec`. */
export interface BrainView {
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
 * - Only the cell's tools write to `workspace/`. This interface does not.
 */
export interface Brain {
  /**
   * Scans the files of the soul guard for edits by hand. An edit that goes too far halts the agent
   * before this resolves.
   */
  checkSoul(): Promise<void>;
  viewFor(audience: Audience): Promise<BrainView>;
  /**
   * Serialises work that copies text into the brain with work that erases the text there and at
   * its source, so that erased text is never written afterwards. The work must not call `serialize`
   * itself.
   */
  readonly serialize: SerialQueue;
  /**
   * Reads a file of the brain, such as "SOUL.md", as text, or returns `undefined` if it is
   * missing. Returns a one-line note in place of a file that is not text or is too long.
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
   * Returns the sorted names in a folder, with a single directory read. Returns no names if the
   * folder is missing or the path leads through a link.
   */
  names(folder: string): Promise<readonly string[]>;
  /**
   * Returns a fingerprint of each workspace file that `isNamed` selects, to detect changes. Paths
   * are relative to the workspace.
   */
  pins(isNamed: (path: string) => boolean): Promise<readonly Pin[]>;
  /** The files that the agent made. */
  readonly workspace: WorkspaceFiles;
  /**
   * Lists the files outside the workspace by path, without dot files, which belong to the owner's
   * tools.
   */
  list(): Promise<BrainFiles>;
  /**
   * Replaces a whole file, or deletes it if `text` is undefined. With `hash`, does so only if the
   * file has that content. Throws `brain.path`, `brain.text`, `brain.too-large`, `brain.changed`.
   */
  write(path: string, text: string | undefined, by: ChangeAuthor, hash?: string): Promise<WriteResult>;
  /** Appends the text as a new line. */
  append(path: string, text: string, by: ChangeAuthor): Promise<WriteResult>;
  /** Finds edits by hand and records them as one change, with one version per file. */
  scan(): Promise<BrainChange | undefined>;
  /** Records the workspace as a turn left it. Returns undefined if nothing changed. */
  checkpoint(by: ChangeAuthor): Promise<BrainChange | undefined>;

  /** Returns the changes, newest first. */
  log(query: BrainLogQuery): Promise<readonly BrainChange[]>;
  /** Returns the diffs of a change. Throws `brain.not-found`. */
  diff(change: ChangeId): Promise<readonly BrainDiff[]>;
  /**
   * Undoes changes for a person: all of them or none. Throws `brain.not-found`, and
   * `brain.changed` if later changes conflict.
   */
  undo(request: UndoBrain, by: ChangeAuthor): Promise<BrainUndone>;
  /**
   * Erases content for a person from the files, all their versions and the disk. The report
   * contains the places, and nothing of the content.
   */
  erase(request: EraseBrain, by: ChangeAuthor): Promise<BrainErased>;

  /** Returns the proposals, newest first. */
  proposals(query: ProposalQuery): Promise<readonly Proposal[]>;
  /**
   * Applies a person's decision. An approved change is made as shown, on top of later edits. A
   * denied change is not made, or is reverted if it is already on disk. Throws
   * `proposal.not-found`, `proposal.over`, and `brain.changed` for an approval that no longer
   * applies.
   */
  decide(id: ProposalId, decision: DecideProposal, by: AgentId): Promise<Proposal>;
}
