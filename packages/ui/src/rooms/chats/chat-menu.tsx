/** The menu of a chat: renaming, pinning, archiving, notifications, settings and deletion. */
import type { RoomEntry } from "@hearth/client";
import type { ChangeRoomView } from "@hearth/protocol";
import { useState } from "react";
import { useLocation } from "wouter";
import { useAnnounce } from "../../design/announcer.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Menu, MenuItem, MenuLink } from "../../design/menu.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { may, mayIn } from "../../house/may.ts";
import { createPart } from "../../house/part.tsx";
import { brainPath, HOME, isAt } from "../../house/paths.ts";
import { roomTitle } from "../../house/room-title.ts";
import { useHouse, useUi } from "../../house/ui.tsx";
import { partnerOf, roomSettingsOf } from "../participants.ts";
import { visible } from "../../text/visible.tsx";
import type { ChatDialogsProps } from "./chat-dialogs.tsx";
import * as texts from "./text.ts";

const ChatDialogs = createPart<ChatDialogsProps>({
  load: async () => (await import("./chat-dialogs.tsx")).ChatDialogs,
  Around: ({ children, entry, onClose }) => (
    <Dialog title={texts.couldNotChange(roomTitle(entry.room))} isOpen onClose={onClose}>
      {children}
    </Dialog>
  ),
});

export interface ChatMenuProps {
  readonly entry: RoomEntry;
  readonly className?: string | undefined;
}

export const ChatMenu = ({ entry, className }: ChatMenuProps) => {
  const { room, isPinned, isArchived } = entry;
  const { me, agents } = useHouse();
  const [dialog, setDialog] = useState<ChatDialogsProps["kind"]>();
  const { change, error, clear } = useArranging(entry);
  const partner = partnerOf(room, agents);
  const title = roomTitle(room);
  return (
    <>
      <Menu label={texts.optionsOf(title)} icon="more" className={className}>
        {room.content.kind === "direct" && may(me, "w", room) ? (
          <MenuItem icon="edit" onChoose={() => setDialog("rename")}>
            {texts.rename}
          </MenuItem>
        ) : undefined}
        <MenuItem icon="pin" onChoose={() => change({ pinned: !isPinned })}>
          {isPinned ? texts.unpin : texts.pin}
        </MenuItem>
        <MenuItem icon="archive" onChoose={() => change({ archived: !isArchived })}>
          {isArchived ? texts.unarchive : texts.archive}
        </MenuItem>
        {partner !== undefined && partner.content.runs !== "elsewhere" && mayIn(me, "x", partner.house) ? (
          <MenuLink icon="file" to={brainPath(partner.handle)}>
            {texts.brainOf(visible(partner.content.name))}
          </MenuLink>
        ) : undefined}
        <MenuItem icon="inbox" onChoose={() => setDialog("notifications")}>
          {texts.notifications}
        </MenuItem>
        <MenuLink icon="settings" to={roomSettingsOf(room)}>
          {texts.roomSettings}
        </MenuLink>
        {may(me, "x", room) ? (
          <MenuItem icon="delete" isDanger onChoose={() => setDialog("delete")}>
            {texts.deleteChat}
          </MenuItem>
        ) : undefined}
      </Menu>
      {dialog === undefined ? undefined : (
        <ChatDialogs key={dialog} kind={dialog} entry={entry} onClose={() => setDialog(undefined)} />
      )}
      <Dialog title={texts.couldNotChange(title)} isOpen={error !== undefined} onClose={clear}>
        {error === undefined ? undefined : <ErrorNotice error={error} />}
      </Dialog>
    </>
  );
};

/** Pins and archives a chat. Archiving the open chat leaves its page, because opening a chat unarchives it. */
const useArranging = ({ room }: RoomEntry) => {
  const { client } = useUi();
  const [here, go] = useLocation();
  const announce = useAnnounce();
  const [error, setError] = useState<unknown>();
  const arrange = async (view: ChangeRoomView): Promise<void> => {
    try {
      await client.rooms.setView(room.id, view);
      announce(wordsFor(view)(roomTitle(room)));
      if (view.archived === true && isAt(here, room.handle)) go(HOME);
    } catch (thrown) {
      setError(thrown);
    }
  };
  return {
    change: (view: ChangeRoomView): void => void arrange(view),
    error,
    clear: (): void => setError(undefined),
  };
};

const wordsFor = ({ pinned, archived }: ChangeRoomView): ((title: string) => string) => {
  if (archived !== undefined) return archived ? texts.archived : texts.unarchived;
  return pinned === true ? texts.pinned : texts.unpinned;
};
