/** A message that the house has not confirmed, with its state or the reason for its rejection. */
import type { PendingMessage } from "@hearth/client";
import { Button } from "../../design/button.tsx";
import { classes } from "../../design/classes.ts";
import { Icon } from "../../design/icon.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useOnline } from "../../house/online.ts";
import { formatTime } from "../../house/time.tsx";
import { useHouse } from "../../house/ui.tsx";
import { Markdown } from "../../text/markdown.tsx";
import { WaitingFiles } from "../files/waiting-files.tsx";
import styles from "./message.module.css";
import pendingStyles from "./pending.module.css";
import { Quote } from "./quote.tsx";
import { useRoomView } from "../room-view.tsx";
import * as texts from "../text.ts";

export const Pending = ({ message }: { readonly message: PendingMessage }) => {
  const { reader, compose, focusComposer } = useRoomView();
  const isOpen = useHouse().connection.kind === "open";
  const isOnline = useOnline();
  const { key, text, at, state } = message;
  const isRefused = state === "refused";
  const applyAction = (action: (key: string) => void): void => {
    focusComposer();
    action(key);
  };
  return (
    <article
      aria-label={texts.ownMessage(formatTime(at), isRefused ? texts.notSent : texts.sendingState)}
      className={classes(styles.message, styles.own)}
    >
      {message.replyTo === undefined ? undefined : <Quote replyTo={message.replyTo} />}
      <div className={styles.body}>
        <div className={classes(styles.text, !isRefused && pendingStyles.faint)}>
          {text === "" ? undefined : <Markdown text={text} />}
          <WaitingFiles files={message.files} />
        </div>
      </div>
      {isRefused ? (
        <div className={pendingStyles.refused}>
          <ErrorNotice error={message.error} shape="line" />
          <div className={pendingStyles.buttons}>
            <Button size="small" kind="quiet" onClick={() => applyAction(reader.discard)}>
              {texts.discard}
            </Button>
            {message.files.length > 0 ? undefined : (
              <Button
                size="small"
                icon="edit"
                onClick={() => {
                  // Fills the composer before it discards the message, which deletes the only other copy.
                  compose(text);
                  reader.discard(key);
                }}
              >
                {texts.edit}
              </Button>
            )}
            <Button size="small" icon="retry" onClick={() => applyAction(reader.retry)}>
              {texts.retry}
            </Button>
          </div>
        </div>
      ) : (
        <p className={pendingStyles.state}>
          <Icon name="clock" />
          {state === "sending" ? texts.sending : isOpen && isOnline ? texts.queued : texts.waitingForTheConnection}
        </p>
      )}
    </article>
  );
};
