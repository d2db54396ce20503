/** The dialogs of an open room. Loaded on first use. */
import type { RoomEntry } from "@hearth/client";
import { UndoDialog } from "../../brain/history/undo-dialog.tsx";
import { ChatDialogs } from "../chats/menu/chat-dialogs.tsx";
import { useAnnounce } from "../../design/announcer.tsx";
import type { RoomDialog } from "../room-view.tsx";
import { ModelPicker } from "./model-picker.tsx";

export interface RoomDialogsProps {
  readonly dialog: RoomDialog;
  readonly entry: RoomEntry;
  readonly onClose: () => void;
}

export const RoomDialogs = ({ dialog, entry, onClose }: RoomDialogsProps) => {
  const announce = useAnnounce();
  switch (dialog.kind) {
    case "model":
      return <ModelPicker agent={dialog.agent} onClose={onClose} />;
    case "rename":
      return <ChatDialogs kind={dialog.kind} entry={entry} onClose={onClose} />;
    case "undo": {
      const onDone = (message: string): void => {
        onClose();
        announce(message);
      };
      return <UndoDialog agent={dialog.agent} target={dialog.target} onClose={onClose} onDone={onDone} />;
    }
  }
};
