/** Talks with an agent or in a room: one message, or for as long as somebody sits there. */
import { defineCommand } from "../command.ts";
import { UsageError } from "../usage-error.ts";

export const chat = defineCommand({
  summary: "Talks with an agent or in a room",
  needs: "w on the house or room",
  args: [{ name: "AGENT", optional: true }],
  flags: {
    message: { kind: "text", short: "m", value: "TEXT", summary: "say this, print the reply, and end" },
    room: { kind: "text", value: "ROOM", summary: "talk in this room; with AGENT, to that agent there" },
  },
  details: [
    "Without AGENT and ROOM: with main, or with the only bot. Without -m, at a terminal: until Ctrl-D; Ctrl-C stops a reply.",
    "Without -m and without a terminal, the message is what stdin holds.",
    "What the agent asks before it does it is shown as it would run: answered there with y, n or s and Enter; with -m the commands that",
    "answer are told on stderr, and the reply is waited for as long as that takes.",
    "The reply goes to stdout, what the agent does meanwhile to stderr. Ends with 0 only when the reply is complete;",
    "a message that wakes nobody (in a group room, one that mentions no bot) is said all the same and ends with 1.",
  ].join("\n"),
  examples: [
    "hearth chat",
    'hearth chat main -m "What is on my list today?"',
    "git diff | hearth chat reviewer",
    'hearth chat --room den -m "@main @archivist what did we decide?"',
    'hearth chat -m "Good morning" --json',
  ],
  async run(context, { message, room }, [agent]) {
    const { connect, json, terminal } = context;
    const interactive = message === undefined && terminal.stdinIsTerminal;
    if (interactive && (json || !terminal.stdoutIsTerminal)) {
      throw new UsageError("Without a terminal to talk at, a message is needed: -m TEXT");
    }
    const text = interactive ? "" : (message ?? (await terminal.readInput())).trimEnd();
    if (!interactive && text.trim() === "") throw new UsageError("The message is empty.", "Say something: -m TEXT");
    const { findTarget } = await import("../chat/target.ts");
    const client = await connect();
    const target = await findTarget(client, { agent, room });
    if (interactive) {
      const { chatInteractively } = await import("../chat/interactive.ts");
      return chatInteractively(context, client, target);
    }
    const { chatOnce } = await import("../chat/once.ts");
    return chatOnce(context, client, target, text);
  },
});
