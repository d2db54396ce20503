/** Suggests slash commands while the composer's text begins with "/". Their list is loaded on first use. */
import { observe } from "@hearth/client";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { roomPath } from "../../house/paths.ts";
import { useHouse, useUi } from "../../house/ui.tsx";
import { useRoomView } from "../room-view.tsx";
import type { CommandContext, findCommands } from "./commands/slash-commands.ts";
import { type Suggestions, useSuggestions } from "./suggestions.tsx";
import styles from "./suggestions.module.css";
import * as texts from "../text.ts";

export interface CommandsOptions {
  readonly text: string;
  readonly change: (text: string) => void;
  readonly attach: () => void;
  readonly onFailure: (error: unknown) => void;
}

export const useCommands = ({ text, change, attach, onFailure }: CommandsOptions): Suggestions => {
  const context = useCommandContext(attach, onFailure);
  const [commandList, setCommandList] = useState<{ readonly commands: typeof findCommands }>();
  const [isDismissed, setDismissed] = useState(false);
  const isCommand = text.startsWith("/");
  useEffect(() => {
    if (!isCommand) setDismissed(false);
    if (!isCommand || commandList !== undefined) return;
    // Without the list, a typed command still works: the house reads it.
    import("./commands/slash-commands.ts").then(
      ({ findCommands: commands }) => setCommandList({ commands }),
      () => {},
    );
  }, [isCommand, commandList]);
  const matchingCommands = isCommand && !isDismissed ? (commandList?.commands(text, context) ?? []) : [];
  return useSuggestions({
    label: texts.commandSuggestions,
    items: matchingCommands.map(({ name, effect, run }) => ({
      key: name,
      content: (
        <>
          <span className={styles.name}>{name}</span>
          <span className={styles.detail}>{effect}</span>
        </>
      ),
      onChoose: () => {
        change("");
        run();
      },
    })),
    query: matchingCommands.length === 0 ? undefined : text,
    onDismiss: () => setDismissed(true),
  });
};

const useCommandContext = (attach: () => void, onFailure: (error: unknown) => void): CommandContext => {
  const { client } = useUi();
  const { me } = useHouse();
  const { reader, room, agents, openDialog } = useRoomView();
  const [, navigate] = useLocation();
  return {
    room,
    me,
    agents,
    attach,
    openDialog,
    navigate,
    send: reader.send,
    startChat: (agent) =>
      observe(client.agents.newChat(agent.id).then(({ handle }) => navigate(roomPath(handle)), onFailure)),
  };
};
