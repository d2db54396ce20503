/**
 * Creates another chat with an agent. With several agents, a menu asks for the agent. Its items are
 * loaded on first use.
 */
import { observe } from "@hearth/client";
import type { AgentRecord } from "@hearth/protocol";
import { useState } from "react";
import { useLocation } from "wouter";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Menu } from "../../design/menu.tsx";
import { may } from "../../house/may.ts";
import { createLazyPart } from "../../house/lazy-part.tsx";
import { roomPath } from "../../house/paths.ts";
import { useHouse, useUi } from "../../house/ui.tsx";
import type { NewChatFailureProps } from "./menu/new-chat-failure.tsx";
import type { NewChatItemsProps } from "./menu/new-chat-items.tsx";
import * as texts from "./text.ts";

const NewChatItems = createLazyPart<NewChatItemsProps>({
  load: async () => (await import("./menu/new-chat-items.tsx")).NewChatItems,
});
const NewChatFailure = createLazyPart<NewChatFailureProps>({
  load: async () => (await import("./menu/new-chat-failure.tsx")).NewChatFailure,
  Wrapper: ({ children, onClose }) => (
    <Dialog title={texts.newChat} isOpen onClose={onClose}>
      {children}
    </Dialog>
  ),
});

export interface NewChatProps {
  readonly className?: string | undefined;
  /** Called after the chat was opened. */
  readonly onOpen: () => void;
}

/** The button for a new chat. Renders nothing for a person who may not create a chat. */
export const NewChat = ({ className, onOpen }: NewChatProps) => {
  const { client } = useUi();
  const { me, house, agents } = useHouse();
  const [, navigate] = useLocation();
  const [error, setError] = useState<unknown>();
  const bots = [...agents.values()].filter((agent) => agent.content.kind === "bot" && agent.house === house?.id);
  const createChat = async (agent: AgentRecord): Promise<void> => {
    try {
      const { handle } = await client.agents.newChat(agent.id);
      navigate(roomPath(handle));
      onOpen();
    } catch (cause) {
      setError(cause);
    }
  };
  const [firstBot] = bots;
  if (firstBot === undefined || !may(me, "w", house)) return undefined;
  return (
    <>
      {bots.length === 1 ? (
        <Button kind="quiet" icon="compose" className={className} onClick={() => observe(createChat(firstBot))}>
          {texts.newChat}
        </Button>
      ) : (
        <Menu label={texts.newChatWith} icon="compose" text={texts.newChat} className={className}>
          <NewChatItems bots={bots} onChoose={(agent) => observe(createChat(agent))} />
        </Menu>
      )}
      {error === undefined ? undefined : <NewChatFailure error={error} onClose={() => setError(undefined)} />}
    </>
  );
};
