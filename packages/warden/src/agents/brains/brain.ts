/** One agent's brain: plain files on the disk that are the truth, and what is known of each of them. */
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
import type { Pin } from "./workspace-pins.ts";

/** Who changes something, and what it is made of. */
export interface By {
  readonly agent: AgentId;
  /** The turn of a bot. Absent: a person, at the UI or the CLI. */
  readonly activation?: ActivationId;
  readonly label: Label;
}

export type Written =
  /** Durable, as a version. Without `hash` the file is gone. */
  | { readonly kind: "written"; readonly change: ChangeId; readonly hash?: string }
  /** The file is so already. */
  | { readonly kind: "unchanged" }
  /** Nothing is written until a person says so; with `halts` the agent does nothing until then. */
  | { readonly kind: "proposed"; readonly proposal: ProposalId; readonly halts: boolean };

export interface LabelledLine {
  /** Without its end. */
  readonly text: string;
  /** The owner's own, unless somebody else is known to have written it. */
  readonly label: Label;
}

/** What a cell sees: absolute paths, as `CellSpec` has them. */
export interface View {
  readonly brain: string;
  readonly hidden: readonly string[];
  readonly workspace: string;
}

/**
 * Contract, checked by its tests:
 * - a path is relative to the brain, leads through no link and to nothing outside it; anything else is `brain.path` before anything is touched
 * - what a person edits with any editor is a version by hand, at the latest when the file is next read, written or looked for
 * - a change and its event in the agent's log are one commit; a file is never half written, and a crash between the two is mended at the next open
 * - changes of one brain happen one after the other
 * - a line that somebody else wrote stays theirs, wherever in the brain it turns up and whoever moves it there
 * - `workspace/` is written by tools of the cell, never through here
 */
export interface Brain {
  /** Looks for edits by hand of the files that the soul guard compares. One that goes too far halts the agent before this resolves. */
  checkSoul(): Promise<void>;
  viewFor(audience: Audience): Promise<View>;
  /**
   * Whoever reads something elsewhere to write it down here, and whoever erases something there and here, do it in turn: what one of them has read is
   * not erased before it is written. Nothing within waits for another one of these.
   */
  readonly inTurn: SerialQueue;
  /** A file of the brain, such as "SOUL.md", as text. `undefined` when it is missing. What is no text, or too long, is a line that says so. */
  read(path: string): Promise<string | undefined>;
  /** The same, line by line. The very same value as before while nothing has changed: that takes one look at the file's facts. */
  readLabelled(path: string): Promise<readonly LabelledLine[] | undefined>;
  /** What the file holds. Throws `brain.too-large`. */
  readBytes(path: string): Promise<{ readonly bytes: Uint8Array; readonly hash: string } | undefined>;
  /** Names of files and folders right in a folder, in order, by one look at that folder; none when there is no such folder, or a link on the way. */
  names(folder: string): Promise<readonly string[]>;
  /** What those files of the workspace hold that `isNamed` says yes to, by their path there. For telling whether they change. */
  pins(isNamed: (path: string) => boolean): Promise<readonly Pin[]>;
  /** Files outside the workspace, by path. Names that begin with a dot are the owner's tools' and not told. */
  list(): Promise<BrainFiles>;
  /**
   * Replaces a file whole; without a text it goes. With `hash`, only what holds that. Throws `brain.path`, `brain.text`,
   * `brain.too-large`, `brain.changed`.
   */
  write(path: string, text: string | undefined, by: By, hash?: string): Promise<Written>;
  /** Puts the text at the end, on a line of its own. */
  append(path: string, text: string, by: By): Promise<Written>;
  /** Finds what was edited by hand. What was found is a version each, in one change. */
  scan(): Promise<BrainChange | undefined>;
  /** Keeps what a turn left in the workspace. Nothing when that is nothing new. */
  checkpoint(by: By): Promise<BrainChange | undefined>;

  /** Newest first. */
  log(query: BrainLogQuery): Promise<readonly BrainChange[]>;
  /** Throws `brain.not-found`. */
  diff(change: ChangeId): Promise<readonly BrainDiff[]>;
  /** By a person. All of it or nothing: throws `brain.changed` where later changes are in the way, `brain.not-found`. */
  undo(what: UndoBrain, by: By): Promise<BrainUndone>;
  /** By a person. From the files, from every version and from the disk; what went is told, never what it was. */
  erase(what: EraseBrain, by: By): Promise<BrainErased>;

  /** Newest first. */
  proposals(query: ProposalQuery): Promise<readonly Proposal[]>;
  /**
   * A person's word. Yes: it is made as it was shown, on top of what came into the file since. No: it is not, and what is on the disk
   * already is taken back. Throws `proposal.not-found`, `proposal.over`, and `brain.changed` for a yes to what does not fit any more.
   */
  decide(id: ProposalId, decision: DecideProposal, by: AgentId): Promise<Proposal>;
}
