/** Shows, opens and closes the tunnel of the house. */
import { observe } from "@hearth/client";
import type { TunnelInfo } from "@hearth/protocol";
import { useCallback, useEffect, useRef, useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ConfirmDialog } from "../../design/dialog.tsx";
import { plainWords } from "../../design/error-words.ts";
import { Field, Select } from "../../design/field.tsx";
import { ErrorNotice, Notice } from "../../design/notice.tsx";
import { type RequestState, useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { useInterval } from "../../house/interval.ts";
import { useIsShown } from "../../house/settled.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { locale } from "../../language/locale.ts";
import { toVisible } from "../../text/visible.tsx";
import { Form } from "../form/form.tsx";
import { REMOTE_ACCESS } from "../place.ts";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

/** Programs that the page offers. SSH is left out, because it needs the options of `hearth tunnel open ssh`. */
const programs = {
  cloudflared: texts.cloudflared,
  tailscale: texts.tailscale,
  "tailscale-funnel": texts.funnel,
  ngrok: texts.ngrok,
} as const;
type Program = keyof typeof programs;
const kinds = Object.keys(programs) as Program[];
const isProgram = (text: string): text is Program => Object.hasOwn(programs, text);

const POLL_INTERVAL_MS = 2000;

export const RemoteSection = () => {
  const { client } = useUi();
  const request = useRequest(useCallback(async () => (await client.tunnel()).get(), [client]));
  const { reload } = request;
  useInterval(POLL_INTERVAL_MS, reload);
  const section = useRef<HTMLDivElement>(null);
  const isShown = useIsShown();
  useEffect(() => {
    if (!isShown) return;
    // The section is loaded after the page, so the browser has not found the section of the address.
    const element = section.current;
    if (element?.ownerDocument.location.hash === `#${REMOTE_ACCESS}`) element.focus();
  }, [isShown]);
  return (
    <div ref={section} id={REMOTE_ACCESS} tabIndex={-1}>
      <RemoteAccess request={request} />
    </div>
  );
};

const RemoteAccess = ({ request }: { readonly request: RequestState<TunnelInfo> }) => {
  const { reload } = request;
  return (
    <Section title={texts.remoteAccess} text={texts.remoteIntroduction}>
      <RequestView request={request}>
        {(tunnel) => (
          <>
            <TunnelState tunnel={tunnel} />
            {tunnel.state === "off" ? <OpenTunnel onOpened={reload} /> : <CloseTunnel onClosed={reload} />}
          </>
        )}
      </RequestView>
    </Section>
  );
};

export const TunnelState = ({
  tunnel: { state, kind, url, route, error, nextTryAt },
}: {
  readonly tunnel: TunnelInfo;
}) => {
  switch (state) {
    case "off":
      return <p className={styles.quiet}>{texts.tunnelOff}</p>;
    case "starting":
      return <p role="status">{texts.tunnelStarting(kind ?? "")}</p>;
    case "open":
      return (
        <>
          <p role="status">
            {texts.tunnelOpen(kind ?? "")}: <a href={url}>{toVisible(url ?? "")}</a>
          </p>
          {route === undefined ? undefined : route.isReached ? (
            <p className={styles.quiet}>{texts.routeWorks(timeOf(route.checkedAt))}</p>
          ) : (
            <Notice kind="danger" title={texts.routeFails}>
              {[toVisible(route.problem ?? ""), texts.routeAdvice].join(". ")}
            </Notice>
          )}
        </>
      );
    case "waiting":
      return (
        <Notice kind="danger">
          {[plainWords(error?.message), plainWords(error?.hint), texts.tunnelWaiting(timeOf(nextTryAt))]
            .filter((text) => text !== undefined)
            .join(" ")}
        </Notice>
      );
  }
};

const timeOf = (at = 0): string => new Date(at).toLocaleTimeString(locale);

const OpenTunnel = ({ onOpened }: { readonly onOpened: () => void }) => {
  const { client } = useUi();
  const submission = useSubmission();
  const [kind, setKind] = useState<Program>("cloudflared");
  const open = async (): Promise<void> => {
    if (await submission.run(async () => (await client.tunnel()).set({ kind }))) onOpened();
  };
  return (
    <Form onSubmit={open}>
      <Field label={texts.program}>
        {(ids) => (
          <Select {...ids} value={kind} onChange={({ target }) => isProgram(target.value) && setKind(target.value)}>
            {kinds.map((option) => (
              <option key={option} value={option}>
                {programs[option]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        <Button type="submit" isBusy={submission.isBusy}>
          {texts.openTunnel}
        </Button>
      </div>
    </Form>
  );
};

const CloseTunnel = ({ onClosed }: { readonly onClosed: () => void }) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [isConfirming, setConfirming] = useState(false);
  const close = async (): Promise<void> => {
    setConfirming(false);
    if (!(await submission.run(async () => (await client.tunnel()).remove()))) return;
    announce(texts.tunnelClosed);
    onClosed();
  };
  return (
    <>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        <Button isBusy={submission.isBusy} onClick={() => setConfirming(true)}>
          {texts.closeTunnel}
        </Button>
      </div>
      <ConfirmDialog
        title={texts.closeTitle}
        text={texts.closeEffect}
        confirm={texts.closeTunnel}
        isDanger
        isOpen={isConfirming}
        onConfirm={() => observe(close())}
        onClose={() => setConfirming(false)}
      />
    </>
  );
};
