/** User-facing texts of this folder, in the order of its files. */
import type { ApprovalState, AuditFault, AuditType } from "@hearth/protocol";

// audit-page.tsx
export const auditLog = "Audit log";
export const auditLogOf = (house: string): string => `Audit log of ${house}`;
export const introduction =
  "A sealed record of what people and agents did here. It contains names, ids, states and times, and never the text of messages or the values of secrets.";
export const filters = "Filters";
export const kind = "Kind";
export const allKinds = "All kinds";
export const person = "Person";
export const allPeople = "All people";
export const agent = "Agent";
export const allAgents = "All agents";
export const formerMember = "Former member";
export const removedPlace = "a removed room";
export const from = "From";
export const to = "To";

// audit-rows.tsx
export const rows = "Rows of the audit log";
export const act = "Act";
export const who = "Who";
export const time = "Time";
export const noRows = "No rows match.";
export const noRowsYet = "No rows match in the part that was searched.";
export const showOlder = "Show older rows";
export const searchOlder = "Search older rows";
export const olderLoaded = "Older rows loaded.";

export const row = "Row";
export const type = "Type";
export const seal = "Seal";
export const noSeal = "Missing";

// verify-section.tsx
export const verifyLog = "Verify log";
export const exportLog = "Export log";
export const exportHint =
  "The export is a file of JSON lines. docs/verify-audit.py in the source of Hearth checks it with the key of the log.";
export const verifying = (seconds: number): string => `Verifying every row for ${seconds} s`;
export const logIsIntact = "The log is intact";
export const damaged = "The log does not match its seals";
export const verified = (rowCount: string, duration: string): string => `${rowCount} rows verified in ${duration}.`;
export const damagedRemedy =
  "If you restored a backup, the log ends before its anchor, and this is expected. Otherwise another program changed the log: compare it with a copy elsewhere or with a backup.";

// audit-words.ts
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
  description: "Descriptions of pictures",
  speech: "Spoken messages",
  restore: "Restore decisions",
  daemon: "Starts and stops of Hearth",
  config: "Settings",
  log: "Audit log",
};
/** Each kind in the singular, for acts without their own sentence. */
export const typeNouns: Readonly<Record<AuditType, string>> = {
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
  description: "Description of a picture",
  speech: "Spoken message",
  restore: "Restore decision",
  daemon: "Hearth",
  config: "Settings",
  log: "Audit log",
};
export const changes = {
  added: "added",
  written: "saved",
  changed: "changed",
  removed: "removed",
  started: "started",
  stopped: "stopped",
  began: "began",
} as const;
const quote = (name: string | undefined): string => (name === undefined ? "" : ` “${name}”`);
const after = (before: string, text: string | undefined): string => (text === undefined ? "" : `${before}${text}`);
/** For acts without their own sentence, such as "Passkey “Phone” of Ada added". */
export const otherAct = (noun: string, name: string | undefined, owner: string | undefined, change: string): string =>
  `${noun}${quote(name)}${after(" of ", owner)} ${change}`;
export const recordKinds = { room: "Room", house: "House", agent: "Agent or person", other: "Record" } as const;
export const recordChanged = (kind: string, name: string, change: string): string => `${kind} ${name} ${change}`;
export const accessRemoved = (member: string, place: string): string => `Access of ${member} to ${place} removed`;
export const roleGiven = (member: string, role: string, place: string): string =>
  `${member} is now ${role} in ${place}`;
export const keyRevoked = (name: string | undefined): string => `API key${quote(name)} revoked`;
export const keyCreated = (name: string | undefined, owner: string): string =>
  `API key${quote(name)} of ${owner} created`;
export const loggedIn = (name: string): string => `${name} logged in`;
export const sessionRenamed = (name: string): string => `Session renamed to “${name}”`;
export const inviteUsed = (name: string): string => `Invite link used by ${name}`;
export const inviteRevoked = "Invite link revoked";
export const inviteCreated = (role: string): string => `Invite link for the role ${role} created`;
export const secretUseAllowed = (secret: string): string => `Use of the secret ${secret} allowed`;
export const secretUseRevoked = (secret: string): string => `Use of the secret ${secret} revoked`;
export const agentStopped = (name: string): string => `${name} stopped`;
export const agentResumed = (name: string): string => `${name} resumed`;
export const agentsStopped = "All agents stopped";
export const agentsResumed = "All agents resumed";
export const approvalStates: Readonly<Record<ApprovalState, string>> = {
  pending: "requested",
  allowed: "given",
  denied: "denied",
  expired: "expired",
  used: "used",
};
export const approvalState = (tool: string | undefined, state: string): string =>
  `Approval${after(" of ", tool)} ${state}`;
export const modelCall = "Model call";
export const intake = "Intake of messages";
export const callOf = (tool: string): string => `Call of ${tool}`;
export const callOfTool = "Call of a tool";
export const callStates = {
  started: "started",
  done: "finished",
  refused: "refused",
  unknown: "has an unknown outcome",
} as const;
export const callState = (call: string, state: string): string => `${call} ${state}`;
export const runDeleted = "Run deleted after its retention";
export const runOutcome = (agent: string, outcome: string): string => `Run of ${agent}: ${outcome.toLowerCase()}`;
export const requestEnded = (outcome: string | undefined): string => `Network request ended${after(": ", outcome)}`;
export const requestTo = (method: string | undefined, host: string, outcome: string | undefined): string =>
  `${method ?? "Request"} to ${host}${after(": ", outcome)}`;
export const delivered = (channel: string | undefined, state: string | undefined): string =>
  `Message${after(" to channel ", channel)}${after(": ", state)}`;
export const configEdited = (table: string | undefined): string => `hearth.toml edited${after(": ", table)}`;
export const anchorMissing = "Anchor missing at a start of Hearth";
export const rowsMoved = (first: string, last: string): string => `Rows ${first} to ${last} moved to a segment`;
export const faultTitles: Readonly<Record<AuditFault, string>> = {
  changed: "Rows were changed",
  missing: "Rows are missing",
  forked: "Rows are out of order",
  truncated: "Rows are missing at the end",
  rewritten: "The log was replaced by another one",
  anchor: "The anchor does not confirm the end of the log",
};

export const hearth = "Hearth";
export const withKey = "with an API key";
export const withLogin = "in a browser session";
export const onMachine = "on the machine of the house";
export const byRight = (right: string): string => `by the right “${right}”`;
export const namedId = (name: string, id: string): string => `${name} (${id})`;
/** The names of facts. A fact without a title is shown with its name in the row. */
export const factTitles = {
  account: "Account",
  activation: "Run",
  after: "After",
  agent: "Agent",
  approval: "Approval",
  attempts: "Attempts",
  audit_key: "Audit key",
  before: "Before",
  blob: "Stored file",
  body: "Text",
  bound: "Fixed values",
  by: "By",
  caption: "Caption",
  cause: "Cause",
  change: "Change",
  channel: "Channel",
  config: "Configuration",
  content: "Content",
  conversation: "Conversation",
  cost: "Cost",
  crashes: "Crashes",
  decision: "Decision",
  detail: "Details",
  display: "Shown call",
  edited_by: "Edited by",
  effect: "Effect class",
  endpoint: "Address of the device",
  error: "Error",
  event: "Event",
  expires_at: "Expires",
  external: "Id at the platform",
  fence: "Lease number",
  final_size: "Final size",
  halts: "Halts the run",
  handle: "Handle",
  hash: "Hash",
  host: "Host",
  house: "House",
  id: "Id",
  input_hash: "Hash of the input",
  issuer: "Issuer",
  key: "Key",
  kind: "Kind",
  labels: "Labels",
  level: "Role",
  merged_into: "Merged into",
  method: "Method",
  model: "Model",
  name: "Name",
  note: "Note",
  outcome: "Outcome",
  output: "Result",
  output_blob: "Stored result",
  owner: "Owned by",
  parent: "Parent run",
  path: "Path",
  person: "Person",
  pid: "Process id",
  port: "Port",
  provider: "Provider",
  public: "Public key",
  reason: "Reason",
  received_bytes: "Bytes received",
  refused_by: "Refused by",
  revoked_at: "Revoked",
  right: "Right",
  rights: "Rights",
  room: "Room",
  rooms: "Rooms",
  scope: "Scope",
  secret: "Secret",
  secrets: "Secrets",
  sent_bytes: "Bytes sent",
  session: "Session",
  size: "Size",
  skip: "Reason for skipping",
  source: "Source",
  state: "Status",
  status: "HTTP status",
  step: "Step",
  subject: "Subject",
  table: "Table",
  target: "Target",
  terms: "Terms",
  text: "Text",
  through: "Through",
  tool: "Tool",
  trigger: "Trigger",
  type: "Record type",
  upload: "Upload",
  used_at: "Used",
  used_by: "Used by",
  version: "Version",
  via: "Credential",
  why: "Cause of the change",
} as const;
export const hashOf = (fact: string): string => `${fact} (SHA-256)`;
export const bytesOf = (fact: string): string => `${fact} (bytes)`;
export const requestOutcomes = { allowed: "allowed", refused: "refused", failed: "failed" } as const;
export const deliveryStates = {
  queued: "queued",
  sending: "being sent",
  sent: "sent",
  unknown: "unknown outcome",
  refused: "refused by the platform",
} as const;
export const credentials = { key: "API key", login: "browser session", "run-token": "machine of the house" } as const;
/** A translated value, followed by the value in the row. */
export const translated = (words: string, value: string): string => `${words} (${value})`;
