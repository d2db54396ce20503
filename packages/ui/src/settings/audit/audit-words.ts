/** Texts about rows of the audit log: the kinds of acts, and each act in plain words. Pure. */
import {
  ActivationState,
  ApprovalState,
  AuditFacts,
  type AuditFault,
  type AuditRow,
  AuditType,
  type Level,
  type Right,
  rights,
} from "@hearth/protocol";
import { levelTitles, rightTitles } from "../access/level-words.ts";
import { outcomeWords } from "../activity/activity-words.ts";
import * as texts from "./text.ts";

/** Returns the present names of records. */
export interface Names {
  readonly agent: (id: string) => string;
  /** The name of a house or a room. */
  readonly place: (id: string) => string;
}

/** Returns the facts of a row. They are empty if the row was damaged, which verification reports. */
export const factsOf = ({ body }: AuditRow): AuditFacts => {
  try {
    return AuditFacts.parse(JSON.parse(body ?? "{}"));
  } catch {
    return {};
  }
};

/** The titles of the kinds of acts, for the filter. */
export const kindTitles: Readonly<Record<AuditType, string>> = {
  record: "Agents, people and rooms",
  grant: "Roles and rights",
  key: "API keys",
  login: "Logins",
  password: "Passwords",
  "second-factor": "Second factors",
  "recovery-code": "Recovery codes",
  passkey: "Passkeys",
  "push-device": "Notification devices",
  identity: "Single sign-on accounts",
  invite: "Invite links",
  pairing: "Channel pairings",
  conversation: "Channel conversations",
  secret: "Secrets",
  "secret-grant": "Uses of secrets",
  "vault-key": "Vault keys",
  "signing-key": "Signing keys",
  subscription: "Webhooks",
  stop: "Stops of agents",
  approval: "Approvals",
  "approval-rule": "Approval rules",
  proposal: "Proposals for brain files",
  label: "Trusted files",
  activation: "Runs",
  step: "Model and tool calls",
  egress: "Network requests",
  delivery: "Channel messages",
  upload: "Uploads",
  attachment: "Attachments",
  transcript: "Transcripts",
  speech: "Spoken messages",
  restore: "Restore decisions",
  daemon: "Starts and stops of Hearth",
  config: "Settings",
  log: "Audit log",
};

/** The kinds in the order of their titles. */
export const kinds: readonly AuditType[] = AuditType.options.toSorted((one, other) =>
  kindTitles[one].localeCompare(kindTitles[other], "en"),
);

/** Each kind in the singular, for acts without their own sentence. */
const nouns: Readonly<Record<AuditType, string>> = {
  record: "Record",
  grant: "Role",
  key: "API key",
  login: "Session",
  password: "Password",
  "second-factor": "Second factor",
  "recovery-code": "Recovery code",
  passkey: "Passkey",
  "push-device": "Notification device",
  identity: "Single sign-on account",
  invite: "Invite link",
  pairing: "Channel pairing",
  conversation: "Channel conversation",
  secret: "Secret",
  "secret-grant": "Use of a secret",
  "vault-key": "Vault key",
  "signing-key": "Signing key",
  subscription: "Webhook",
  stop: "Stop",
  approval: "Approval",
  "approval-rule": "Approval rule",
  proposal: "Proposal",
  label: "Trusted file",
  activation: "Run",
  step: "Call",
  egress: "Network request",
  delivery: "Channel message",
  upload: "Upload",
  attachment: "Attachment",
  transcript: "Transcript",
  speech: "Spoken message",
  restore: "Restore decision",
  daemon: "Hearth",
  config: "Settings",
  log: "Audit log",
};

const changeWords: Readonly<Record<string, string>> = {
  added: "added",
  written: "saved",
  changed: "changed",
  removed: "removed",
  started: "started",
  stopped: "stopped",
  began: "began",
};

type Describe = (facts: AuditFacts, names: Names) => string | undefined;

const text = (facts: AuditFacts, name: string): string | undefined => {
  const value = facts[name];
  return value === undefined ? undefined : String(value);
};

const agentIn = (facts: AuditFacts, names: Names): string => names.agent(text(facts, "agent") ?? "");
const quote = (name: string | undefined): string => (name === undefined ? "" : ` “${name}”`);

/** Returns the titles of the rights in a fact, which is a list in JSON. */
const rightsIn = (facts: AuditFacts): readonly string[] =>
  rights.filter((right) => text(facts, "rights")?.includes(`"${right}"`) === true).map((right) => rightTitles[right]);

const roleIn = (facts: AuditFacts): string => {
  const level = text(facts, "level");
  const title = level !== undefined && Object.hasOwn(levelTitles, level) ? levelTitles[level as Level] : level;
  return [title ?? "", ...rightsIn(facts)].join(" + ");
};

const describeRecord: Describe = (facts, names) => {
  const { type, change } = facts;
  const kind = type === "room" ? "Room" : type === "house" ? "House" : type === "agent" ? "Agent or person" : "Record";
  const name = facts["handle"] ?? names.agent(text(facts, "id") ?? "");
  return `${kind} ${name} ${changeWords[String(change)] ?? "changed"}`;
};

const describeGrant: Describe = (facts, names) => {
  if (facts["agent"] === undefined) return undefined;
  const place = names.place(text(facts, "target") ?? text(facts, "house") ?? "");
  return facts["change"] === "removed"
    ? `Access of ${agentIn(facts, names)} to ${place} removed`
    : `${agentIn(facts, names)} is now ${roleIn(facts)} in ${place}`;
};

const describeKey: Describe = (facts, names) => {
  const key = `API key${quote(text(facts, "name"))}`;
  if (facts["revoked_at"] !== undefined) return `${key} revoked`;
  return facts["agent"] === undefined ? undefined : `${key} of ${agentIn(facts, names)} created`;
};

const describeLogin: Describe = (facts, names) => {
  if (facts["change"] === "added" && facts["agent"] !== undefined) return `${agentIn(facts, names)} logged in`;
  return facts["name"] === undefined ? undefined : `Session renamed to${quote(text(facts, "name"))}`;
};

const describeInvite: Describe = (facts, names) => {
  if (facts["used_by"] !== undefined) return `Invite link used by ${names.agent(String(facts["used_by"]))}`;
  if (facts["revoked_at"] !== undefined) return "Invite link revoked";
  return facts["change"] === "added" ? `Invite link for the role ${roleIn(facts)} created` : undefined;
};

const describeSecretGrant: Describe = (facts) =>
  facts["secret"] === undefined
    ? undefined
    : `Use of the secret ${facts["secret"]} ${facts["change"] === "removed" ? "revoked" : "allowed"}`;

const describeStop: Describe = (facts, names) => {
  const scope = text(facts, "scope");
  if (scope === undefined) return undefined;
  const who = scope.startsWith("agent_") ? names.agent(scope) : "All agents";
  return `${who} ${facts["change"] === "removed" ? "resumed" : "stopped"}`;
};

const approvalStates: Readonly<Record<ApprovalState, string>> = {
  pending: "requested",
  allowed: "given",
  denied: "denied",
  expired: "expired",
  used: "used",
};

const describeApproval: Describe = (facts) => {
  const state = ApprovalState.safeParse(facts["state"]).data;
  const tool = text(facts, "name");
  return `Approval${tool === undefined ? "" : ` of ${tool}`} ${state === undefined ? "changed" : approvalStates[state]}`;
};

const stepStates: Readonly<Record<string, string>> = {
  started: "started",
  done: "finished",
  refused: "refused",
  unknown: "has an unknown outcome",
};

const describeCall: Describe = (facts) => {
  const { kind, name, state } = facts;
  const call =
    kind === "model" ? "Model call" : kind === "intake" ? "Intake of messages" : `Call of ${name ?? "a tool"}`;
  return state === undefined ? undefined : `${call} ${stepStates[String(state)] ?? state}`;
};

const describeRun: Describe = (facts, names) => {
  if (facts["change"] === "removed") return "Run deleted after its retention";
  const state = ActivationState.safeParse(facts["state"]).data;
  return state === undefined ? undefined : `Run of ${agentIn(facts, names)}: ${outcomeWords[state].toLowerCase()}`;
};

const describeRequest: Describe = ({ host, method, outcome }) =>
  host === undefined
    ? `Network request ended${outcome === undefined ? "" : `: ${outcome}`}`
    : `${method ?? "Request"} to ${host}${outcome === undefined ? "" : `: ${outcome}`}`;

const describeDelivery: Describe = ({ channel, state }) =>
  `Message${channel === undefined ? "" : ` to channel ${channel}`}${state === undefined ? "" : `: ${state}`}`;

const describeConfig: Describe = ({ table }) =>
  table === undefined ? "hearth.toml edited" : `hearth.toml edited: ${table}`;

const describeLog: Describe = ({ change, after, through }) => {
  if (change === "anchor-gone") return "Anchor missing at a start of Hearth";
  return typeof after === "number" && through !== undefined
    ? `Rows ${after + 1} to ${through} moved to a segment`
    : undefined;
};

const sentences: Readonly<Partial<Record<AuditType, Describe>>> = {
  record: describeRecord,
  grant: describeGrant,
  key: describeKey,
  login: describeLogin,
  invite: describeInvite,
  "secret-grant": describeSecretGrant,
  stop: describeStop,
  approval: describeApproval,
  step: describeCall,
  activation: describeRun,
  egress: describeRequest,
  delivery: describeDelivery,
  config: describeConfig,
  log: describeLog,
};

const isType = (type: string): type is AuditType => Object.hasOwn(nouns, type);

/** Describes the act of a row with its target, such as "API key “lamp” of Main created". */
export const describeAct = (row: AuditRow, names: Names): string => {
  const facts = factsOf(row);
  if (!isType(row.type)) return row.type;
  const sentence = sentences[row.type]?.(facts, names);
  if (sentence !== undefined) return sentence;
  const name = text(facts, "name") ?? text(facts, "path") ?? text(facts, "channel");
  const owner = text(facts, "agent") ?? text(facts, "owner");
  const whose = owner === undefined ? "" : ` of ${names.agent(owner)}`;
  return `${nouns[row.type]}${quote(name)}${whose} ${changeWords[String(facts["change"])] ?? "changed"}`;
};

/** The facts that name the actor, in order of precedence. */
const ACTOR_FACTS = ["by", "agent", "person"] as const;

/** Returns the name of the person or agent who acted. A row without an actor is an act of Hearth. */
export const describeActor = (row: AuditRow, names: Names): string => {
  const facts = factsOf(row);
  const actor = ACTOR_FACTS.map((name) => text(facts, name)).find((id) => id !== undefined);
  return actor === undefined ? texts.hearth : names.agent(actor);
};

/** Describes the credential of the actor and the right that admitted the act, as far as the row has them. */
export const describeCredential = (row: AuditRow): string | undefined => {
  const { via, right } = factsOf(row);
  const words = [
    via === "key"
      ? texts.withKey
      : via === "login"
        ? texts.withLogin
        : via === "run-token"
          ? texts.onMachine
          : undefined,
    right === undefined ? undefined : texts.byRight(rightTitles[right as Right] ?? String(right)),
  ].filter((word) => word !== undefined);
  return words.length === 0 ? undefined : words.join(" · ");
};

/** One fact for the details of a row. */
export interface FactLine {
  readonly name: string;
  readonly value: string;
}

/** Returns every fact of a row. Ids have the names of their records, and times are dates. */
export const describeFacts = (row: AuditRow, names: Names, formatTime: (at: number) => string): readonly FactLine[] =>
  Object.entries(factsOf(row)).map(([name, value]) => ({
    name: titleOfFact(name),
    value: typeof value === "number" ? showNumber(name, value, formatTime) : showText(value, names),
  }));

const titleOfFact = (name: string): string =>
  `${name.charAt(0).toUpperCase()}${name.slice(1)}`.replaceAll("_", " ").replace("sha256", "SHA-256");

const showNumber = (name: string, value: number, formatTime: (at: number) => string): string =>
  name.endsWith("_at") || name === "at" ? formatTime(value) : String(value);

const showText = (value: string, names: Names): string => {
  if (value.startsWith("agent_")) return texts.namedId(names.agent(value), value);
  return /^(?:house|room)_/.test(value) ? texts.namedId(names.place(value), value) : value;
};

export const faultTitles: Readonly<Record<AuditFault, string>> = {
  changed: "Rows were changed",
  missing: "Rows are missing",
  forked: "Rows are out of order",
  truncated: "Rows are missing at the end",
  rewritten: "The log was replaced by another one",
  anchor: "The anchor does not confirm the end of the log",
};
