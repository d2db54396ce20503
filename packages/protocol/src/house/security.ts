/**
 * Findings of the security check: settings that allow more than they need to, and how to restrict
 * them.
 */
import { z } from "zod";

/**
 * `high`: grants access with no further barrier. `medium`: one barrier is left. `low`: for
 * information.
 */
export const severities = ["high", "medium", "low"] as const;
export const Severity = z.enum(severities);
export type Severity = (typeof severities)[number];

/**
 * How to fix a finding: a command to run, or a config change, which takes effect at the next start.
 */
export const SecurityFix = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("command"), command: z.string() }),
  /** `section` has no brackets; `line` is the line to write. Without `line`: remove `key`. */
  z.object({ kind: z.literal("config"), section: z.string(), key: z.string(), line: z.string().optional() }),
]);
export type SecurityFix = z.infer<typeof SecurityFix>;

export const SecurityFinding = z.object({
  /** The kind of finding, as `area.fault`. */
  id: z.string(),
  severity: Severity,
  /** Sentences. */
  what: z.string(),
  /** A file with its line, a path, or a record. */
  where: z.string(),
  fix: SecurityFix,
  /** Other ways to fix it, as sentences. */
  instead: z.string().optional(),
});
export type SecurityFinding = z.infer<typeof SecurityFinding>;

export const SecurityReport = z.object({
  /** Most severe first. */
  findings: z.array(SecurityFinding),
  /** Checks that could not run, and why. */
  unseen: z.array(z.string()),
});
export type SecurityReport = z.infer<typeof SecurityReport>;

/** The fix as one line. */
export const describeFix = (fix: SecurityFix): string => {
  if (fix.kind === "command") return fix.command;
  const { section, key, line } = fix;
  return line === undefined
    ? `In hearth.toml, remove "${key}" from [${section}], then restart Hearth.`
    : `In hearth.toml, under [${section}], write: ${line} - then restart Hearth.`;
};
