/** Asks before changes are taken back, and says which files that changes and how. */
import type { AgentRecord, BrainChange, BrainDiff, BrainUndone, UndoBrain } from "@hearth/protocol";
import { useCallback, useMemo } from "react";
import { Button } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { useAnswer } from "../house/answer.ts";
import { AnswerView } from "../house/answer-view.tsx";
import { useUi } from "../house/ui.tsx";
import { useWork } from "../models/use-work.ts";
import { visible } from "../text/visible.tsx";
import styles from "./brain.module.css";
import { effectWords, undoTitles } from "./change-words.ts";
import { DiffView } from "./diff-view.tsx";
import { type Effect, effectsOf, since } from "./undo-effects.ts";

/** The most that the house lists at once. */
const MOST = 1000;

export interface UndoDialogProps {
  readonly agent: AgentRecord;
  /** Absent: nothing is asked. The dialog stays, so that the browser gives the focus back to what opened it. */
  readonly what: UndoBrain | undefined;
  readonly onClose: () => void;
  /** With what is to be said about it. */
  readonly onDone: (said: string) => void;
}

/** What will change. `isMore`: what the house listed is not all of it. */
export interface Outlook {
  readonly effects: readonly Effect[];
  readonly isMore: boolean;
  /** Line by line, where it is one change. */
  readonly diffs: readonly BrainDiff[];
}

export const UndoDialog = ({ agent, what, onClose, onDone }: UndoDialogProps) => {
  const { client } = useUi();
  const work = useWork();
  const { id } = agent;
  const ask = useCallback(
    async (wanted: UndoBrain): Promise<Outlook> => {
      const calls = await client.brains();
      const query = "activation" in wanted ? { activation: wanted.activation } : {};
      const listed = await calls.log(id, { limit: MOST, ...query });
      const isMore = !("change" in wanted) && listed.length === MOST;
      const diffs = "change" in wanted ? await calls.diff(id, wanted.change) : [];
      return { effects: effectsOf(affected(listed, wanted)), isMore, diffs };
    },
    [client, id],
  );
  const question = useMemo(() => (what === undefined ? undefined : () => ask(what)), [ask, what]);
  const answer = useAnswer(question);
  const { title, confirm } = undoTitles(what);
  const { value } = answer;
  const isNothing = value !== undefined && value.effects.length === 0 && value.diffs.length === 0;
  const close = (): void => {
    work.clear();
    onClose();
  };
  const undo = (): void => {
    if (what === undefined) return;
    void work.run(async () => onDone(tellUndone(await (await client.brains()).undo(id, what))));
  };
  return (
    <Dialog
      title={title}
      isOpen={what !== undefined}
      onClose={close}
      buttons={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button
            kind="danger"
            isBusy={work.isBusy}
            disabled={(value === undefined || isNothing) && !work.isBusy}
            onClick={undo}
          >
            {confirm}
          </Button>
        </>
      }
    >
      {work.error === undefined ? undefined : <ErrorNotice error={work.error} />}
      <AnswerView answer={answer}>{(outlook) => <OutlookView outlook={outlook} />}</AnswerView>
    </Dialog>
  );
};

/** Longer lists of files are no answer to a question. */
const MAX_FILES = 50;

export const OutlookView = ({ outlook: { effects, isMore, diffs } }: { readonly outlook: Outlook }) => {
  if (effects.length === 0 && diffs.length === 0) return <p>Nothing would change: it is so already.</p>;
  const more = effects.length - MAX_FILES;
  return (
    <>
      {effects.length === 0 ? undefined : (
        <>
          <p>{effects.length === 1 ? "One file changes:" : `${effects.length.toLocaleString()} files change:`}</p>
          <ul className={styles.effects}>
            {effects.slice(0, MAX_FILES).map(({ path, becomes }) => (
              <li key={path}>
                <bdi>{visible(path)}</bdi> {effectWords[becomes]}
              </li>
            ))}
            {more > 0 ? <li>and {more.toLocaleString()} more</li> : undefined}
          </ul>
        </>
      )}
      {isMore ? <p>There are more changes than can be listed here, and all of them are taken back.</p> : undefined}
      <div className={styles.outlook}>
        <DiffView diffs={diffs} isBack />
      </div>
      <p className={styles.quiet}>All of it is done, or nothing. It is a change as well, and can be taken back.</p>
    </>
  );
};

const affected = (listed: readonly BrainChange[], what: UndoBrain): readonly BrainChange[] => {
  if ("change" in what) return listed.filter(({ id }) => id === what.change);
  return "activation" in what ? listed : since(listed, what.since);
};

export const tellUndone = ({ change, erased }: BrainUndone): string => {
  if (change === undefined) return "Nothing was changed: it was so already.";
  const files =
    change.versions.length === 1 ? "One file was changed back." : `${change.versions.length} files were changed back.`;
  return erased.length === 0
    ? files
    : `${files} Something had been erased from ${erased.map(visible).join(", ")}: the rest is back.`;
};
