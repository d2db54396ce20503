/** Login sessions of the current user, each with a button that ends it. */
import type { Session } from "@hearth/protocol";
import { useCallback } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { Time } from "../../house/time.tsx";
import { useUi } from "../../house/ui.tsx";
import { useAnswer } from "../../house/answer.ts";
import { AnswerView } from "../../house/answer-view.tsx";
import { useWork } from "../../models/use-work.ts";
import { visible } from "../../text/visible.tsx";
import { nameBrowser } from "./name-browser.ts";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export const SessionsSection = () => {
  const { client } = useUi();
  const answer = useAnswer(useCallback(() => client.sessions.list(), [client]));
  return (
    <Section title={texts.sessions}>
      <AnswerView answer={answer}>
        {(sessions) => <SessionList sessions={sessions} onEnded={answer.again} />}
      </AnswerView>
    </Section>
  );
};

export interface SessionListProps {
  readonly sessions: readonly Session[];
  readonly onEnded: () => void;
}

export const SessionList = ({ sessions, onEnded }: SessionListProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const work = useWork();
  const end = async (how: () => Promise<unknown>, said: string): Promise<void> => {
    if (await work.run(async () => void (await how()))) announce(said);
    onEnded();
  };
  const others = sessions.filter(({ isThis }) => !isThis);
  return (
    <>
      <ul className={styles.list}>
        {sessions.map(({ id, about, createdAt, isThis }) => (
          <li key={id} className={styles.row}>
            <span className={styles.about}>
              <span className={styles.name}>{visible(nameBrowser(about))}</span>
              <span className={styles.quiet}>
                {isThis ? texts.prefixOfThisBrowser : ""}
                <Time at={createdAt} style="relative" />
              </span>
            </span>
            {isThis ? undefined : (
              <Button
                size="small"
                aria-label={texts.logOutBrowser(visible(nameBrowser(about)))}
                onClick={() => void end(() => client.sessions.end(id), texts.sessionEnded)}
              >
                {texts.logOut}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {work.error === undefined ? undefined : <ErrorNotice error={work.error} />}
      {others.length === 0 ? (
        <p className={styles.quiet}>{texts.noOtherSessions}</p>
      ) : (
        <div className={styles.buttons}>
          <Button
            isBusy={work.isBusy}
            onClick={() => void end(() => client.sessions.endAll({ others: true }), texts.allOtherSessionsEnded)}
          >
            {texts.logOutAllOthers}
          </Button>
        </div>
      )}
    </>
  );
};
