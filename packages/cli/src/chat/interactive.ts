/** A chat for as long as somebody sits there: lines in, replies as they come, and what others say in the room. */
import { join } from "node:path";
import type { Client } from "@hearth/client";
import { createMailbox } from "@hearth/protocol";
import type { Context } from "../command.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { createNames } from "../names.ts";
import { safeLine } from "../safe-text.ts";
import { createConversation } from "./conversation.ts";
import { readHistory, writeHistory } from "./history.ts";
import { createScreen } from "./screen.ts";
import type { Target } from "./target.ts";

/** How much of what was said before is shown at the start. */
const RECENT = 6;

const HELP = [
  "Type a message and press Enter. In a group room a bot answers when it is mentioned: @handle",
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
  let interruptReply: (() => void) | undefined;
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
      if (interruptReply !== undefined) return interruptReply();
      if (screen.typed() !== "") return screen.clearTyped();
      if (interruptedAtPrompt) return leave();
      interruptedAtPrompt = true;
      screen.say(output.style.dim("Ctrl-C once more leaves."));
    },
    onClose: leave,
  });
  const forget = terminal.onInterrupt(leave);
  const conversation = createConversation({ context, client, target, screen, names, signal: left.signal });
  let failure: unknown;
  try {
    screen.say(output.style.dim(`${titleOf(target)} Ctrl-C stops a reply, Ctrl-D leaves, /help says more.`));
    const head = await client.rooms.head(room.id);
    const recent = await client.rooms.events(room.id, { after: Math.max(0, head - RECENT), limit: RECENT });
    for (const event of recent.events) if (event.type === "message") screen.say(await conversation.toText(event));
    const listening = conversation.listen(recent.next).catch((error: unknown) => {
      failure = error;
      leave();
    });
    screen.prompt();
    for await (const line of lines) {
      screen.hush();
      const text = line.trim();
      if (text === "/quit" || text === "/exit") break;
      if (text === "/help") screen.say(HELP);
      else if (/^\/\S*$/.test(line)) screen.say(`There is no command ${safeLine(text)}. /help says what there is.`);
      else if (text !== "") {
        const { interrupt, done } = conversation.send(line.trimEnd());
        interruptReply = interrupt;
        await done;
        interruptReply = undefined;
      }
      if (!left.signal.aborted) screen.prompt();
    }
    leave();
    await listening;
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
