/** A button that scrolls to the latest message, with the number of new ones. */
import type { RoomMessage, RoomSnapshot } from "@hearth/client";
import type { AgentId } from "@hearth/protocol";
import { useEffect, useState } from "react";
import { Button } from "../../design/button.tsx";
import { useRoomView } from "../room-view.tsx";
import styles from "./timeline.module.css";
import * as texts from "../text.ts";

export interface ToEndProps {
  readonly snapshot: RoomSnapshot;
  readonly isAtEnd: boolean;
  readonly onPress: () => void;
}

export const ToEnd = ({ snapshot, isAtEnd, onPress }: ToEndProps) => {
  const { me, focusComposer } = useRoomView();
  const lastOffset = snapshot.messages.at(-1)?.offset ?? 0;
  const [seenOffset, setSeenOffset] = useState(lastOffset);
  useEffect(() => {
    if (isAtEnd) setSeenOffset(lastOffset);
  }, [isAtEnd, lastOffset]);
  if (isAtEnd) return undefined;
  const count = countNew(snapshot.messages, seenOffset, me);
  return (
    <div className={styles.toEnd}>
      <Button
        icon="down"
        onClick={() => {
          onPress();
          focusComposer();
        }}
      >
        {nameNew(count)}
      </Button>
    </div>
  );
};

export const nameNew = (count: number): string =>
  count === 0 ? texts.jumpToLatest : count === 1 ? texts.oneNewMessage : texts.newMessages(count);

/** Counts messages after the offset `seenOffset` that the user did not write. */
export const countNew = (messages: readonly RoomMessage[], seenOffset: number, me: AgentId | undefined): number => {
  const start = messages.findLastIndex((message) => message.offset <= seenOffset) + 1;
  return messages.slice(start).filter((message) => message.author !== me && !message.isDeleted).length;
};
