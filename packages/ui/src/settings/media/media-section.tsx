/** Sets and tests the providers of speech and pictures. */
import { observe } from "@hearth/client";
import type { MediaInfo, MediaPart, MediaTest } from "@hearth/protocol";
import { useCallback, useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ConfirmDialog } from "../../design/dialog.tsx";
import { plainWords } from "../../design/error-words.ts";
import { ErrorNotice } from "../../design/notice.tsx";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { useHouse, useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import { MediaForm } from "./media-form.tsx";
import { MediaResult } from "./media-result.tsx";
import * as texts from "./text.ts";

export const MediaSection = () => {
  const { client, house } = useUi();
  const home = useHouse().me?.home;
  const request = useRequest(
    useCallback(async () => {
      const [infos, secrets] = await Promise.all([
        client.providers.media(),
        home === undefined ? [] : client.secrets().then((calls) => calls.list(home)),
      ]);
      return { infos, secrets: secrets.map(({ name }) => name) };
    }, [client, home]),
  );
  const refresh = (): void => {
    request.reload();
    // Rooms offer transcripts and speech by the user's identity.
    house.refresh();
  };
  return (
    <Section title={texts.media} text={texts.mediaIntroduction}>
      <RequestView request={request}>
        {({ infos, secrets }) => (
          <ul className={styles.list}>
            {infos.map((info) => (
              <MediaRow key={info.part} info={info} secrets={secrets} onChange={refresh} />
            ))}
          </ul>
        )}
      </RequestView>
    </Section>
  );
};

export interface MediaRowProps {
  readonly info: MediaInfo;
  /** Names of the secrets in the vault. */
  readonly secrets: readonly string[];
  readonly onChange: () => void;
}

export const MediaRow = ({ info, secrets, onChange }: MediaRowProps) => {
  const { client } = useUi();
  const [isOpen, setOpen] = useState(false);
  const [test, setTest] = useState<MediaTest>();
  const testSubmission = useSubmission();
  const { part, state, settings } = info;
  const title = texts.parts[part];
  const run = async (): Promise<void> => {
    setTest(undefined);
    await testSubmission.run(async () => setTest(await client.providers.testMedia(part)));
  };
  return (
    <li className={styles.entry} aria-label={title}>
      <div className={styles.row}>
        <span className={styles.about}>
          <span className={styles.name}>{title}</span>
          <span className={state === "missing" ? styles.missing : styles.quiet}>{describeState(info)}</span>
        </span>
        <span className={styles.buttons}>
          {settings === undefined || isOpen ? undefined : (
            <Button
              size="small"
              aria-label={texts.testPart(title)}
              isBusy={testSubmission.isBusy}
              onClick={() => observe(run())}
            >
              {texts.test}
            </Button>
          )}
          <Button
            size="small"
            aria-label={settings === undefined ? texts.setUpPart(title) : texts.changePart(title)}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {settings === undefined ? texts.setUp : texts.change}
          </Button>
          {settings === undefined ? undefined : (
            <TurnOff
              part={part}
              onDone={() => {
                setTest(undefined);
                onChange();
              }}
            />
          )}
        </span>
      </div>
      {testSubmission.error === undefined ? undefined : <ErrorNotice error={testSubmission.error} place="here" />}
      {test === undefined ? undefined : <MediaResult test={test} title={title} />}
      {isOpen ? (
        <MediaForm
          info={info}
          secrets={secrets}
          onSaved={() => {
            setOpen(false);
            setTest(undefined);
            onChange();
          }}
        />
      ) : undefined}
    </li>
  );
};

/** The button that turns a part off, after a question. */
const TurnOff = ({ part, onDone }: { readonly part: MediaPart; readonly onDone: () => void }) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const [isConfirming, setConfirming] = useState(false);
  const submission = useSubmission();
  const title = texts.parts[part];
  const remove = async (): Promise<void> => {
    setConfirming(false);
    if (!(await submission.run(() => client.providers.removeMedia(part)))) return;
    announce(texts.turnedOff(title));
    onDone();
  };
  return (
    <>
      <Button
        size="small"
        kind="quiet"
        aria-label={texts.turnOffPart(title)}
        isBusy={submission.isBusy}
        onClick={() => setConfirming(true)}
      >
        {texts.turnOff}
      </Button>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} place="here" />}
      <ConfirmDialog
        title={texts.turnOffTitle(title)}
        text={texts.turnOffEffect}
        confirm={texts.turnOff}
        isDanger
        isOpen={isConfirming}
        onConfirm={() => observe(remove())}
        onClose={() => setConfirming(false)}
      />
    </>
  );
};

const describeState = ({ part, state, detail, fix }: MediaInfo): string => {
  if (state === "off") return texts.offDetails[part];
  return toVisible([plainWords(detail), plainWords(fix)].filter((text) => text !== undefined).join(" "));
};
