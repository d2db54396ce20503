/** Actions on a message, visible on hover and focus; on touch screens behind "More". */
import { useState } from "react";
import { classes } from "../../design/classes.ts";
import { IconButton, IconLink } from "../../design/button.tsx";
import { Menu } from "../../design/menu.tsx";
import { CopyButton } from "../../house/copy-button.tsx";
import { createLazyPart } from "../../house/lazy-part.tsx";
import styles from "./message-buttons.module.css";
import type { ReactionPickerProps } from "./reactions/reaction-picker.tsx";
import * as texts from "../text.ts";

const ReactionPicker = createLazyPart<ReactionPickerProps>({
  load: async () => (await import("./reactions/reaction-picker.tsx")).ReactionPicker,
});

export interface MessageButtonsProps {
  /** The text to copy. */
  readonly text: string;
  /** The message, if the user may add an emoji to it. */
  readonly reactTo: ReactionPickerProps["message"] | undefined;
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
  /** Begins a chat that continues after this message. */
  readonly onBranch: (() => void) | undefined;
  readonly onEdit: (() => void) | undefined;
  readonly onDelete: (() => void) | undefined;
  readonly className?: string | undefined;
}

export const MessageButtons = ({
  text,
  reactTo,
  onReply,
  onListen,
  onReuse,
  onAskAgain,
  run,
  onBranch,
  onEdit,
  onDelete,
  className,
}: MessageButtonsProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={classes(styles.place, isOpen && styles.open, className)}>
      <div className={styles.bar} role="group" aria-label={texts.message}>
        <CopyButton text={text} label={texts.copyMessage} />
        {reactTo === undefined ? undefined : (
          <Menu label={texts.react} icon="smile">
            <ReactionPicker message={reactTo} />
          </Menu>
        )}
        {onReply === undefined ? undefined : <IconButton icon="reply" label={texts.reply} onClick={onReply} />}
        {onListen === undefined ? undefined : <IconButton icon="sound" label={texts.listen} onClick={onListen} />}
        {onAskAgain === undefined ? undefined : <IconButton icon="retry" label={texts.askAgain} onClick={onAskAgain} />}
        {onReuse === undefined ? undefined : <IconButton icon="send" label={texts.editAndResend} onClick={onReuse} />}
        {onBranch === undefined ? undefined : <IconButton icon="branch" label={texts.branch} onClick={onBranch} />}
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
