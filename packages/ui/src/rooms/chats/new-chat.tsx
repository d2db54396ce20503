/** Creates another chat with an agent. With several agents, a menu asks for the agent. */
import type { AgentRecord } from "@hearth/protocol";
import { useState } from "react";
import { useLocation } from "wouter";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Menu, MenuItem } from "../../design/menu.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { may } from "../../house/may.ts";
import { roomPath } from "../../house/paths.ts";
import { useHouse, useUi } from "../../house/ui.tsx";
import { visible } from "../../text/visible.tsx";
import * as texts from "./text.ts";

export interface NewChatProps {
  readonly className?: string | undefined;
  /** Called after the chat was opened. */
  readonly onOpen: () => void;
}

/** The button for a new chat. Renders nothing for a person who may not create a chat. */
export const NewChat = ({ className, onOpen }: NewChatProps) => {
  const { client } = useUi();
  const { me, house, agents } = useHouse();
  const [, go] = useLocation();
  const [error, setError] = useState<unknown>();
  const bots = [...agents.values()]
    .filter((agent) => agent.content.kind === "bot" && agent.house === house?.id)
    .toSorted((one, other) => one.content.name.localeCompare(other.content.name));
  const begin = async (agent: AgentRecord): Promise<void> => {
    try {
      const { handle } = await client.agents.newChat(agent.id);
      go(roomPath(handle));
      onOpen();
    } catch (thrown) {
      setError(thrown);
    }
  };
  const [first] = bots;
  if (first === undefined || !may(me, "w", house)) return undefined;
  return (
    <>
      {bots.length === 1 ? (
        <Button kind="quiet" icon="compose" className={className} onClick={() => void begin(first)}>
          {texts.newChat}
        </Button>
      ) : (
        <Menu label={texts.newChatWith} icon="compose" text={texts.newChat} className={className}>
          {bots.map((agent) => (
            <MenuItem key={agent.id} icon="room" onChoose={() => void begin(agent)}>
              <bdi>{visible(agent.content.name)}</bdi>
            </MenuItem>
          ))}
        </Menu>
      )}
      <Dialog title={texts.couldNotBegin} isOpen={error !== undefined} onClose={() => setError(undefined)}>
        {error === undefined ? undefined : <ErrorNotice error={error} />}
      </Dialog>
    </>
  );
};
