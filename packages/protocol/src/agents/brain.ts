/** API types of an agent's brain: its files, their history, and proposals. */
import { z } from "zod";
import { ActivationId, AgentId, ChangeId, HouseId, ProposalId } from "../base/ids.ts";
import { Label, MAX_SOURCE_LENGTH } from "../policy/label.ts";

/**
 * Maximum size of a text written into a brain file, in UTF-8 bytes. Files that people put into
 * the brain's folder may be larger.
 */
export const MAX_BRAIN_TEXT_BYTES = 1024 * 1024;

/** SHA-256 of a file's bytes. */
const hash = z.string();
const path = z.string().min(1).max(1024);

export const BrainFile = z.object({
  path,
  sizeBytes: z.int(),
  hash,
  /**
   * Whether the file defines the agent's character or its rules. If a turn has read untrusted text,
   * its change of such a file becomes a proposal.
   */
  isGuarded: z.boolean(),
});
export type BrainFile = z.infer<typeof BrainFile>;

/** A file that cannot be stored or searched, and why. */
export const BrainNote = z.object({ path: z.string(), why: z.string() });
export type BrainNote = z.infer<typeof BrainNote>;

export const BrainFiles = z.object({ files: z.array(BrainFile), notes: z.array(BrainNote) });
export type BrainFiles = z.infer<typeof BrainFiles>;

/** Consecutive lines of a file from the same source. */
export const BrainSpan = z.object({ from: z.int(), to: z.int(), label: Label });
export type BrainSpan = z.infer<typeof BrainSpan>;

export const BrainText = z.object({
  path,
  hash,
  sizeBytes: z.int(),
  /** Absent if the file is not text, or is too long to show. */
  text: z.string().exactOptional(),
  /** Spans of lines, counted from 1, that the owner did not write. */
  spans: z.array(BrainSpan),
});
export type BrainText = z.infer<typeof BrainText>;

/**
 * How a change was made. `write`: through the house, by an agent or a person. `hand`: found on the
 * disk, edited outside Hearth. `checkpoint`: the state of the workspace after a turn. `undo`:
 * reverts an earlier change, and can itself be undone. `erase`: removes content from the file and
 * all its versions.
 */
export const BrainChangeKind = z.enum(["write", "hand", "checkpoint", "undo", "erase"]);
export type BrainChangeKind = z.infer<typeof BrainChangeKind>;

export const BrainVersion = z.object({
  path,
  /** Hash before the change. Absent if the file did not exist. */
  before: hash.exactOptional(),
  /** Hash after the change. Absent if the file was deleted. */
  after: hash.exactOptional(),
  /** Whether some of the content was erased later, so that the version cannot be restored completely. */
  isErased: z.boolean(),
});
export type BrainVersion = z.infer<typeof BrainVersion>;

/** Versions that were written together. */
export const BrainChange = z.object({
  id: ChangeId,
  /** Increases with each change of the brain. */
  place: z.int(),
  kind: BrainChangeKind,
  at: z.int(),
  /** The author. Absent for a change by a person or program with access to the files on the machine. */
  by: AgentId.exactOptional(),
  activation: ActivationId.exactOptional(),
  /** Remarks on the change, such as what was left out. */
  note: z.string().exactOptional(),
  versions: z.array(BrainVersion),
});
export type BrainChange = z.infer<typeof BrainChange>;
export const BrainChangeList = z.array(BrainChange);

export const BrainLogQuery = z.object({
  path: path.optional(),
  activation: ActivationId.optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(50),
});
export type BrainLogQuery = z.infer<typeof BrainLogQuery>;

export const BrainPathQuery = z.object({ path });
export const BrainDiffQuery = z.object({ change: ChangeId });

/** The unified diff of one file. */
export const BrainDiff = z.object({
  path,
  /** Absent if the file is not text. */
  diff: z.string().exactOptional(),
});
export type BrainDiff = z.infer<typeof BrainDiff>;
export const BrainDiffList = z.array(BrainDiff);

const text = z.string().refine((value) => value.isWellFormed(), "is not well-formed Unicode");

/**
 * `hash` is the hash of the content that the writer saw. If the file has another hash, the request
 * fails. `source` names the source of a text that other people may have written. Its new lines are
 * then untrusted.
 */
export const PutBrainFile = z.strictObject({
  text,
  hash: hash.optional(),
  source: z.string().min(1).max(MAX_SOURCE_LENGTH).optional(),
});
export type PutBrainFile = z.infer<typeof PutBrainFile>;

/**
 * The result of a write. `change` is absent if the file already had this content. `hash` is absent
 * if the file was deleted.
 */
export const BrainWritten = z.object({ change: ChangeId.exactOptional(), hash: hash.exactOptional() });
export type BrainWritten = z.infer<typeof BrainWritten>;

/** Undoes one change, all changes of one activation, or all since an instant (UTC milliseconds). */
export const UndoBrain = z.union([
  z.strictObject({ change: ChangeId }),
  z.strictObject({ activation: ActivationId }),
  z.strictObject({ since: z.int() }),
]);
export type UndoBrain = z.infer<typeof UndoBrain>;

export const BrainUndone = z.object({
  /** Absent if there was no change to undo. */
  change: BrainChange.exactOptional(),
  /** Files that were restored without the content that had been erased from them. */
  erased: z.array(path),
});
export type BrainUndone = z.infer<typeof BrainUndone>;

/**
 * What to erase from a brain permanently: everything from a source, one file, or some lines
 * wherever they occur.
 */
export const EraseBrain = z.union([
  z.strictObject({ source: z.string().min(1) }),
  z.strictObject({ path }),
  z.strictObject({ lines: z.array(z.string().min(1)).min(1).max(1000) }),
]);
export type EraseBrain = z.infer<typeof EraseBrain>;

export const BrainErased = z.object({
  /** Absent if nothing matched. */
  change: BrainChange.exactOptional(),
  /** Files from which content was removed. */
  files: z.array(path),
  /** Number of versions from which content was removed. */
  versions: z.int(),
});
export type BrainErased = z.infer<typeof BrainErased>;

/** The whole workspace. */
export const WHOLE_WORKSPACE = ".";

/** The label of a workspace path that contains text by other people. It applies to everything below the path. */
export const WorkspaceLabel = z.object({ path: z.string(), label: Label });
export type WorkspaceLabel = z.infer<typeof WorkspaceLabel>;
export const WorkspaceLabelList = z.array(WorkspaceLabel);

/** `.` is the whole workspace. */
export const ClearLabelsQuery = z.object({ path });
export const LabelsCleared = z.object({
  paths: z.array(z.string()),
  /** The label of the paths from now on. A parent folder may still have another label. */
  label: Label,
});
export type LabelsCleared = z.infer<typeof LabelsCleared>;

export const ProposalState = z.enum(["pending", "approved", "denied"]);
export type ProposalState = z.infer<typeof ProposalState>;

/** A change to a guarded brain file that waits for a person who may decide in the agent's house. */
export const Proposal = z.object({
  id: ProposalId,
  house: HouseId,
  agent: AgentId,
  activation: ActivationId.exactOptional(),
  path,
  why: z.string(),
  /** Whether the agent is halted until a person decides. */
  halts: z.boolean(),
  /** Provenance of the text. */
  label: Label,
  /**
   * Unified diff, without characters that hide or reorder text. While pending: against the current
   * content of the file.
   */
  diff: z.string(),
  /**
   * Why the change no longer applies to the current content. A stale proposal can only be denied.
   */
  stale: z.string().exactOptional(),
  state: ProposalState,
  at: z.int(),
  by: AgentId.exactOptional(),
  reason: z.string().exactOptional(),
  decidedAt: z.int().exactOptional(),
});
export type Proposal = z.infer<typeof Proposal>;
export const ProposalList = z.array(Proposal);

/** A pending proposal in the list of all agents. Its diff is in the list of its agent. */
export const PendingProposal = z.object({
  id: ProposalId,
  agent: AgentId,
  path,
  halts: z.boolean(),
  at: z.int(),
});
export type PendingProposal = z.infer<typeof PendingProposal>;
export const PendingProposalList = z.array(PendingProposal);

export const ProposalQuery = z.object({ state: ProposalState.optional() });
export type ProposalQuery = z.infer<typeof ProposalQuery>;

export const DecideProposal = z.strictObject({
  decision: z.enum(["approve", "deny"]),
  reason: text.max(2000).optional(),
});
export type DecideProposal = z.infer<typeof DecideProposal>;

/** The file with a heartbeat's tasks. */
export const HEARTBEAT_PATH = "HEARTBEAT.md";

/** Whether a checklist has content: more than headings, comments, rules and empty list items. */
export const hasChecklistContent = (text: string): boolean =>
  text
    .replace(/<!--[^]*?(-->|$)/g, "")
    .split("\n")
    .some((line) => !/^\s*(#.*|[-*+_=\s>]*(\[[ xX]?\])?\s*|\/\/.*)$/.test(line));
