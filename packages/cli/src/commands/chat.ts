/** `hearth chat`: sends one message and prints the reply, or opens an interactive chat. */
import { defineCommand } from "../command.ts";
import { UsageError } from "../args/usage-error.ts";

export const chat = defineCommand({
  summary: "Chats with an agent or in a room",
  needs: "w on the house or room",
  args: [{ name: "AGENT", optional: true }],
  flags: {
    message: { kind: "text", short: "m", value: "TEXT", summary: "send this message, print the reply and exit" },
    file: { kind: "text", value: "PATH", summary: "attach this file to the message, or stdin for -" },
    new: { kind: "switch", summary: "begin another chat with the agent instead of continuing the default one" },
    room: { kind: "text", value: "ROOM", summary: "chat in this room; with AGENT, address that agent there" },
  },
  details: [
    "Without AGENT and ROOM, chats with main or the only bot. Without -m, at a terminal, the chat lasts until Ctrl-D; Ctrl-C stops a reply.",
    "An agent can have several chats with you. Without --new and ROOM, chat opens the first one; hearth room list shows all.",
    "Without -m and without a terminal, the message is read from stdin.",
    "When a call needs your approval, chat shows exactly what would run. Answer with y, n or s and Enter. With -m, the commands to",
    "answer are printed on stderr, and chat waits for your decision.",
    "With --file, the file is uploaded first, and -m is optional. An interrupted upload resumes where it stopped.",
    "The reply goes to stdout, progress to stderr. Exits with 0 only when the reply is complete;",
    "a message that wakes no agent (in a group room, one without a mention) is still posted, and chat exits with 1.",
  ].join("\n"),
  examples: [
    "hearth chat",
    'hearth chat main -m "What is on my list today?"',
    "git diff | hearth chat reviewer",
    "hearth chat --new",
    'hearth chat --room den -m "@main @archivist what did we decide?"',
    'hearth chat --file photo.jpg -m "What is on this picture?"',
    'hearth chat -m "Good morning" --json',
  ],
  async run(context, { message, file, room, new: isNew }, [agent]) {
    const { connect, json, terminal } = context;
    const isInteractive = message === undefined && file === undefined && terminal.stdinIsTerminal;
    if (isInteractive && (json || !terminal.stdoutIsTerminal)) {
      throw new UsageError("An interactive chat needs a terminal. Give a message: -m TEXT");
    }
    if (isNew && room !== undefined) throw new UsageError("--new and --room exclude each other. Give one of them.");
    if (file === "-" && terminal.stdinIsTerminal) throw new UsageError("--file - needs input on stdin.");
    const input = message ?? (isInteractive || file !== undefined ? "" : await terminal.readInput());
    const text = input.trimEnd();
    if (!isInteractive && file === undefined && text.trim() === "")
      throw new UsageError("The message is empty.", "Give a text: -m TEXT");
    const { findTarget } = await import("../chat/target.ts");
    const client = await connect();
    const target = await findTarget(client, { agent, room, isNew });
    if (isInteractive) {
      const { chatInteractively } = await import("../chat/interactive.ts");
      return chatInteractively(context, client, target);
    }
    const { chatOnce } = await import("../chat/once.ts");
    return chatOnce(context, client, target, { text, file });
  },
});
