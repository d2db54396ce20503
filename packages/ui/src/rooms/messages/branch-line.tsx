/** Ends the copied messages of a branched chat, with a link to the chat from which they are. */
import type { RoomMessage } from "@hearth/client";
import { Link } from "wouter";
import { Icon } from "../../design/icon.tsx";
import { messagePath } from "../../house/paths.ts";
import { roomTitle } from "../../house/room-title.ts";
import { useHouse } from "../../house/ui.tsx";
import { useRoomView } from "../room-view.tsx";
import * as texts from "../text.ts";
import styles from "./branch-line.module.css";

export const BranchLine = ({ message: { copied } }: { readonly message: RoomMessage }) => {
  const { room } = useRoomView();
  const { rooms } = useHouse();
  if (copied === undefined || copied.message !== room.content.branch?.message) return undefined;
  const origin = rooms.find((entry) => entry.room.id === copied.room)?.room;
  return (
    <p className={styles.line}>
      <Icon name="branch" />
      {origin === undefined ? (
        <span>{texts.branchOfRemovedChat}</span>
      ) : (
        <span>
          {texts.branchOf} <Link href={messagePath(origin.handle, copied.offset)}>{roomTitle(origin)}</Link>
        </span>
      )}
    </p>
  );
};
