/**
 * How the app fixes each kind of security finding: with a change that the user confirms, on another
 * page, or only on the machine of the house. Pure.
 */
import type { FindingId, SecurityChange } from "@hearth/protocol";
import { pathOfAgent, paths } from "../place.ts";
import * as texts from "./text.ts";

export type FindingFix =
  | {
      readonly kind: "change";
      readonly button: string;
      /** Describes the change for the confirmation. `name` is the name of the agent or person. */
      readonly effect: (name: string, change: SecurityChange) => string;
      readonly isDanger?: true;
    }
  /** The fix needs a choice, which the user makes on this page. */
  | { readonly kind: "page"; readonly link: string; readonly path: (agentHandle: string) => string }
  | { readonly kind: "machine"; readonly text: string };

const revokeInvite: FindingFix = {
  kind: "change",
  button: texts.revokeInviteLink,
  effect: () => texts.revokeInviteLinkEffect,
  isDanger: true,
};
const viewAudit: FindingFix = { kind: "page", link: texts.viewAuditLog, path: () => paths.audit };
const fixOnMachine = (text: string): FindingFix => ({ kind: "machine", text });

export const securityFixes: Readonly<Record<FindingId, FindingFix>> = {
  "agent.trifecta": { kind: "change", button: texts.askBeforeActing, effect: texts.askBeforeActingEffect },
  "agent.open-hands": {
    kind: "change",
    button: texts.restrictCommands,
    effect: (name, change) =>
      change.kind === "edit-agent" && "cell" in change.content
        ? texts.isolateEffect(name)
        : texts.removeCommandsEffect(name),
  },
  "agent.no-walls": { kind: "change", button: texts.isolate, effect: texts.isolateEffect },
  "agent.trusted": { kind: "change", button: texts.removeTrust, effect: texts.removeTrustEffect },
  "agent.no-budget": { kind: "page", link: texts.setBudget, path: (handle) => pathOfAgent(handle, "budget") },
  "egress.wide": { kind: "page", link: texts.changeWebAccess, path: () => paths.web },
  "egress.web": { kind: "page", link: texts.changeWebAccess, path: (handle) => pathOfAgent(handle, "tools") },
  "egress.loopback": { kind: "change", button: texts.closeLoopback, effect: () => texts.closeLoopbackEffect },
  "key.wide": { kind: "change", button: texts.revokeKey, effect: () => texts.revokeKeyEffect, isDanger: true },
  "invite.admin": revokeInvite,
  "invite.rights": revokeInvite,
  "rights.idle": { kind: "change", button: texts.removeRights, effect: texts.removeRightsEffect },
  "rule.wide": { kind: "change", button: texts.removeRule, effect: () => texts.removeRuleEffect },
  "room.guests": { kind: "change", button: texts.blockWakes, effect: () => texts.blockWakesEffect },
  "channel.open": fixOnMachine(texts.openChannelFix),
  "secret.wide": { kind: "change", button: texts.revokeUse, effect: () => texts.revokeUseEffect },
  "secret.unused": {
    kind: "change",
    button: texts.removeSecret,
    effect: () => texts.removeSecretEffect,
    isDanger: true,
  },
  "vault.locked": fixOnMachine(texts.lockedVaultFix),
  "vault.key-file": fixOnMachine(texts.vaultKeyFix),
  "audit.anchor": viewAudit,
  "audit.broken": viewAudit,
  "provider.plain": { kind: "page", link: texts.viewProviders, path: () => paths.models },
  "store.durability": fixOnMachine(texts.durabilityFix),
  "server.http": fixOnMachine(texts.plainAddressFix),
  "server.open": fixOnMachine(texts.plainProxyFix),
  "server.proxies": fixOnMachine(texts.wideProxiesFix),
  "server.loopback-webhooks": fixOnMachine(texts.loopbackWebhooksFix),
  "file.mode": fixOnMachine(texts.fileModeFix),
  "config.refused": fixOnMachine(texts.refusedConfigFix),
};
