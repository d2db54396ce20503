/** Adds and removes the user's emoji on a message. */
import { observe, type RoomMessage } from "@hearth/client";
import { useCallback } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { useRoomView } from "../room-view.tsx";
import * as texts from "../text.ts";

export const useReact = ({ id }: Pick<RoomMessage, "id">): ((emoji: string, isOn: boolean) => void) => {
  const { reader } = useRoomView();
  const announce = useAnnounce();
  return useCallback(
    (emoji, isOn) => {
      observe(
        reader.react(id, { emoji, isOn }).then(
          () => announce(isOn ? texts.reactionAdded(emoji) : texts.reactionRemoved(emoji), "unseen"),
          () => announce(texts.reactionFailed),
        ),
      );
    },
    [reader, announce, id],
  );
};
