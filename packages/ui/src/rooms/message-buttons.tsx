/** What may be done with a message: seen when the pointer or the focus is there, and behind "More" where one touches. */
import { useState } from "react";
import { classes } from "../design/classes.ts";
import { IconButton } from "../design/button.tsx";
import { CopyButton } from "../house/copy-button.tsx";
import styles from "./message-buttons.module.css";

export interface MessageButtonsProps {
  /** What is copied. */
  readonly text: string;
  readonly onEdit: (() => void) | undefined;
  readonly onDelete: (() => void) | undefined;
  readonly className?: string | undefined;
}

export const MessageButtons = ({ text, onEdit, onDelete, className }: MessageButtonsProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={classes(styles.place, isOpen && styles.open, className)}>
      <div className={styles.bar} role="group" aria-label="Message">
        <CopyButton text={text} label="Copy message" />
        {onEdit === undefined ? undefined : <IconButton icon="edit" label="Edit message" onClick={onEdit} />}
        {onDelete === undefined ? undefined : <IconButton icon="delete" label="Delete message" onClick={onDelete} />}
      </div>
      <IconButton
        icon="more"
        label="More"
        aria-expanded={isOpen}
        className={styles.more}
        onClick={() => setOpen(!isOpen)}
      />
    </div>
  );
};
