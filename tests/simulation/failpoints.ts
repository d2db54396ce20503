/**
 * The places where a crash matters. Nobody marks them: they are the two sides of everything that crosses a boundary, and their names
 * are made of what crosses, so that a new kind of commit has its own failpoints the day it is written.
 */
import type { Change, Write } from "@hearth/warden/memory-warden";

export interface Failpoints {
  /** Something is about to cross, or has just crossed. True: the daemon ends here. */
  hit(name: string): boolean;
  /** How often each was met. */
  readonly counts: ReadonlyMap<string, number>;
}

/** `crashesAt` is asked at each, with how often this name has been met in this life before. */
export const createFailpoints = (
  counts: Map<string, number>,
  crashesAt: (name: string, occurrence: number) => boolean,
): Failpoints => {
  const met = new Map<string, number>();
  return {
    counts,
    hit(name) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
      const occurrence = met.get(name) ?? 0;
      met.set(name, occurrence + 1);
      return crashesAt(name, occurrence);
    },
  };
};

/** Columns that say what a row is about, and take few values. */
const TELLING = ["kind", "state", "fate", "type"] as const;

/** What rides along on commits that are made anyway. */
const RIDERS = [
  "leases",
  "cursors",
  "readers",
  "conversations=direct",
  "conversations=group",
  "outbox=queued",
  "senders=pending",
  "brain_files",
  "brain_bodies",
  "brain_lines",
];

/** Rides on whatever is committed next, or tells of it: no kind of commit of its own. */
const tellsOfOthers = (name: string): boolean => name === "spend" || name.startsWith("audit/");

/** Rides along on what ends an activation; by itself it is a commit like others. */
const LAST_STEP = "steps=done";

/** What ends the run of a job is one kind of commit, whatever it ended as, and whether it is told. */
const SLOT_END = "job_slots=ended";

/** What ends an activation that still waits for a word is one kind of commit, whatever it ends as. */
const WORD_OVER = ["approvals=expired", "agent/activation-ended"] as const;

/** What a commit is, by what it writes: `commit.activations=running+agent/activation-started`. */
export const nameOfChange = ({ writes }: Change): string => {
  // Of several rows of one table the last one speaks.
  const names = [
    ...new Map(
      writes.map((write) => [write.kind === "append" ? nameOfWrite(write) : write.table, nameOfWrite(write)]),
    ).values(),
  ];
  if (names.includes(SLOT_END)) return `commit.${SLOT_END}`;
  if (WORD_OVER.every((name) => names.includes(name))) return `commit.${WORD_OVER.join("+")}`;
  const said = names.filter((name) => !tellsOfOthers(name));
  const own = said.filter((name) => !RIDERS.includes(name));
  const spoken = own.length > 1 ? own.filter((name) => name !== LAST_STEP) : own;
  const rest = said.length === 0 ? names : said;
  return `commit.${(spoken.length === 0 ? rest : spoken).join("+")}`;
};

const nameOfWrite = (write: Write): string => {
  if (write.kind === "append") return `${write.stream.split(":")[0]}/${write.event.type}`;
  if (write.kind === "delete") return `${write.table}-gone`;
  if (write.kind === "update" && write.table === "job_slots") return SLOT_END;
  // A slot fires, or passes for one of several reasons: that is one kind of commit.
  if (write.table === "job_slots") return `job_slots=${write.row.activation === null ? "passed" : "fired"}`;
  const row: Readonly<Record<string, unknown>> = write.kind === "update" ? write.set : write.row;
  const said = TELLING.flatMap((column) => (typeof row[column] === "string" ? [row[column]] : []));
  return said.length === 0 ? write.table : `${write.table}=${said.join(",")}`;
};
