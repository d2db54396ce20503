/** Marks the start of a new session: agents no longer see earlier messages. */
import type { RoomMessage } from "@hearth/client";
import { Time } from "../../house/time.tsx";
import { nameAgent, useRoomView } from "../room-view.tsx";
import styles from "./session-line.module.css";
import * as texts from "../text.ts";

export const SessionLine = ({ message: { author, at } }: { readonly message: RoomMessage }) => {
  const { agents, me } = useRoomView();
  return (
    <p className={styles.line}>
      <span>
        {texts.newSession} <bdi>{author === me ? texts.youInLine : nameAgent(agents, author)}</bdi>, <Time at={at} />
      </span>
    </p>
  );
};
