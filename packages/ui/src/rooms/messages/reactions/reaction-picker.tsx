/** The emoji of the menu "React". An emoji that the user has added is removed by another press. */
import type { RoomMessage } from "@hearth/client";
import { classes } from "../../../design/classes.ts";
import { useRoomView } from "../../room-view.tsx";
import styles from "./reaction-picker.module.css";
import * as texts from "./text.ts";
import { useReact } from "../use-react.ts";

export interface ReactionPickerProps {
  readonly message: Pick<RoomMessage, "id" | "reactions">;
}

export const ReactionPicker = ({ message }: ReactionPickerProps) => {
  const { me } = useRoomView();
  const react = useReact(message);
  const ownEmoji = new Set(message.reactions.filter(({ by }) => by.some((id) => id === me)).map(({ emoji }) => emoji));
  return (
    <div className={styles.emojis} role="presentation">
      {texts.emojiNames.map(([emoji, name]) => (
        <button
          key={emoji}
          type="button"
          role="menuitem"
          tabIndex={-1}
          title={name}
          aria-label={ownEmoji.has(emoji) ? texts.removeEmoji(name) : name}
          className={classes(styles.emoji, ownEmoji.has(emoji) && styles.own)}
          onClick={() => react(emoji, !ownEmoji.has(emoji))}
        >
          {emoji}
        </button>
      ))}
    </div>
  );
};
