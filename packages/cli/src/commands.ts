/** The table of commands. A command's own module is imported when it is asked for: starting the house waits for no other. */
import type { Command, Group } from "./command.ts";

export interface Entry {
  readonly summary: string;
  load(): Promise<Command | Group>;
}

export const commands: Readonly<Record<string, Entry>> = {
  up: { summary: "Starts the house", load: async () => (await import("./commands/up.ts")).up },
  stop: { summary: "Stops the house", load: async () => (await import("./commands/stop.ts")).stop },
  "stop-all": {
    summary: "Stops every agent until resume-all",
    load: async () => (await import("./commands/stop-all.ts")).stopAll,
  },
  "resume-all": {
    summary: "Lets every agent go on after stop-all",
    load: async () => (await import("./commands/stop-all.ts")).resumeAll,
  },
  login: {
    summary: "Makes a link that logs a browser in, once",
    load: async () => (await import("./commands/login.ts")).login,
  },
  status: { summary: "Shows how the house does", load: async () => (await import("./commands/status.ts")).status },
  budget: {
    summary: "Shows spending on models and what is left of each budget",
    load: async () => (await import("./commands/budget.ts")).budget,
  },
  doctor: {
    summary: "Checks the house and its environment",
    load: async () => (await import("./commands/doctor.ts")).doctor,
  },
  repair: {
    summary: "Repairs a damaged database, and says what is lost",
    load: async () => (await import("./commands/repair.ts")).repair,
  },
  chat: { summary: "Chats with an agent or in a room", load: async () => (await import("./commands/chat.ts")).chat },
  house: { summary: "Houses", load: async () => (await import("./commands/house.ts")).house },
  person: { summary: "People", load: async () => (await import("./commands/person.ts")).person },
  agent: { summary: "Manages people and bots", load: async () => (await import("./commands/agent.ts")).agent },
  brain: {
    summary: "Manages agents' brain files and their versions",
    load: async () => (await import("./commands/brain.ts")).brain,
  },
  memory: {
    summary: "What agents remember: looking it up, keeping and forgetting",
    load: async () => (await import("./commands/memory.ts")).memory,
  },
  room: { summary: "Rooms and what was said in them", load: async () => (await import("./commands/room.ts")).room },
  grant: { summary: "Manages who may read, write and administer", load: async () => (await import("./commands/grant.ts")).grant },
  activation: { summary: "Lists, explains and stops the runs of agents", load: async () => (await import("./commands/activation.ts")).activation },
  approval: {
    summary: "Decides calls for which agents need your approval",
    load: async () => (await import("./commands/approval.ts")).approval,
  },
  inbox: { summary: "What agents leave for each other", load: async () => (await import("./commands/inbox.ts")).inbox },
  job: {
    summary: "What agents do by themselves at set times",
    load: async () => (await import("./commands/job.ts")).job,
  },
  cell: { summary: "Lists, opens and closes the sandboxes of agents", load: async () => (await import("./commands/cell.ts")).cell },
  egress: {
    summary: "Manages the hosts that agents may reach",
    load: async () => (await import("./commands/egress.ts")).egress,
  },
  provider: { summary: "Where models come from", load: async () => (await import("./commands/provider.ts")).provider },
  channel: { summary: "Shows chat platforms and their deliveries", load: async () => (await import("./commands/channel.ts")).channel },
  pairing: {
    summary: "Who is heard from chat platforms",
    load: async () => (await import("./commands/pairing.ts")).pairing,
  },
  key: { summary: "Keys for programs that use the house", load: async () => (await import("./commands/key.ts")).key },
  secret: {
    summary: "Secrets that are put into agents' requests, and shown to nobody",
    load: async () => (await import("./commands/secret.ts")).secret,
  },
  audit: {
    summary: "Shows and verifies the tamper-evident audit log",
    load: async () => (await import("./commands/audit.ts")).audit,
  },
  session: {
    summary: "Browsers that you are logged in with",
    load: async () => (await import("./commands/session.ts")).session,
  },
  restore: {
    summary: "A house whose home was restored or copied",
    load: async () => (await import("./commands/restore.ts")).restore,
  },
  bench: {
    summary: "Runs benchmarks on this machine",
    load: async () => (await import("./commands/bench.ts")).bench,
  },
};
