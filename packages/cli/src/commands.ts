/** The table of commands. A command's own module is imported when it is asked for: starting the house waits for no other. */
import type { Command, Group } from "./command.ts";

export interface Entry {
  readonly summary: string;
  load(): Promise<Command | Group>;
}

export const commands: Readonly<Record<string, Entry>> = {
  up: { summary: "Starts the house", load: async () => (await import("./commands/up.ts")).up },
  stop: { summary: "Stops the house", load: async () => (await import("./commands/stop.ts")).stop },
  status: { summary: "Shows how the house does", load: async () => (await import("./commands/status.ts")).status },
  doctor: {
    summary: "Checks everything the house needs",
    load: async () => (await import("./commands/doctor.ts")).doctor,
  },
  chat: { summary: "Talks with an agent or in a room", load: async () => (await import("./commands/chat.ts")).chat },
  agent: { summary: "People and bots", load: async () => (await import("./commands/agent.ts")).agent },
  room: { summary: "Rooms and what was said in them", load: async () => (await import("./commands/room.ts")).room },
  activation: { summary: "Wake-ups of bots", load: async () => (await import("./commands/activation.ts")).activation },
  provider: { summary: "Where models come from", load: async () => (await import("./commands/provider.ts")).provider },
  key: { summary: "Keys for programs that use the house", load: async () => (await import("./commands/key.ts")).key },
  bench: {
    summary: "Measures this house and this machine",
    load: async () => (await import("./commands/bench.ts")).bench,
  },
};
