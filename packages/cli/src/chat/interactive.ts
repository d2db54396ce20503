/** The interactive chat: reads lines and prints streamed replies and other messages of the room. */
import { join } from "node:path";
import type { Client } from "@hearth/client";
import { createMailbox, isForHouse } from "@hearth/protocol";
import type { Context } from "../command.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { createNames } from "../show/names.ts";
import { toRoomLines } from "../show/room-lines.ts";
import { safeLine } from "../show/safe-text.ts";
import { type Conversation, createConversation } from "./conversation.ts";
import { readHistory, writeHistory } from "./history.ts";
import { createScreen, type Screen } from "./screen.ts";
import type { Target } from "./target.ts";

/** The number of earlier messages shown at the start. */
const RECENT_COUNT = 6;

const HELP = [
  "Type a message and press Enter. In a group room a bot answers when it is mentioned: @handle",
  "Messages that you type during a reply are sent at once. The message `stop` alone stops everything that runs in the room.",
  "When a call needs your approval: y allows it, n and an optional reason denies it, s allows it for the session if that is offered.",
  "/new starts a new session: agents no longer read earlier messages.",
  "Ctrl-C stops the reply; pressed twice at an empty line, it leaves. Ctrl-D and /quit leave at once.",
  "To send a line that begins with / but is not a command, put a space before it.",
].join("\n");

export const chatInteractively = async (context: Context, client: Client, target: Target): Promise<ExitCode> => {
  const { home, output, terminal } = context;
  const { room } = target;
  const names = await createNames(client);
  const historyPath = join(home, "chat-history");
  const typedLines: string[] = [];
  const lines = createMailbox<string>();
  const exitController = new AbortController();
  const leave = (): void => {
    exitController.abort();
    lines.close();
  };
  const replies = new Set<ReturnType<Conversation["send"]>>();
  let failure: unknown;
  let wasInterruptedAtPrompt = false;

  const screen = createScreen({
    prompt: "› ",
    history: await readHistory(historyPath),
    onLine(line) {
      wasInterruptedAtPrompt = false;
      if (line.trim() !== "") typedLines.unshift(line);
      lines.put(line);
    },
    onInterrupt() {
      if (replies.size > 0) return replies.forEach(({ interrupt }) => interrupt());
      if (screen.inputText() !== "") return screen.clearInput();
      if (wasInterruptedAtPrompt) return leave();
      wasInterruptedAtPrompt = true;
      screen.printLine(output.style.dim("Press Ctrl-C again to leave."));
    },
    onClose: leave,
  });
  const removeInterrupt = terminal.onInterrupt(leave);
  const conversation = createConversation({ context, client, target, screen, names, signal: exitController.signal });
  const endWithFailure = (error: unknown): void => {
    failure = error;
    leave();
  };
  const send = async (text: string): Promise<void> => {
    const reply = conversation.send(text);
    replies.add(reply);
    await reply.completion.catch(endWithFailure);
    replies.delete(reply);
    showPrompt();
  };
  /** Shows the prompt unless a reply is being printed. */
  const showPrompt = (): void => {
    if (replies.size === 0 && !exitController.signal.aborted) screen.prompt();
  };
  try {
    screen.printLine(
      output.style.dim(`${titleOf(target)} Ctrl-C stops a reply, Ctrl-D leaves, /help shows all commands.`),
    );
    const recent = await client.rooms.events(room.id, { before: "end", limit: RECENT_COUNT });
    for (const line of toRoomLines(recent.events)) screen.printLine(await conversation.toText(line));
    const listening = conversation.listen(recent.next).catch(endWithFailure);
    screen.prompt();
    await handleLines(lines, { screen, conversation, send, showPrompt });
    leave();
    await Promise.all([listening, ...[...replies].map(({ completion }) => completion.catch(endWithFailure))]);
  } finally {
    leave();
    removeInterrupt();
    screen.hideInput();
    screen.close();
    terminal.out("\n");
    await writeHistory(historyPath, [...typedLines, ...(await readHistory(historyPath))]);
  }
  if (failure !== undefined) throw failure;
  return exitCodes.done;
};

interface LineHandlers {
  readonly screen: Screen;
  readonly conversation: Conversation;
  readonly send: (text: string) => Promise<void>;
  readonly showPrompt: () => void;
}

/**
 * Handles each line as a command, an answer to an approval or a message. Ends after the last line
 * or `/quit`.
 */
const handleLines = async (
  lines: AsyncIterable<string>,
  { screen, conversation, send, showPrompt }: LineHandlers,
): Promise<void> => {
  for await (const line of lines) {
    screen.hideInput();
    const text = line.trim();
    if (text === "/quit" || text === "/exit") return;
    const answer = answerCommand(line);
    if (answer !== undefined) screen.printLine(answer);
    else if (await conversation.answer(text)) continue;
    else if (text !== "") {
      send(line.trimEnd()).catch(reportError);
      continue;
    }
    showPrompt();
  }
};

/** Returns the answer to a command of the chat itself. Returns undefined if the line is not such a command. */
const answerCommand = (line: string): string | undefined => {
  const text = line.trim();
  if (text === "/help") return HELP;
  const isUnknown = /^\/\S*$/.test(line) && !isForHouse(text);
  return isUnknown ? `Unknown command ${safeLine(text)}. /help lists the commands.` : undefined;
};

const titleOf = ({ room, bots }: Target): string =>
  room.content.kind === "direct"
    ? `Chat with ${safeLine(bots[0]?.content.name ?? room.content.name)}${describeTitle(room)}.`
    : `Chat in the room "${safeLine(room.content.name)}"${bots.length === 0 ? "." : `, with ${bots.map(({ handle }) => `@${handle}`).join(", ")}.`}`;

/** Describes a chat other than the default one: its title, and the command that opens it again. */
const describeTitle = (room: Target["room"]): string => {
  const { title, titleFrom } = room.content;
  if (title !== undefined) return `, "${safeLine(title)}"`;
  return titleFrom === "next" ? `. To continue it later: hearth chat --room ${room.handle}` : "";
};
