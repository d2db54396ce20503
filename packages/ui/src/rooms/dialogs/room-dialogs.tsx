/** The dialogs of an open room. Loaded on first use. */
import type { RoomEntry } from "@hearth/client";
import { ChatDialogs } from "../chats/menu/chat-dialogs.tsx";
import type { RoomDialog } from "../room-view.tsx";
import { ModelPicker } from "./model-picker.tsx";

export interface RoomDialogsProps {
  readonly dialog: RoomDialog;
  readonly entry: RoomEntry;
  readonly onClose: () => void;
}

export const RoomDialogs = ({ dialog, entry, onClose }: RoomDialogsProps) =>
  dialog.kind === "model" ? (
    <ModelPicker agent={dialog.agent} onClose={onClose} />
  ) : (
    <ChatDialogs kind={dialog.kind} entry={entry} onClose={onClose} />
  );
