/** A text editor for one file. On a conflict it shows both versions and lets the user choose. */
import type { BrainText } from "@hearth/protocol";
import { type KeyboardEvent, useId } from "react";
import { diffLines } from "../../text/diff/diff-lines.ts";
import { Button } from "../../design/button.tsx";
import { Icon } from "../../design/icon.tsx";
import { ErrorNotice, Notice } from "../../design/notice.tsx";
import { toVisible } from "../../text/visible.tsx";
import styles from "../brain.module.css";
import { MAX_LINES } from "../history/diff-view.tsx";
import { Diff } from "../../text/diff/diff.tsx";
import { FileRemarks } from "./file-remarks.tsx";
import { toField } from "./line-ends.ts";
import * as texts from "../text.ts";
import type { FileView } from "./use-file.ts";

export interface EditorProps {
  readonly view: FileView;
  readonly path: string;
  /** Undefined if the file does not exist. */
  readonly file: BrainText | undefined;
  /** Moves the focus into the text field when the editor appears. */
  readonly isFocused?: boolean;
}

export const Editor = ({ view, path, file, isFocused = false }: EditorProps) => {
  const { text, isChanged, hasConflict, isDraftStored, isSaved, submission } = view;
  const noteId = useId();
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "s" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    event.preventDefault();
    if (isChanged && !hasConflict) view.save();
  };
  return (
    <form
      className={styles.editor}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged && !hasConflict) view.save();
      }}
    >
      {file === undefined && !hasConflict ? (
        <p id={noteId} className={styles.quiet}>
          {texts.fileDoesNotExist}
        </p>
      ) : undefined}
      <textarea
        aria-label={hasConflict ? texts.yourVersion(toVisible(path)) : toVisible(path)}
        aria-describedby={file === undefined && !hasConflict ? noteId : undefined}
        className={styles.field}
        rows={18}
        dir="auto"
        autoFocus={isFocused}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        value={text}
        onChange={(event) => view.setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      {isChanged && !isDraftStored ? <p className={styles.warning}>{texts.noSpaceForDrafts}</p> : undefined}
      {hasConflict ? (
        <Conflict view={view} file={file} />
      ) : (
        <div className={styles.buttons}>
          <Button
            kind={isChanged ? "primary" : "plain"}
            type="submit"
            isBusy={submission.isBusy}
            disabled={!isChanged && !submission.isBusy}
          >
            {texts.save}
          </Button>
          {isChanged ? (
            <Button kind="quiet" disabled={submission.isBusy} onClick={view.discard}>
              {texts.discardChanges}
            </Button>
          ) : undefined}
          {isSaved && !isChanged ? (
            <span className={styles.saved}>
              <Icon name="check" />
              {texts.savedState}
            </span>
          ) : undefined}
        </div>
      )}
      <FileRemarks text={text} file={file} />
    </form>
  );
};

/** Shows the current version of the file below the user's text, and the effect of saving. */
const Conflict = ({ view, file }: { readonly view: FileView; readonly file: BrainText | undefined }) => {
  const currentText = toField(file?.text ?? "");
  const isGone = file === undefined;
  return (
    <section className={styles.apart} aria-label={texts.editConflict}>
      <Notice kind="danger" title={isGone ? texts.fileWasRemoved : texts.fileWasChanged}>
        {isGone ? texts.yourTextIsAbove : texts.chooseAVersion}
      </Notice>
      {isGone ? undefined : (
        <>
          <textarea
            aria-label={texts.currentVersion}
            className={styles.field}
            rows={10}
            dir="auto"
            readOnly
            value={currentText}
          />
          <Diff
            title={texts.effectOfSaving}
            lines={diffLines(currentText.split("\n"), view.text.split("\n"))}
            maxLines={MAX_LINES}
          />
        </>
      )}
      <div className={styles.buttons}>
        <Button kind="danger" isBusy={view.submission.isBusy} onClick={view.saveOver}>
          {isGone ? texts.saveMineAsNewFile : texts.overwriteWithMine}
        </Button>
        <Button disabled={view.submission.isBusy} onClick={view.discard}>
          {isGone ? texts.discardMine : texts.keepTheirs}
        </Button>
      </div>
    </section>
  );
};
