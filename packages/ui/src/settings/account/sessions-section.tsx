/**
 * Lists the devices on which the current user is logged in, with their names and last use. Logs
 * each device out.
 */
import { observe } from "@hearth/client";
import type { Session } from "@hearth/protocol";
import { useCallback, useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { Field, TextInput } from "../../design/field.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { Time } from "../../house/time.tsx";
import { useUi } from "../../house/ui.tsx";
import { useAnswer } from "../../house/answer.ts";
import { AnswerView } from "../../house/answer-view.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import { Form } from "../form/form.tsx";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import { AddDevice } from "./add-device.tsx";
import { nameBrowser } from "./name-browser.ts";
import * as texts from "./text.ts";

export const SessionsSection = () => {
  const { client } = useUi();
  const answer = useAnswer(useCallback(() => client.sessions.list(), [client]));
  return (
    <Section title={texts.devices} text={texts.devicesDetail}>
      <AnswerView answer={answer}>
        {(sessions) => (
          <>
            <SessionList sessions={sessions} onChange={answer.again} />
            <AddDevice sessions={sessions} onLook={answer.again} />
          </>
        )}
      </AnswerView>
    </Section>
  );
};

export interface SessionListProps {
  readonly sessions: readonly Session[];
  readonly onChange: () => void;
}

export const SessionList = ({ sessions, onChange }: SessionListProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [renamed, setRenamed] = useState<string>();
  const end = async (how: () => Promise<unknown>, said: string): Promise<void> => {
    if (await submission.run(async () => void (await how()))) announce(said);
    onChange();
  };
  const others = sessions.filter(({ isThis }) => !isThis);
  return (
    <>
      <ul className={styles.list}>
        {sessions.map((session) => (
          <li key={session.id} className={styles.entry}>
            <div className={styles.row}>
              <span className={styles.about}>
                <span className={styles.name}>{titleOf(session)}</span>
                <Facts session={session} />
              </span>
              <Button
                size="small"
                kind="quiet"
                aria-label={texts.renameBrowser(titleOf(session))}
                onClick={() => setRenamed(session.id)}
              >
                {texts.rename}
              </Button>
              {session.isThis ? undefined : (
                <Button
                  size="small"
                  aria-label={texts.logOutBrowser(titleOf(session))}
                  onClick={() => observe(end(() => client.sessions.end(session.id), texts.sessionEnded))}
                >
                  {texts.logOut}
                </Button>
              )}
            </div>
            {renamed === session.id ? (
              <RenameForm
                session={session}
                onDone={() => {
                  setRenamed(undefined);
                  onChange();
                }}
              />
            ) : undefined}
          </li>
        ))}
      </ul>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      {others.length === 0 ? (
        <p className={styles.quiet}>{texts.noOtherSessions}</p>
      ) : (
        <div className={styles.buttons}>
          <Button
            isBusy={submission.isBusy}
            onClick={() => observe(end(() => client.sessions.endAll({ others: true }), texts.allOtherSessionsEnded))}
          >
            {texts.logOutAllOthers}
          </Button>
        </div>
      )}
    </>
  );
};

const Facts = ({ session }: { readonly session: Session }) => {
  const { name, about, address, createdAt, usedAt, isThis } = session;
  return (
    <span className={styles.quiet}>
      {name === undefined ? "" : `${toVisible(nameBrowser(about))} · `}
      {address === undefined ? "" : `${toVisible(address)} · `}
      {isThis ? (
        texts.thisDevice
      ) : (
        <>
          {texts.lastUse}
          <Time at={usedAt} style="relative" />
        </>
      )}
      {" · "}
      {texts.since}
      <Time at={createdAt} style="relative" />
    </span>
  );
};

interface RenameFormProps {
  readonly session: Session;
  readonly onDone: () => void;
}

const RenameForm = ({ session, onDone }: RenameFormProps) => {
  const { client } = useUi();
  const submission = useSubmission();
  const [name, setName] = useState(session.name ?? "");
  const save = async (): Promise<void> => {
    if (await submission.run(() => client.sessions.edit(session.id, { name: name.trim() }))) onDone();
  };
  return (
    <Form onSubmit={save}>
      <Field label={texts.deviceName} hint={texts.deviceNameHint}>
        {(ids) => (
          <TextInput
            {...ids}
            value={name}
            maxLength={100}
            autoComplete="off"
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        <Button type="submit" isBusy={submission.isBusy}>
          {texts.save}
        </Button>
        <Button kind="quiet" onClick={onDone}>
          {texts.cancel}
        </Button>
      </div>
    </Form>
  );
};

const titleOf = ({ name, about }: Session): string => toVisible(name ?? nameBrowser(about));
