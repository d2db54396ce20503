/** Actions on a message, visible on hover and focus; on touch screens behind "More". */
import { useState } from "react";
import { classes } from "../../design/classes.ts";
import { IconButton, IconLink } from "../../design/button.tsx";
import { CopyButton } from "../../house/copy-button.tsx";
import styles from "./message-buttons.module.css";
import * as texts from "../text.ts";

export interface MessageButtonsProps {
  /** The text to copy. */
  readonly text: string;
  /** Answers this message with the composer. */
  readonly onReply: (() => void) | undefined;
  /** Reads the message aloud. */
  readonly onListen: (() => void) | undefined;
  /** Puts the text of one of the user's messages into the composer. */
  readonly onReuse: (() => void) | undefined;
  /** Asks for another reply to the same message. */
  readonly onAskAgain: (() => void) | undefined;
  /** Path of the run that wrote the message. */
  readonly run: string | undefined;
  readonly onEdit: (() => void) | undefined;
  readonly onDelete: (() => void) | undefined;
  readonly className?: string | undefined;
}

export const MessageButtons = ({
  text,
  onReply,
  onListen,
  onReuse,
  onAskAgain,
  run,
  onEdit,
  onDelete,
  className,
}: MessageButtonsProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={classes(styles.place, isOpen && styles.open, className)}>
      <div className={styles.bar} role="group" aria-label={texts.message}>
        <CopyButton text={text} label={texts.copyMessage} />
        {onReply === undefined ? undefined : <IconButton icon="reply" label={texts.reply} onClick={onReply} />}
        {onListen === undefined ? undefined : <IconButton icon="sound" label={texts.listen} onClick={onListen} />}
        {onAskAgain === undefined ? undefined : <IconButton icon="retry" label={texts.askAgain} onClick={onAskAgain} />}
        {onReuse === undefined ? undefined : <IconButton icon="send" label={texts.editAndResend} onClick={onReuse} />}
        {run === undefined ? undefined : <IconLink icon="clock" label={texts.showRun} to={run} />}
        {onEdit === undefined ? undefined : <IconButton icon="edit" label={texts.editMessage} onClick={onEdit} />}
        {onDelete === undefined ? undefined : (
          <IconButton icon="delete" label={texts.deleteMessage} onClick={onDelete} />
        )}
      </div>
      <IconButton
        icon="more"
        label={texts.more}
        aria-expanded={isOpen}
        className={styles.more}
        onClick={() => setOpen(!isOpen)}
      />
    </div>
  );
};
