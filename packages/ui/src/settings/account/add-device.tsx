/** Logs another device of the user in: shows a QR code until the device is logged in. */
import { observe } from "@hearth/client";
import type { LoginLink, Session } from "@hearth/protocol";
import { useCallback, useEffect, useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ErrorNotice, Notice } from "../../design/notice.tsx";
import { Spinner } from "../../design/spinner.tsx";
import { useInterval } from "../../house/interval.ts";
import { createLazyPart } from "../../house/lazy-part.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import { LocalAddressHint } from "../invites/local-address-hint.tsx";
import styles from "../settings.module.css";
import { nameBrowser } from "./name-browser.ts";
import * as texts from "./text.ts";

const QrCode = createLazyPart({ load: async () => (await import("../../design/qr-code.tsx")).QrCode });

export interface AddDeviceProps {
  readonly sessions: readonly Session[];
  readonly onPoll: () => void;
}

export const AddDevice = ({ sessions, onPoll }: AddDeviceProps) => {
  const { client, clock } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [link, setLink] = useState<LoginLink>();
  const [earlierIds, setEarlierIds] = useState<ReadonlySet<string>>(new Set());
  const [successText, setSuccessText] = useState<string>();
  const pair = async (): Promise<void> => {
    setSuccessText(undefined);
    await submission.run(async () => {
      setEarlierIds(new Set(sessions.map(({ id }) => id)));
      setLink(await client.sessions.pair());
    });
  };
  const newSession = link === undefined ? undefined : sessions.find(({ id }) => !earlierIds.has(id));
  useEffect(() => {
    if (newSession === undefined) return;
    const message = texts.deviceLoggedIn(toVisible(nameBrowser(newSession.about)));
    setLink(undefined);
    setSuccessText(message);
    announce(message);
  }, [newSession, announce]);
  const isExpired = link !== undefined && link.expiresAt <= clock.now();
  return (
    <>
      {successText === undefined ? undefined : <Notice kind="success" title={successText} />}
      {link === undefined || isExpired ? undefined : <Pairing link={link} onPoll={onPoll} />}
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        {link === undefined || isExpired ? (
          <Button isBusy={submission.isBusy} onClick={() => observe(pair())}>
            {texts.addDevice}
          </Button>
        ) : (
          <Button kind="quiet" onClick={() => setLink(undefined)}>
            {texts.cancel}
          </Button>
        )}
      </div>
    </>
  );
};

const POLL_INTERVAL_MS = 2_000;

const Pairing = ({ link, onPoll }: { readonly link: LoginLink; readonly onPoll: () => void }) => {
  useInterval(
    POLL_INTERVAL_MS,
    useCallback(() => onPoll(), [onPoll]),
  );
  const address = link.publicUrl ?? link.url;
  return (
    <Notice kind="info" title={texts.scanCode}>
      <QrCode text={address} label={texts.qrOfDeviceLink} />
      <code className={styles.key}>{address}</code>
      <p>{texts.scanCodeDetail}</p>
      {link.publicUrl === undefined ? <LocalAddressHint /> : undefined}
      <Spinner label={texts.waitingForDevice} />
    </Notice>
  );
};
