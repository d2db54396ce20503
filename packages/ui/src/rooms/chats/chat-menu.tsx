/** The button of a chat's menu. The items and their dialogs are loaded when the menu is first opened. */
import type { RoomEntry } from "@hearth/client";
import { useState } from "react";
import { Dialog } from "../../design/dialog.tsx";
import { Menu } from "../../design/menu.tsx";
import { createLazyPart } from "../../house/lazy-part.tsx";
import { roomTitle } from "../../house/room-title.ts";
import type { ChatDialog, ChatDialogsProps } from "./menu/chat-dialogs.tsx";
import type { ChatMenuItemsProps } from "./menu/chat-menu-items.tsx";
import * as texts from "./text.ts";

const ChatMenuItems = createLazyPart<ChatMenuItemsProps>({
  load: async () => (await import("./menu/chat-menu-items.tsx")).ChatMenuItems,
});
const ChatDialogs = createLazyPart<ChatDialogsProps>({
  load: async () => (await import("./menu/chat-dialogs.tsx")).ChatDialogs,
  Wrapper: ({ children, entry, onClose }) => (
    <Dialog title={texts.optionsOf(roomTitle(entry.room))} isOpen onClose={onClose}>
      {children}
    </Dialog>
  ),
});

export interface ChatMenuProps {
  readonly entry: RoomEntry;
  readonly className?: string | undefined;
}

export const ChatMenu = ({ entry, className }: ChatMenuProps) => {
  const [dialog, setDialog] = useState<ChatDialog>();
  return (
    <>
      <Menu label={texts.optionsOf(roomTitle(entry.room))} icon="more" className={className}>
        <ChatMenuItems entry={entry} onDialog={setDialog} />
      </Menu>
      {dialog === undefined ? undefined : (
        <ChatDialogs key={dialog.kind} {...dialog} entry={entry} onClose={() => setDialog(undefined)} />
      )}
    </>
  );
};
