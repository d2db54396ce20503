/** The message that the composer answers, above it, with a button that removes the reference. */
import type { EventId } from "@hearth/protocol";
import { IconButton } from "../../design/button.tsx";
import { Icon } from "../../design/icon.tsx";
import { useQuotedWords } from "../messages/quote.tsx";
import styles from "./reply-bar.module.css";
import * as texts from "../text.ts";

export interface ReplyBarProps {
  readonly replyTo: EventId;
  readonly onRemove: () => void;
}

export const ReplyBar = ({ replyTo, onRemove }: ReplyBarProps) => {
  const words = useQuotedWords(replyTo);
  return (
    <div role="group" aria-label={texts.replyTo(words)} className={styles.bar}>
      <Icon name="reply" />
      <bdi>{words}</bdi>
      <IconButton icon="close" label={texts.removeReply} onClick={onRemove} />
    </div>
  );
};
