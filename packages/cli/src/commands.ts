/**
 * The table of commands. Each command's module is imported only when it runs, which keeps starts
 * fast.
 */
import type { Command, Group } from "./command.ts";

export interface Entry {
  readonly summary: string;
  load(): Promise<Command | Group>;
}

export const commands: Readonly<Record<string, Entry>> = {
  up: { summary: "Starts the house", load: async () => (await import("./commands/up.ts")).up },
  onboard: {
    summary: "Sets up the house: you, your agent, its model, a chat platform, a reminder",
    load: async () => (await import("./commands/onboard.ts")).onboard,
  },
  stop: { summary: "Stops the house", load: async () => (await import("./commands/stop.ts")).stop },
  service: {
    summary: "Runs the house as a service of this machine",
    load: async () => (await import("./commands/init-unit.ts")).unitGroup,
  },
  "stop-all": {
    summary: "Stops every agent until resume-all",
    load: async () => (await import("./commands/stop-all.ts")).stopAll,
  },
  "resume-all": {
    summary: "Resumes all agents after stop-all",
    load: async () => (await import("./commands/stop-all.ts")).resumeAll,
  },
  login: {
    summary: "Creates a single-use link that logs a browser in",
    load: async () => (await import("./commands/login.ts")).login,
  },
  status: { summary: "Shows the status of the house", load: async () => (await import("./commands/status.ts")).status },
  budget: {
    summary: "Shows spending on models and what is left of each budget",
    load: async () => (await import("./commands/budget.ts")).budget,
  },
  usage: {
    summary: "Shows the usage of models by day, agent, model, room or kind",
    load: async () => (await import("./commands/usage.ts")).usage,
  },
  storage: {
    summary: "Shows what takes space and what will be deleted",
    load: async () => (await import("./commands/storage.ts")).storage,
  },
  doctor: {
    summary: "Checks the house and its environment",
    load: async () => (await import("./commands/doctor.ts")).doctor,
  },
  repair: {
    summary: "Repairs a damaged database and lists what is lost",
    load: async () => (await import("./commands/repair.ts")).repair,
  },
  chat: { summary: "Chats with an agent or in a room", load: async () => (await import("./commands/chat.ts")).chat },
  house: { summary: "Manages houses", load: async () => (await import("./commands/house.ts")).house },
  person: { summary: "Manages people", load: async () => (await import("./commands/person.ts")).person },
  agent: { summary: "Manages people and bots", load: async () => (await import("./commands/agent.ts")).agent },
  brain: {
    summary: "Manages agents' brain files and their versions",
    load: async () => (await import("./commands/brain.ts")).brain,
  },
  files: {
    summary: "Lists and downloads files that agents made",
    load: async () => (await import("./commands/files.ts")).files,
  },
  memory: {
    summary: "Searches, adds and deletes what agents remember",
    load: async () => (await import("./commands/memory.ts")).memory,
  },
  search: {
    summary: "Finds messages, memory and workspace files, agents and rooms",
    load: async () => (await import("./commands/search.ts")).search,
  },
  room: {
    summary: "Manages rooms and shows their messages",
    load: async () => (await import("./commands/room.ts")).room,
  },
  grant: {
    summary: "Manages levels and rights of people and bots",
    load: async () => (await import("./commands/grant.ts")).grant,
  },
  activation: {
    summary: "Lists, explains and stops the runs of agents",
    load: async () => (await import("./commands/activation.ts")).activation,
  },
  approval: {
    summary: "Allows or denies calls that need your approval",
    load: async () => (await import("./commands/approval.ts")).approval,
  },
  inbox: { summary: "Archives messages between agents", load: async () => (await import("./commands/inbox.ts")).inbox },
  job: {
    summary: "Manages scheduled jobs of agents",
    load: async () => (await import("./commands/job.ts")).job,
  },
  cell: {
    summary: "Lists, opens and closes the sandboxes of agents",
    load: async () => (await import("./commands/cell.ts")).cell,
  },
  egress: {
    summary: "Manages the hosts that agents may reach",
    load: async () => (await import("./commands/egress.ts")).egress,
  },
  provider: { summary: "Manages model providers", load: async () => (await import("./commands/provider.ts")).provider },
  voice: {
    summary: "Sets and tests the providers of transcription and speech, and chooses spoken replies",
    load: async () => (await import("./commands/media.ts")).voice,
  },
  pictures: {
    summary: "Sets and tests the provider that makes pictures for agents",
    load: async () => (await import("./commands/media.ts")).pictures,
  },
  descriptions: {
    summary: "Sets and tests the model that describes pictures for models that accept only text",
    load: async () => (await import("./commands/media.ts")).descriptions,
  },
  channel: {
    summary: "Manages chat platforms and their deliveries",
    load: async () => (await import("./commands/channel.ts")).channel,
  },
  config: {
    summary: "Shows and changes settings of hearth.toml",
    load: async () => (await import("./commands/config.ts")).config,
  },
  tunnel: {
    summary: "Opens the house to the internet through a tunnel",
    load: async () => (await import("./commands/tunnel.ts")).tunnel,
  },
  pairing: {
    summary: "Approves and blocks senders from chat platforms",
    load: async () => (await import("./commands/pairing.ts")).pairing,
  },
  invite: {
    summary: "Manages invite links for new people",
    load: async () => (await import("./commands/invite.ts")).invite,
  },
  key: { summary: "Manages API keys for programs", load: async () => (await import("./commands/key.ts")).key },
  secret: {
    summary: "Manages secrets, which Hearth inserts into agents' requests",
    load: async () => (await import("./commands/secret.ts")).secret,
  },
  audit: {
    summary: "Shows and verifies the tamper-evident audit log",
    load: async () => (await import("./commands/audit.ts")).audit,
  },
  notify: {
    summary: "Lists devices that get notifications, tests them, and sets the rules",
    load: async () => (await import("./commands/notify.ts")).notify,
  },
  session: {
    summary: "Lists, names, adds and ends your browser sessions",
    load: async () => (await import("./commands/session.ts")).session,
  },
  "second-factor": {
    summary: "Manages second factors: codes of an authenticator app for logins",
    load: async () => (await import("./commands/second-factor.ts")).secondFactor,
  },
  passkey: {
    summary: "Lists, names and removes passkeys, which log people in without a password",
    load: async () => (await import("./commands/passkey.ts")).passkey,
  },
  identity: {
    summary: "Lists and unlinks accounts at OpenID Connect providers, and checks a provider",
    load: async () => (await import("./commands/identity.ts")).identity,
  },
  backup: {
    summary: "Makes, lists and verifies backups, and manages their targets",
    load: async () => (await import("./commands/backup.ts")).backup,
  },
  restore: {
    summary: "Restores a backup, and ends the hold on a restored or copied house",
    load: async () => (await import("./commands/restore.ts")).restore,
  },
  export: {
    summary: "Exports the whole house as plain files",
    load: async () => (await import("./commands/export.ts")).exportHouse,
  },
  import: {
    summary: "Imports an export of Hearth, or an agent of another program",
    load: async () => (await import("./commands/import.ts")).importGroup,
  },
  upgrade: {
    summary: "Updates the database for this version of Hearth, or rolls the update back",
    load: async () => (await import("./commands/upgrade.ts")).upgrade,
  },
  bench: {
    summary: "Runs benchmarks on this machine",
    load: async () => (await import("./commands/bench.ts")).bench,
  },
};
