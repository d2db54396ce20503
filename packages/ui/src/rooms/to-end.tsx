/** The way back to the end for who reads further up, with what came meanwhile. */
import type { RoomMessage, RoomSnapshot } from "@hearth/client";
import type { AgentId } from "@hearth/protocol";
import { useEffect, useState } from "react";
import { Button } from "../design/button.tsx";
import { useRoomView } from "./room-view.tsx";
import styles from "./timeline.module.css";

export interface ToEndProps {
  readonly snapshot: RoomSnapshot;
  readonly isAtEnd: boolean;
  readonly onPress: () => void;
}

export const ToEnd = ({ snapshot, isAtEnd, onPress }: ToEndProps) => {
  const { me, focusComposer } = useRoomView();
  const last = snapshot.messages.at(-1)?.offset ?? 0;
  const [seen, setSeen] = useState(last);
  useEffect(() => {
    if (isAtEnd) setSeen(last);
  }, [isAtEnd, last]);
  if (isAtEnd) return undefined;
  const count = countNew(snapshot.messages, seen, me);
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
  count === 0 ? "To the end" : count === 1 ? "1 new message" : `${count} new messages`;

/** Of others, after the offset that was seen. */
export const countNew = (messages: readonly RoomMessage[], seen: number, me: AgentId | undefined): number => {
  const start = messages.findLastIndex((message) => message.offset <= seen) + 1;
  return messages.slice(start).filter((message) => message.author !== me && !message.isDeleted).length;
};
