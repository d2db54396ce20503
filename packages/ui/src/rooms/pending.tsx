/** A message that the house has not confirmed: where it waits, or why it was refused. */
import type { PendingMessage } from "@hearth/client";
import { Button } from "../design/button.tsx";
import { classes } from "../design/classes.ts";
import { Icon } from "../design/icon.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { useOnline } from "../house/online.ts";
import { formatTime } from "../house/time.tsx";
import { useHouse } from "../house/ui.tsx";
import { Markdown } from "../text/markdown.tsx";
import styles from "./message.module.css";
import pendingStyles from "./pending.module.css";
import { useRoomView } from "./room-view.tsx";

export const Pending = ({ message }: { readonly message: PendingMessage }) => {
  const { reader, compose, focusComposer } = useRoomView();
  const isOpen = useHouse().connection.kind === "open";
  const isOnline = useOnline();
  const { key, text, at, state } = message;
  const isRefused = state === "refused";
  const leave = (how: (key: string) => void): void => {
    focusComposer();
    how(key);
  };
  return (
    <article
      aria-label={`You, ${formatTime(at)}, ${isRefused ? "not sent" : "on its way"}`}
      className={classes(styles.message, styles.own)}
    >
      <div className={styles.body}>
        <div className={classes(styles.text, !isRefused && pendingStyles.faint)}>
          <Markdown text={text} />
        </div>
      </div>
      {isRefused ? (
        <div className={pendingStyles.refused}>
          <ErrorNotice error={message.error} />
          <div className={pendingStyles.buttons}>
            <Button size="small" kind="quiet" onClick={() => leave(reader.discard)}>
              Discard
            </Button>
            <Button
              size="small"
              icon="edit"
              onClick={() => {
                // Into the composer first: it is nowhere else once it is discarded.
                compose(text);
                reader.discard(key);
              }}
            >
              Edit
            </Button>
            <Button size="small" icon="retry" onClick={() => leave(reader.retry)}>
              Retry
            </Button>
          </div>
        </div>
      ) : (
        <p className={pendingStyles.state}>
          <Icon name="clock" />
          {state === "sending" ? "Sending" : isOpen && isOnline ? "Waiting to be sent" : "Waiting for the connection"}
        </p>
      )}
    </article>
  );
};
