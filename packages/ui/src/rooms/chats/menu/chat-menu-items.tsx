/** The items of a chat's menu: renaming, pinning, archiving, notifications, settings and deletion. */
import { observe, type RoomEntry } from "@hearth/client";
import type { ChangeRoomView } from "@hearth/protocol";
import { useLocation } from "wouter";
import { useAnnounce } from "../../../design/announcer.tsx";
import { MenuItem, MenuLink } from "../../../design/menu.tsx";
import { may, mayIn } from "../../../house/may.ts";
import { brainPath, HOME, isPathOfRoom } from "../../../house/paths.ts";
import { roomTitle } from "../../../house/room-title.ts";
import { useHouse, useUi } from "../../../house/ui.tsx";
import { partnerOf, roomSettingsOf } from "../../participants.ts";
import { toVisible } from "../../../text/visible.tsx";
import type { ChatDialog } from "./chat-dialogs.tsx";
import * as texts from "./text.ts";

export interface ChatMenuItemsProps {
  readonly entry: RoomEntry;
  /** Opens a dialog. It stays after the menu has closed. */
  readonly onDialog: (dialog: ChatDialog) => void;
}

export const ChatMenuItems = ({ entry, onDialog }: ChatMenuItemsProps) => {
  const { room, isPinned, isArchived } = entry;
  const { me, agents } = useHouse();
  const change = useArranging(entry, (error) => onDialog({ kind: "failure", error }));
  const partner = partnerOf(room, agents);
  return (
    <>
      {room.content.kind === "direct" && may(me, "w", room) ? (
        <MenuItem icon="edit" onChoose={() => onDialog({ kind: "rename" })}>
          {texts.rename}
        </MenuItem>
      ) : undefined}
      <MenuItem icon="pin" onChoose={() => observe(change({ pinned: !isPinned }))}>
        {isPinned ? texts.unpin : texts.pin}
      </MenuItem>
      <MenuItem icon="archive" onChoose={() => observe(change({ archived: !isArchived }))}>
        {isArchived ? texts.unarchive : texts.archive}
      </MenuItem>
      {partner !== undefined && partner.content.runs !== "elsewhere" && mayIn(me, "x", partner.house) ? (
        <MenuLink icon="file" to={brainPath(partner.handle)}>
          {texts.brainOf(toVisible(partner.content.name))}
        </MenuLink>
      ) : undefined}
      <MenuItem icon="file" onChoose={() => onDialog({ kind: "files" })}>
        {texts.files}
      </MenuItem>
      <MenuItem icon="clock" onChoose={() => onDialog({ kind: "date" })}>
        {texts.goToDate}
      </MenuItem>
      <MenuItem icon="inbox" onChoose={() => onDialog({ kind: "notifications" })}>
        {texts.notifications}
      </MenuItem>
      <MenuLink icon="settings" to={roomSettingsOf(room)}>
        {texts.roomSettings}
      </MenuLink>
      {may(me, "x", room) ? (
        <MenuItem icon="delete" isDanger onChoose={() => onDialog({ kind: "delete" })}>
          {texts.deleteChat}
        </MenuItem>
      ) : undefined}
    </>
  );
};

/** Pins and archives a chat. Archiving the open chat leaves its page, because opening a chat unarchives it. */
const useArranging = ({ room }: RoomEntry, onFailure: (error: unknown) => void) => {
  const { client } = useUi();
  const [path, navigate] = useLocation();
  const announce = useAnnounce();
  return async (view: ChangeRoomView): Promise<void> => {
    try {
      await client.rooms.setView(room.id, view);
      announce(announcementFor(view)(roomTitle(room)));
      if (view.archived === true && isPathOfRoom(path, room.handle)) navigate(HOME);
    } catch (error) {
      onFailure(error);
    }
  };
};

const announcementFor = ({ pinned, archived }: ChangeRoomView): ((title: string) => string) => {
  if (archived !== undefined) return archived ? texts.archived : texts.unarchived;
  return pinned === true ? texts.pinned : texts.unpinned;
};
