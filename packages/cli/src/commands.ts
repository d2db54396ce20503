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
    summary: "Shows what was spent on models, and what is left",
    load: async () => (await import("./commands/budget.ts")).budget,
  },
  doctor: {
    summary: "Checks everything the house needs",
    load: async () => (await import("./commands/doctor.ts")).doctor,
  },
  chat: { summary: "Talks with an agent or in a room", load: async () => (await import("./commands/chat.ts")).chat },
  house: { summary: "Houses", load: async () => (await import("./commands/house.ts")).house },
  person: { summary: "People", load: async () => (await import("./commands/person.ts")).person },
  agent: { summary: "People and bots", load: async () => (await import("./commands/agent.ts")).agent },
  brain: {
    summary: "What agents are and know: files, versions, and undoing them",
    load: async () => (await import("./commands/brain.ts")).brain,
  },
  memory: {
    summary: "What agents remember: looking it up, keeping and forgetting",
    load: async () => (await import("./commands/memory.ts")).memory,
  },
  room: { summary: "Rooms and what was said in them", load: async () => (await import("./commands/room.ts")).room },
  grant: { summary: "Who may do what", load: async () => (await import("./commands/grant.ts")).grant },
  activation: { summary: "Wake-ups of bots", load: async () => (await import("./commands/activation.ts")).activation },
  approval: {
    summary: "What agents ask you before they do it",
    load: async () => (await import("./commands/approval.ts")).approval,
  },
  inbox: { summary: "What agents leave for each other", load: async () => (await import("./commands/inbox.ts")).inbox },
  job: {
    summary: "What agents do by themselves at set times",
    load: async () => (await import("./commands/job.ts")).job,
  },
  cell: { summary: "Where agents' hands are", load: async () => (await import("./commands/cell.ts")).cell },
  egress: {
    summary: "Where agents may go on the network",
    load: async () => (await import("./commands/egress.ts")).egress,
  },
  provider: { summary: "Where models come from", load: async () => (await import("./commands/provider.ts")).provider },
  channel: { summary: "Chat platforms", load: async () => (await import("./commands/channel.ts")).channel },
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
    summary: "What was done, in a log that shows when it was changed",
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
    summary: "Measures this house and this machine",
    load: async () => (await import("./commands/bench.ts")).bench,
  },
};
