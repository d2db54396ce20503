/** Confirms a revert and previews its effect on files. */
import { observe } from "@hearth/client";
import type { AgentRecord, BrainChange, BrainDiff, BrainUndone, UndoBrain } from "@hearth/protocol";
import { useCallback, useMemo } from "react";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { formatNumber } from "../../language/locale.ts";
import { toVisible } from "../../text/visible.tsx";
import styles from "../brain.module.css";
import { effectWords, undoTitles } from "./change-words.ts";
import { DiffView } from "./diff-view.tsx";
import * as texts from "../text.ts";
import { type Effect, effectsOf, findChangesSince } from "./undo-effects.ts";

/** Maximum number of changes that the API returns. */
const MAX_ITEMS = 1000;

export interface UndoDialogProps {
  readonly agent: AgentRecord;
  /** The revert to confirm. Undefined closes the dialog. */
  readonly target: UndoBrain | undefined;
  readonly onClose: () => void;
  /** Called with a text to announce. */
  readonly onDone: (message: string) => void;
}

/** The preview of a revert. `isIncomplete`: the list of changes may be incomplete. */
export interface UndoPreview {
  readonly effects: readonly Effect[];
  readonly isIncomplete: boolean;
  /** Line diffs, for a single change. */
  readonly diffs: readonly BrainDiff[];
}

export const UndoDialog = ({ agent, target, onClose, onDone }: UndoDialogProps) => {
  const { client } = useUi();
  const submission = useSubmission();
  const { id } = agent;
  const loadPreview = useCallback(
    async (target: UndoBrain): Promise<UndoPreview> => {
      const calls = await client.brains();
      const query = "activation" in target ? { activation: target.activation } : {};
      const changes = await calls.log(id, { limit: MAX_ITEMS, ...query });
      const isIncomplete = !("change" in target) && changes.length === MAX_ITEMS;
      const diffs = "change" in target ? await calls.diff(id, target.change) : [];
      return { effects: effectsOf(selectChanges(changes, target)), isIncomplete, diffs };
    },
    [client, id],
  );
  const load = useMemo(() => (target === undefined ? undefined : () => loadPreview(target)), [loadPreview, target]);
  const request = useRequest(load);
  const { title, confirm } = undoTitles(target);
  const { value } = request;
  const hasNoEffect = value !== undefined && value.effects.length === 0 && value.diffs.length === 0;
  const close = (): void => {
    submission.clear();
    onClose();
  };
  const undo = (): void => {
    if (target === undefined) return;
    observe(submission.run(async () => onDone(describeUndone(await (await client.brains()).undo(id, target)))));
  };
  return (
    <Dialog
      title={title}
      isOpen={target !== undefined}
      onClose={close}
      buttons={
        <>
          <Button onClick={close}>{texts.cancel}</Button>
          <Button
            kind="danger"
            isBusy={submission.isBusy}
            disabled={(value === undefined || hasNoEffect) && !submission.isBusy}
            onClick={undo}
          >
            {confirm}
          </Button>
        </>
      }
    >
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <RequestView request={request}>{(preview) => <UndoPreviewView preview={preview} />}</RequestView>
    </Dialog>
  );
};

/** Maximum number of files that the dialog lists. */
const MAX_FILES = 50;

export const UndoPreviewView = ({ preview: { effects, isIncomplete, diffs } }: { readonly preview: UndoPreview }) => {
  if (effects.length === 0 && diffs.length === 0) return <p>{texts.noChanges}</p>;
  const hiddenCount = effects.length - MAX_FILES;
  return (
    <>
      {effects.length === 0 ? undefined : (
        <>
          <p>{effects.length === 1 ? texts.oneFileChanges : texts.filesChange(formatNumber(effects.length))}</p>
          <ul className={styles.effects}>
            {effects.slice(0, MAX_FILES).map(({ path, outcome }) => (
              <li key={path}>
                <bdi>{toVisible(path)}</bdi> {effectWords[outcome]}
              </li>
            ))}
            {hiddenCount > 0 ? <li>{texts.andMore(formatNumber(hiddenCount))}</li> : undefined}
          </ul>
        </>
      )}
      {isIncomplete ? <p>{texts.moreChanges}</p> : undefined}
      <div className={styles.outlook}>
        <DiffView diffs={diffs} isReversed />
      </div>
      <p className={styles.quiet}>{texts.revertDetail}</p>
    </>
  );
};

const selectChanges = (changes: readonly BrainChange[], target: UndoBrain): readonly BrainChange[] => {
  if ("change" in target) return changes.filter(({ id }) => id === target.change);
  return "activation" in target ? changes : findChangesSince(changes, target.since);
};

export const describeUndone = ({ change, erased }: BrainUndone): string => {
  if (change === undefined) return texts.noChangesNeeded;
  const files = change.versions.length === 1 ? texts.oneFileRestored : texts.filesRestored(change.versions.length);
  return erased.length === 0 ? files : `${files} ${texts.erasedContent(erased.map(toVisible).join(", "))}`;
};
