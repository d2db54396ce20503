/** A chat for as long as somebody sits there: lines in, replies as they come, and what others say in the room. */
import { join } from "node:path";
import type { Client } from "@hearth/client";
import { createMailbox, isForHouse } from "@hearth/protocol";
import type { Context } from "../command.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { createNames } from "../names.ts";
import { toRoomLines } from "../room-lines.ts";
import { safeLine } from "../safe-text.ts";
import { type Conversation, createConversation } from "./conversation.ts";
import { readHistory, writeHistory } from "./history.ts";
import { createScreen } from "./screen.ts";
import type { Target } from "./target.ts";

/** How much of what was said before is shown at the start. */
const RECENT = 6;

const HELP = [
  "Type a message and press Enter. In a group room a bot answers when it is mentioned: @handle",
  "What you say while a reply comes is sent at once. A message that is only the word stop ends whatever runs in the room.",
  "What an agent asks before it does something is answered with y, n and why, or s where that is offered.",
  "/new begins a new session: what was said before it is not read any more.",
  "Ctrl-C stops the reply that is coming; at an empty line, twice, it leaves. Ctrl-D and /quit leave at once.",
  "A line that begins with / and is no command can be said with a space before it.",
].join("\n");

export const chatInteractively = async (context: Context, client: Client, target: Target): Promise<ExitCode> => {
  const { home, output, terminal } = context;
  const { room } = target;
  const names = await createNames(client);
  const historyPath = join(home, "chat-history");
  const typed: string[] = [];
  const lines = createMailbox<string>();
  const left = new AbortController();
  const leave = (): void => {
    left.abort();
    lines.close();
  };
  const replies = new Set<ReturnType<Conversation["send"]>>();
  let failure: unknown;
  let interruptedAtPrompt = false;

  const screen = createScreen({
    prompt: "› ",
    history: await readHistory(historyPath),
    onLine(line) {
      interruptedAtPrompt = false;
      if (line.trim() !== "") typed.unshift(line);
      lines.put(line);
    },
    onInterrupt() {
      if (replies.size > 0) return replies.forEach(({ interrupt }) => interrupt());
      if (screen.typed() !== "") return screen.clearTyped();
      if (interruptedAtPrompt) return leave();
      interruptedAtPrompt = true;
      screen.say(output.style.dim("Ctrl-C once more leaves."));
    },
    onClose: leave,
  });
  const forget = terminal.onInterrupt(leave);
  const conversation = createConversation({ context, client, target, screen, names, signal: left.signal });
  const fail = (error: unknown): void => {
    failure = error;
    leave();
  };
  const send = async (text: string): Promise<void> => {
    const reply = conversation.send(text);
    replies.add(reply);
    await reply.done.catch(fail);
    replies.delete(reply);
    showPrompt();
  };
  /** Not while a reply comes: it would stand in the middle of it. */
  const showPrompt = (): void => {
    if (replies.size === 0 && !left.signal.aborted) screen.prompt();
  };
  try {
    screen.say(output.style.dim(`${titleOf(target)} Ctrl-C stops a reply, Ctrl-D leaves, /help says more.`));
    const recent = await client.rooms.events(room.id, { before: "end", limit: RECENT });
    for (const line of toRoomLines(recent.events)) screen.say(await conversation.toText(line));
    const listening = conversation.listen(recent.next).catch(fail);
    screen.prompt();
    for await (const line of lines) {
      screen.hush();
      const text = line.trim();
      if (text === "/quit" || text === "/exit") break;
      if (text === "/help") screen.say(HELP);
      else if (/^\/\S*$/.test(line) && !isForHouse(text))
        screen.say(`There is no command ${safeLine(text)}. /help says what there is.`);
      else if (await conversation.answer(text)) continue;
      else if (text !== "") {
        void send(line.trimEnd());
        continue;
      }
      showPrompt();
    }
    leave();
    await Promise.all([listening, ...[...replies].map(({ done }) => done.catch(fail))]);
  } finally {
    leave();
    forget();
    screen.hush();
    screen.close();
    terminal.out("\n");
    await writeHistory(historyPath, [...typed, ...(await readHistory(historyPath))]);
  }
  if (failure !== undefined) throw failure;
  return exitCodes.done;
};

const titleOf = ({ room, bots }: Target): string =>
  room.content.kind === "direct"
    ? `Talking with ${safeLine(bots[0]?.content.name ?? room.content.name)}.`
    : `In the room "${safeLine(room.content.name)}"${bots.length === 0 ? "." : `, with ${bots.map(({ handle }) => `@${handle}`).join(", ")}.`}`;
