/** The slash commands that the composer offers. Pure, except for what a command does when it is chosen. */
import type { AgentRecord, Me, RoomRecord } from "@hearth/protocol";
import { may, mayChooseModel, mayIn } from "../../../house/may.ts";
import { SEARCH } from "../../../house/paths.ts";
import { toVisible } from "../../../text/visible.tsx";
import { type Agents, partnerOf, roomSettingsOf } from "../../participants.ts";
import type { RoomDialog } from "../../room-view.tsx";
import * as texts from "./text.ts";

export interface SlashCommand {
  readonly name: string;
  readonly effect: string;
  readonly run: () => void;
}

export interface CommandContext {
  readonly room: RoomRecord;
  readonly me: Me | undefined;
  readonly agents: Agents;
  readonly send: (text: string) => void;
  readonly attach: () => void;
  readonly openDialog: (dialog: RoomDialog) => void;
  readonly navigate: (path: string) => void;
  /** Creates a chat with this agent, and opens it. */
  readonly startChat: (agent: AgentRecord) => void;
}

/** Returns the commands that the typed text begins and that the person may use. */
export const findCommands = (text: string, context: CommandContext): readonly SlashCommand[] =>
  text.startsWith("/") ? commandsOf(context).filter(({ name }) => name.startsWith(text.trimEnd().toLowerCase())) : [];

/** The first command has no effect on the conversation, because Enter after "/" chooses it. */
const commandsOf = ({ room, me, agents, ...calls }: CommandContext): readonly SlashCommand[] => {
  const partner = partnerOf(room, agents);
  const commands: (SlashCommand | false | undefined)[] = [
    { name: "/attach", effect: texts.attach, run: calls.attach },
    partner !== undefined &&
      mayIn(me, "w", partner.house) && {
        name: "/chat",
        effect: texts.chat(toVisible(partner.content.name)),
        run: () => calls.startChat(partner),
      },
    partner !== undefined &&
      mayChooseModel(me, partner) && {
        name: "/model",
        effect: texts.model(toVisible(partner.content.name)),
        run: () => calls.openDialog({ kind: "model", agent: partner }),
      },
    { name: "/new", effect: texts.newSession, run: () => calls.send("/new") },
    room.content.kind === "direct" &&
      may(me, "w", room) && {
        name: "/rename",
        effect: texts.rename,
        run: () => calls.openDialog({ kind: "rename" }),
      },
    { name: "/search", effect: texts.search, run: () => calls.navigate(SEARCH) },
    { name: "/settings", effect: texts.settings, run: () => calls.navigate(roomSettingsOf(room)) },
    { name: "/stop", effect: texts.stop, run: () => calls.send("/stop") },
  ];
  return commands.filter((command) => command !== false && command !== undefined);
};
