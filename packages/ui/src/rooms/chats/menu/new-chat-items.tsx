/** The agents with which a person can start a chat, as items of a menu. */
import type { AgentRecord } from "@hearth/protocol";
import { MenuItem } from "../../../design/menu.tsx";
import { compareNames } from "../../../language/locale.ts";
import { toVisible } from "../../../text/visible.tsx";

export interface NewChatItemsProps {
  readonly bots: readonly AgentRecord[];
  readonly onChoose: (bot: AgentRecord) => void;
}

export const NewChatItems = ({ bots, onChoose }: NewChatItemsProps) =>
  bots
    .toSorted((a, b) => compareNames(a.content.name, b.content.name))
    .map((bot) => (
      <MenuItem key={bot.id} icon="room" onChoose={() => onChoose(bot)}>
        <bdi>{toVisible(bot.content.name)}</bdi>
      </MenuItem>
    ));
