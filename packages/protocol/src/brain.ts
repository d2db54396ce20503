/** An agent's brain as it crosses the port: its files, what became of each and by whom, and what waits for a person's word. */
import { z } from "zod";
import { ActivationId, AgentId, ChangeId, HouseId, ProposalId } from "./ids.ts";
import { Label } from "./label.ts";

/** Longest text that is written into a file of a brain, in UTF-8 bytes. Files that people put there may be longer. */
export const MAX_BRAIN_TEXT = 1024 * 1024;

/** SHA-256 of a file's bytes. */
const hash = z.string();
const path = z.string().min(1).max(1024);

export const BrainFile = z.object({
  path,
  sizeBytes: z.int(),
  hash,
  /** What the agent is and obeys: a change of it in a turn that holds a stranger's text waits for a person. */
  isGuarded: z.boolean(),
});
export type BrainFile = z.infer<typeof BrainFile>;

/** What cannot be kept or looked into, and why. */
export const BrainNote = z.object({ path: z.string(), why: z.string() });
export type BrainNote = z.infer<typeof BrainNote>;

export const BrainFiles = z.object({ files: z.array(BrainFile), notes: z.array(BrainNote) });
export type BrainFiles = z.infer<typeof BrainFiles>;

/** Lines of a file that follow each other and came from the same place. */
export const BrainSpan = z.object({ from: z.int(), to: z.int(), label: Label });
export type BrainSpan = z.infer<typeof BrainSpan>;

export const BrainText = z.object({
  path,
  hash,
  sizeBytes: z.int(),
  /** Absent: it is no text, or too long to be shown. */
  text: z.string().exactOptional(),
  /** Lines, counted from 1, that the owner did not write. */
  spans: z.array(BrainSpan),
});
export type BrainText = z.infer<typeof BrainText>;

/**
 * `write`: through the house, by an agent or a person. `hand`: found on the disk, whoever edited it. `checkpoint`: what a turn left in the
 * workspace. `undo`: an earlier change taken back, which can be undone as well. `erase`: content was taken out, here and in every version.
 */
export const BrainChangeKind = z.enum(["write", "hand", "checkpoint", "undo", "erase"]);
export type BrainChangeKind = z.infer<typeof BrainChangeKind>;

export const BrainVersion = z.object({
  path,
  /** Absent: there was no such file. */
  before: hash.exactOptional(),
  /** Absent: the file is gone. */
  after: hash.exactOptional(),
  /** Something that was in it has been erased since: it cannot be had back. */
  isErased: z.boolean(),
});
export type BrainVersion = z.infer<typeof BrainVersion>;

/** What changed at once. */
export const BrainChange = z.object({
  id: ChangeId,
  /** Grows with each change of the brain. */
  place: z.int(),
  kind: BrainChangeKind,
  at: z.int(),
  /** Absent: whoever has the files on that machine. */
  by: AgentId.exactOptional(),
  activation: ActivationId.exactOptional(),
  /** What else is to be said of it, such as what was left out. */
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

/** One file of a diff, in the unified form. */
export const BrainDiff = z.object({
  path,
  /** Absent: it is no text. */
  diff: z.string().exactOptional(),
});
export type BrainDiff = z.infer<typeof BrainDiff>;
export const BrainDiffList = z.array(BrainDiff);

const text = z.string().refine((value) => value.isWellFormed(), "is not well-formed Unicode");

/** `hash`: what the writer saw in the file; when it is another one by then, nothing is written. */
export const PutBrainFile = z.strictObject({ text, hash: hash.optional() });
export type PutBrainFile = z.infer<typeof PutBrainFile>;

/** Without `change` the file was so already; without `hash` it is gone. */
export const BrainWritten = z.object({ change: ChangeId.exactOptional(), hash: hash.exactOptional() });
export type BrainWritten = z.infer<typeof BrainWritten>;

/** One change, all of one activation, or all since an instant (UTC milliseconds). */
export const UndoBrain = z.union([
  z.strictObject({ change: ChangeId }),
  z.strictObject({ activation: ActivationId }),
  z.strictObject({ since: z.int() }),
]);
export type UndoBrain = z.infer<typeof UndoBrain>;

export const BrainUndone = z.object({
  /** Absent: everything was as it is to be. */
  change: BrainChange.exactOptional(),
  /** Files of which something was erased: what is left of them is restored. */
  erased: z.array(path),
});
export type BrainUndone = z.infer<typeof BrainUndone>;

/** What is taken out of a brain for good: what came from a source, one file, or some lines wherever they stand. */
export const EraseBrain = z.union([
  z.strictObject({ source: z.string().min(1) }),
  z.strictObject({ path }),
  z.strictObject({ lines: z.array(z.string().min(1)).min(1).max(1000) }),
]);
export type EraseBrain = z.infer<typeof EraseBrain>;

export const BrainErased = z.object({
  /** Absent: there was nothing of it. */
  change: BrainChange.exactOptional(),
  /** Files that hold less than they did. */
  files: z.array(path),
  /** How many versions hold less than they did. */
  versions: z.int(),
});
export type BrainErased = z.infer<typeof BrainErased>;

/** The whole workspace. */
export const WHOLE_WORKSPACE = ".";

/** Files of its workspace that others' text came into: a path counts for all below it. */
export const WorkspaceLabel = z.object({ path: z.string(), label: Label });
export type WorkspaceLabel = z.infer<typeof WorkspaceLabel>;
export const WorkspaceLabelList = z.array(WorkspaceLabel);

/** `.` is all of it. */
export const ClearLabelsQuery = z.object({ path });
export const LabelsCleared = z.object({
  paths: z.array(z.string()),
  /** What is there counts as this from now on: a folder above it may have a label too. */
  label: Label,
});
export type LabelsCleared = z.infer<typeof LabelsCleared>;

export const ProposalState = z.enum(["pending", "approved", "denied"]);
export type ProposalState = z.infer<typeof ProposalState>;

/** A change of what an agent is or obeys, that is made when a person who decides in its house says so. */
export const Proposal = z.object({
  id: ProposalId,
  house: HouseId,
  agent: AgentId,
  activation: ActivationId.exactOptional(),
  path,
  why: z.string(),
  /** The agent does nothing until a person has decided. */
  halts: z.boolean(),
  /** Where the text came from. */
  label: Label,
  /** In the unified form, with nothing in it that hides or moves anything. While it waits: against what the file holds by now. */
  diff: z.string(),
  /** Why it does not fit what the file holds by now, in words: it can only be denied. */
  stale: z.string().exactOptional(),
  state: ProposalState,
  at: z.int(),
  by: AgentId.exactOptional(),
  reason: z.string().exactOptional(),
  decidedAt: z.int().exactOptional(),
});
export type Proposal = z.infer<typeof Proposal>;
export const ProposalList = z.array(Proposal);

export const ProposalQuery = z.object({ state: ProposalState.optional() });
export type ProposalQuery = z.infer<typeof ProposalQuery>;

export const DecideProposal = z.strictObject({
  decision: z.enum(["approve", "deny"]),
  reason: text.max(2000).optional(),
});
export type DecideProposal = z.infer<typeof DecideProposal>;

/** What a heartbeat looks at. */
export const HEARTBEAT_PATH = "HEARTBEAT.md";

/** Headings, comments, rules and empty points of a list are nothing to look at. */
export const listsSomething = (text: string): boolean =>
  text
    .replace(/<!--[^]*?(-->|$)/g, "")
    .split("\n")
    .some((line) => !/^\s*(#.*|[-*+_=\s>]*(\[[ xX]?\])?\s*|\/\/.*)$/.test(line));
