/** Shows logins of the current user on other devices, until they are dismissed in this browser. */
import { observe } from "@hearth/client";
import type { Me } from "@hearth/protocol";
import { useCallback, useEffect, useState } from "react";
import { Link } from "wouter";
import { Button } from "../design/button.tsx";
import { Notice } from "../design/notice.tsx";
import { useRequest } from "../house/request.ts";
import { useInterval } from "../house/interval.ts";
import { remember } from "../house/remember.ts";
import { Time } from "../house/time.tsx";
import { useHouse, useUi } from "../house/ui.tsx";
import { nameBrowser } from "../settings/account/name-browser.ts";
import { paths } from "../settings/place.ts";
import { toVisible } from "../text/visible.tsx";
import { useSubmission } from "../house/use-submission.ts";
import { findNewLogins } from "./new-logins.ts";
import styles from "./login-alert.module.css";
import * as texts from "./text.ts";

const POLL_INTERVAL_MS = 60_000;
/** How many of the latest events of the user's log are searched. */
const MAX_EVENTS = 50;

/** Returns the logins that this browser has not shown yet, newest first. */
const useLogins = (me: Me) => {
  const { client, storage } = useUi();
  const { connection } = useHouse();
  const { id } = me.agent;
  const storageKey = `logins-shown:${id}`;
  const [shownOffset, setShownOffset] = useState(() => storage.get(storageKey));
  const request = useRequest(
    useCallback(async () => {
      const [log, sessions] = await Promise.all([
        client.agents.log(id, { before: "end", limit: MAX_EVENTS }),
        client.sessions.list(),
      ]);
      return { events: log.events, sessions };
    }, [client, id]),
  );
  const { reload, value } = request;
  useInterval(POLL_INTERVAL_MS, reload);
  const isOpen = connection.kind === "open";
  useEffect(() => {
    if (isOpen) reload();
  }, [isOpen, reload]);
  const ownSession = value?.sessions.find(({ isThis }) => isThis)?.id;
  const newLogins = findNewLogins(
    value?.events ?? [],
    shownOffset === undefined ? undefined : Number(shownOffset),
    ownSession,
  );
  const dismiss = (): void => {
    remember(storage, storageKey, String(newLogins.throughOffset));
    setShownOffset(String(newLogins.throughOffset));
  };
  // A new browser shows only logins after its own, so it stores the current offset.
  useEffect(() => {
    if (shownOffset !== undefined || value === undefined) return;
    const initialLogins = findNewLogins(value.events, undefined, ownSession);
    if (initialLogins.logins.length > 0) return;
    remember(storage, storageKey, String(initialLogins.throughOffset));
    setShownOffset(String(initialLogins.throughOffset));
  }, [shownOffset, value, ownSession, storage, storageKey]);
  return { newLogins, sessions: value?.sessions ?? [], dismiss };
};

export interface LoginAlertProps {
  readonly me: Me;
}

export const LoginAlert = ({ me }: LoginAlertProps) => {
  const { client } = useUi();
  const submission = useSubmission();
  const { newLogins, sessions, dismiss } = useLogins(me);
  const [login] = newLogins.logins;
  if (login === undefined) return undefined;
  const device = toVisible(nameBrowser(login.about));
  const isSessionOpen = sessions.some(({ id }) => id === login.session);
  const endSession = async (): Promise<void> => {
    if (!(await submission.run(() => client.sessions.end(login.session)))) return;
    dismiss();
  };
  return (
    <section className={styles.alert} aria-label={texts.newLogins}>
      <Notice
        kind="info"
        title={texts.newLogin(device)}
        button={
          <div className={styles.buttons}>
            {isSessionOpen ? (
              <Button
                size="small"
                isBusy={submission.isBusy}
                aria-label={texts.logOutDevice(device)}
                onClick={() => observe(endSession())}
              >
                {texts.logOut}
              </Button>
            ) : undefined}
            <Button size="small" kind="quiet" onClick={dismiss}>
              {texts.dismiss}
            </Button>
          </div>
        }
      >
        {login.address === undefined ? "" : texts.fromAddress(toVisible(login.address))}
        <Time at={login.at} style="relative" />
        {texts.notYouDetail} <Link href={paths.account}>{texts.devices}</Link>
      </Notice>
    </section>
  );
};
