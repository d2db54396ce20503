/**
 * Failpoints: the instants before and after everything that crosses a boundary. Their names derive
 * from what crosses, so a new kind of commit has its own failpoints without being registered.
 */
import type { Change, Write } from "@hearth/warden/memory-warden";

export interface Failpoints {
  /** Called right before and right after a crossing. Returns whether the daemon crashes here. */
  hit(name: string): boolean;
  /** How often each failpoint was reached. */
  readonly counts: ReadonlyMap<string, number>;
}

/**
 * `crashesAt` decides at each failpoint. `occurrence` is how often this life reached the name
 * before.
 */
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

/** Columns that classify a row and have few values. */
const TELLING = ["kind", "state", "fate", "type"] as const;

/** Deferred writes and other rows that are added to commits of any kind. */
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
  "files-gone",
  "agent/activation-started",
];

/** Rows that are part of any commit and never name it: spending, usage, uses of keys and audit entries. */
const isIncidental = (name: string): boolean =>
  ["spend", "key_uses"].includes(name) || name.startsWith("model_usage") || name.startsWith("audit/");

/** Added to the commit that ends an activation. A commit with nothing else is named after it. */
const LAST_STEP = "steps=done";

/**
 * All ends of a job's run are one kind of commit, whatever the fate and with or without a notice.
 */
const SLOT_END = "job_slots=ended";

/** All ends of an activation that waits for an approval are one kind of commit. */
const WORD_OVER = ["approvals=expired", "agent/activation-ended"] as const;

/** Rows of a reply's files. The end of an activation removes them when it has no reply; they never name that commit. */
const REPLY_FILES = [
  "attachments-gone",
  "transcripts-gone",
  "picture_descriptions-gone",
  "speeches-gone",
  "uploads=complete",
];
const ACTIVATION_END = "agent/activation-ended";

/** Names a commit after its writes: `commit.activations=running+steps=started`. */
export const nameOfChange = ({ writes }: Change): string => {
  // The last row of a table names all rows of that table.
  const names = [
    ...new Map(
      writes.map((write) => [write.kind === "append" ? nameOfWrite(write) : write.table, nameOfWrite(write)]),
    ).values(),
  ];
  if (names.includes(SLOT_END)) return `commit.${SLOT_END}`;
  if (WORD_OVER.every((name) => names.includes(name))) return `commit.${WORD_OVER.join("+")}`;
  const isEnd = names.includes(ACTIVATION_END);
  const specific = names.filter((name) => !isIncidental(name) && !(isEnd && REPLY_FILES.includes(name)));
  const own = specific.filter((name) => !RIDERS.includes(name));
  const naming = own.length > 1 ? own.filter((name) => name !== LAST_STEP) : own;
  const rest = specific.length === 0 ? names : specific;
  return `commit.${(naming.length === 0 ? rest : naming).join("+")}`;
};

const nameOfWrite = (write: Write): string => {
  if (write.kind === "append") return `${write.stream.split(":")[0]}/${write.event.type}`;
  if (write.kind === "delete") return `${write.table}-gone`;
  if (write.kind === "trim") return "audit-archived";
  if (write.kind === "update" && write.table === "job_slots") return SLOT_END;
  // A slot fires, or passes for one of several reasons. All reasons are one kind of commit.
  if (write.table === "job_slots") return `job_slots=${write.row.activation === null ? "passed" : "fired"}`;
  const row: Readonly<Record<string, unknown>> = write.kind === "update" ? write.set : write.row;
  const values = TELLING.flatMap((column) => (typeof row[column] === "string" ? [row[column]] : []));
  return values.length === 0 ? write.table : `${write.table}=${values.join(",")}`;
};
