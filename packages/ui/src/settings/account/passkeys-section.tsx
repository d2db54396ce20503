/**
 * Lists the passkeys of a person with their names, addresses and last use. Adds, renames and
 * removes passkeys.
 */
import { observe } from "@hearth/client";
import type { AgentRecord, PasskeyInfo } from "@hearth/protocol";
import { useCallback, useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ConfirmDialog } from "../../design/dialog.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useAnswer } from "../../house/answer.ts";
import { AnswerView } from "../../house/answer-view.tsx";
import { Time } from "../../house/time.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import { AddPasskey } from "./add-passkey.tsx";
import { RenamePasskey } from "./rename-passkey.tsx";
import * as texts from "./text.ts";

export interface PasskeysSectionProps {
  readonly person: AgentRecord;
  readonly isOwn: boolean;
}

export const PasskeysSection = ({ person, isOwn }: PasskeysSectionProps) => {
  const { client } = useUi();
  const { id } = person;
  const answer = useAnswer(useCallback(async () => (await client.passkeys()).list(id), [client, id]));
  const name = toVisible(person.content.name);
  return (
    <Section title={texts.passkeys} text={isOwn ? texts.passkeysDetail : texts.passkeysOf(name)}>
      <AnswerView answer={answer}>
        {({ passkeys, needsCurrent }) => (
          <>
            {passkeys.length === 0 ? (
              <p className={styles.quiet}>{texts.noPasskeys}</p>
            ) : (
              <PasskeyList passkeys={passkeys} person={person} isOwn={isOwn} onChange={answer.again} />
            )}
            {isOwn ? <AddPasskey needsCurrent={needsCurrent} onAdded={answer.again} /> : undefined}
          </>
        )}
      </AnswerView>
    </Section>
  );
};

interface PasskeyListProps extends PasskeysSectionProps {
  readonly passkeys: readonly PasskeyInfo[];
  readonly onChange: () => void;
}

const PasskeyList = ({ passkeys, person, isOwn, onChange }: PasskeyListProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [renamed, setRenamed] = useState<string>();
  const [removed, setRemoved] = useState<PasskeyInfo>();
  const remove = async ({ id, name }: PasskeyInfo): Promise<void> => {
    setRemoved(undefined);
    const isDone = await submission.run(async () => (await client.passkeys()).remove(person.id, id));
    if (isDone) announce(texts.passkeyRemoved(toVisible(name)));
    onChange();
  };
  return (
    <>
      <ul className={styles.list}>
        {passkeys.map((passkey) => (
          <li key={passkey.id} className={styles.entry}>
            <div className={styles.row}>
              <span className={styles.about}>
                <span className={styles.name}>{toVisible(passkey.name)}</span>
                <Facts passkey={passkey} />
              </span>
              {isOwn ? (
                <Button
                  size="small"
                  kind="quiet"
                  aria-label={texts.renamePasskey(toVisible(passkey.name))}
                  onClick={() => setRenamed(passkey.id)}
                >
                  {texts.rename}
                </Button>
              ) : undefined}
              <Button
                size="small"
                aria-label={texts.removePasskey(toVisible(passkey.name))}
                onClick={() => setRemoved(passkey)}
              >
                {texts.remove}
              </Button>
            </div>
            {renamed === passkey.id ? (
              <RenamePasskey
                passkey={passkey}
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
      {removed === undefined ? undefined : (
        <ConfirmDialog
          title={texts.removePasskey(toVisible(removed.name))}
          text={texts.removePasskeyEffect}
          confirm={texts.remove}
          isDanger
          isOpen
          onConfirm={() => observe(remove(removed))}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </>
  );
};

const Facts = ({ passkey: { host, createdAt, usedAt } }: { readonly passkey: PasskeyInfo }) => (
  <span className={styles.quiet}>
    {texts.worksAt(toVisible(host))}
    {" · "}
    {texts.added}
    <Time at={createdAt} style="relative" />
    {" · "}
    {usedAt === undefined ? (
      texts.neverUsed
    ) : (
      <>
        {texts.lastUse}
        <Time at={usedAt} style="relative" />
      </>
    )}
  </span>
);
