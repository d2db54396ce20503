/** A banner about lost connections and updates of the UI. */
import type { SocketState } from "@hearth/client";
import { useEffect, useRef, useState } from "react";
import { useAnnounce } from "../design/announcer.tsx";
import { Button } from "../design/button.tsx";
import { useHasLasted } from "../house/lasting.ts";
import { useOnline } from "../house/online.ts";
import { useHouse, useUi } from "../house/ui.tsx";
import { connectionWords, isDown } from "./connection-words.ts";
import styles from "./connection.module.css";
import * as texts from "./text.ts";

const RECONNECT_GRACE_MS = 2000;

export const ConnectionBanner = () => {
  const { page, house, reconnect } = useUi();
  const { connection } = useHouse();
  const announce = useAnnounce();
  const isOnline = useOnline();
  const isLong = useHasLasted(isDown(connection), RECONNECT_GRACE_MS);
  const isOutdated = useOutdated(connection.kind);
  const words = connectionWords(connection, { isOnline, isLong, isOutdated });
  const text = words?.text;
  const previousText = useRef<string>(undefined);
  useEffect(() => {
    if (text !== undefined) announce(text, "unseen");
    else if (previousText.current !== undefined) announce(texts.connectedAgain);
    previousText.current = text;
  }, [text, announce]);
  if (words === undefined) return undefined;
  const tryNow = (): void => {
    if (connection.kind === "refused") house.refresh();
    reconnect();
  };
  return (
    <div className={styles.line}>
      <p>{words.text}</p>
      {words.offer === undefined ? undefined : (
        <Button size="small" onClick={words.offer === "try" ? tryNow : page.reload}>
          {words.offer === "try" ? texts.tryNow : texts.reload}
        </Button>
      )}
    </div>
  );
};

/** Checks for a newer UI after each reconnect, because the house may have been updated. */
const useOutdated = (connection: SocketState["kind"]): boolean => {
  const { page } = useUi();
  const [isOutdated, setOutdated] = useState(false);
  const wasLost = useRef(false);
  useEffect(() => {
    if (connection === "lost") wasLost.current = true;
    if (connection !== "open" || !wasLost.current) return;
    wasLost.current = false;
    // If the check fails, the next missing file will reveal the update.
    page.isOutdated().then(setOutdated, () => {});
  }, [connection, page]);
  return isOutdated;
};
