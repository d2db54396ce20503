/**
 * Findings of the security check: settings that allow more than they need to, and how to restrict
 * them.
 */
import { z } from "zod";
import { AgentId, ApprovalRuleId, HouseId, InviteId, KeyId, RoomId, SecretGrantId } from "../base/ids.ts";
import { RoomAdmission } from "../people/admission.ts";
import { Level } from "../people/permission.ts";
import { SettingValue } from "./settings.ts";

/** The kinds of findings, as `area.fault`. */
export const findingIds = [
  "agent.trifecta",
  "agent.open-hands",
  "agent.no-walls",
  "agent.trusted",
  "agent.no-budget",
  "egress.wide",
  "egress.web",
  "egress.loopback",
  "key.wide",
  "invite.admin",
  "invite.rights",
  "rights.idle",
  "rule.wide",
  "room.guests",
  "channel.open",
  "secret.wide",
  "secret.unused",
  "vault.locked",
  "vault.key-file",
  "audit.anchor",
  "audit.broken",
  "provider.plain",
  "store.durability",
  "server.http",
  "server.open",
  "server.proxies",
  "server.loopback-webhooks",
  "file.mode",
  "config.refused",
] as const;
export const FindingId = z.enum(findingIds);
export type FindingId = (typeof findingIds)[number];

/**
 * `high`: an attacker needs nothing else. `medium`: one other protection remains. `low`: for
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

/** The change of the house that fixes a finding, for clients that apply it through the API. */
export const SecurityChange = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("edit-agent"), agent: AgentId, content: z.record(z.string(), z.json()) }),
  z.object({ kind: z.literal("edit-admission"), room: RoomId, admission: RoomAdmission }),
  z.object({ kind: z.literal("edit-settings"), values: z.record(z.string(), SettingValue.nullable()) }),
  z.object({ kind: z.literal("revoke-key"), key: KeyId }),
  z.object({ kind: z.literal("revoke-invite"), house: HouseId, invite: InviteId }),
  /** Removes all rights beside the level. */
  z.object({ kind: z.literal("remove-rights"), house: HouseId, agent: AgentId, level: Level }),
  z.object({ kind: z.literal("remove-rule"), rule: ApprovalRuleId }),
  z.object({ kind: z.literal("remove-secret"), house: HouseId, name: z.string() }),
  z.object({ kind: z.literal("revoke-secret"), house: HouseId, name: z.string(), grant: SecretGrantId }),
]);
export type SecurityChange = z.infer<typeof SecurityChange>;

export const SecurityFinding = z.object({
  id: FindingId,
  severity: Severity,
  /** States in one or more sentences what the setting allows. */
  what: z.string(),
  /** A file with its line, a path, or a record. */
  where: z.string(),
  fix: SecurityFix,
  /** The same fix as a change through the API. Absent: a person must choose, or use the machine. */
  change: SecurityChange.optional(),
  /** The agent with the setting. */
  agent: AgentId.optional(),
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

/** Describes the fix in one line. */
export const describeFix = (fix: SecurityFix): string => {
  if (fix.kind === "command") return fix.command;
  const { section, key, line } = fix;
  return line === undefined
    ? `In hearth.toml, remove "${key}" from [${section}], then restart Hearth.`
    : `In hearth.toml, under [${section}], write: ${line} - then restart Hearth.`;
};
