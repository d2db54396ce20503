/** Where a person began a new session: agents read nothing of what stands above it. */
import type { RoomMessage } from "@hearth/client";
import { Time } from "../house/time.tsx";
import { nameAgent, useRoomView } from "./room-view.tsx";
import styles from "./session-line.module.css";

export const SessionLine = ({ message: { author, at } }: { readonly message: RoomMessage }) => {
  const { agents, me } = useRoomView();
  return (
    <p className={styles.line}>
      <span>
        New session · <bdi>{author === me ? "you" : nameAgent(agents, author)}</bdi>, <Time at={at} />
      </span>
    </p>
  );
};
