/** What a look at how a house is set up finds: what is open wider than it has to be, where that stands, and how to narrow it. */
import { z } from "zod";

/** `high`: it is a way in, or out, that nothing else stands before. `medium`: one wall is left. `low`: good to know. */
export const severities = ["high", "medium", "low"] as const;
export const Severity = z.enum(severities);
export type Severity = (typeof severities)[number];

/** How to mend it: a command to run as it is, or what to write into the config, which counts at the next start. */
export const Mend = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("command"), command: z.string() }),
  /** `section` without its brackets, `line` as it has to stand there. Without a line: whatever stands at `key` is taken out. */
  z.object({ kind: z.literal("config"), section: z.string(), key: z.string(), line: z.string().optional() }),
]);
export type Mend = z.infer<typeof Mend>;

export const SecurityFinding = z.object({
  /** What kind of thing it is, `area.fault`: the same for all that are like it. */
  id: z.string(),
  severity: Severity,
  /** As sentences. */
  what: z.string(),
  /** A file with its line, a path, or a record. */
  where: z.string(),
  mend: Mend,
  /** Other ways to mend it, as sentences. */
  instead: z.string().optional(),
});
export type SecurityFinding = z.infer<typeof SecurityFinding>;

export const SecurityReport = z.object({
  /** The gravest first. */
  findings: z.array(SecurityFinding),
  /** What could not be looked at, and why. */
  unseen: z.array(z.string()),
});
export type SecurityReport = z.infer<typeof SecurityReport>;

/** How to mend it, on one line. */
export const tellMend = (mend: Mend): string => {
  if (mend.kind === "command") return mend.command;
  const { section, key, line } = mend;
  return line === undefined
    ? `In hearth.toml, take "${key}" out of [${section}], and start the house anew.`
    : `In hearth.toml, under [${section}], write: ${line} - and start the house anew.`;
};
