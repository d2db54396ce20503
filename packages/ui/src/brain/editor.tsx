/** A text editor for one file. On a conflict it shows both versions and lets the user choose. */
import type { BrainText } from "@hearth/protocol";
import { type KeyboardEvent, useId } from "react";
import { diffLines } from "../approvals/diff-lines.ts";
import { Button } from "../design/button.tsx";
import { Icon } from "../design/icon.tsx";
import { ErrorNotice, Notice } from "../design/notice.tsx";
import { visible } from "../text/visible.tsx";
import styles from "./brain.module.css";
import { DiffLines } from "./diff-view.tsx";
import { FileRemarks } from "./file-remarks.tsx";
import { toField } from "./line-ends.ts";
import type { FileView } from "./use-file.ts";

export interface EditorProps {
  readonly view: FileView;
  readonly path: string;
  /** Absent if the file does not exist. */
  readonly file: BrainText | undefined;
}

export const Editor = ({ view, path, file }: EditorProps) => {
  const { text, isChanged, isApart, isKept, isSaved, work } = view;
  const note = useId();
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "s" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    event.preventDefault();
    if (isChanged && !isApart) view.save();
  };
  return (
    <form
      className={styles.editor}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged && !isApart) view.save();
      }}
    >
      {file === undefined && !isApart ? (
        <p id={note} className={styles.quiet}>
          This file does not exist. Saving creates it.
        </p>
      ) : undefined}
      <textarea
        aria-label={isApart ? `Your version: ${visible(path)}` : visible(path)}
        aria-describedby={file === undefined && !isApart ? note : undefined}
        className={styles.field}
        rows={18}
        dir="auto"
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        value={text}
        onChange={(event) => view.type(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {work.error === undefined ? undefined : <ErrorNotice error={work.error} />}
      {isChanged && !isKept ? (
        <p className={styles.warning}>This browser has no space for unsaved text. Save before you leave this page.</p>
      ) : undefined}
      {isApart ? (
        <Apart view={view} file={file} />
      ) : (
        <div className={styles.buttons}>
          <Button
            kind={isChanged ? "primary" : "plain"}
            type="submit"
            isBusy={work.isBusy}
            disabled={!isChanged && !work.isBusy}
          >
            Save
          </Button>
          {isChanged ? (
            <Button kind="quiet" disabled={work.isBusy} onClick={view.discard}>
              Discard changes
            </Button>
          ) : undefined}
          {isSaved && !isChanged ? (
            <span className={styles.saved}>
              <Icon name="check" />
              Saved
            </span>
          ) : undefined}
        </div>
      )}
      <FileRemarks text={text} file={file} />
    </form>
  );
};

/** Shows the current version of the file below the user's text, and the effect of saving. */
const Apart = ({ view, file }: Omit<EditorProps, "path">) => {
  const there = toField(file?.text ?? "");
  const isGone = file === undefined;
  return (
    <section className={styles.apart} aria-label="Edit conflict">
      <Notice kind="danger" title={isGone ? "The file was removed meanwhile." : "The file was changed meanwhile."}>
        {isGone
          ? "Your text is above. It is not saved yet."
          : "Your text is above, the current file below. Choose which version to keep."}
      </Notice>
      {isGone ? undefined : (
        <>
          <textarea aria-label="Current version" className={styles.field} rows={10} dir="auto" readOnly value={there} />
          <DiffLines
            title="Effect of saving your version"
            lines={diffLines(there.split("\n"), view.text.split("\n"))}
          />
        </>
      )}
      <div className={styles.buttons}>
        <Button kind="danger" isBusy={view.work.isBusy} onClick={view.saveOver}>
          {isGone ? "Save mine as a new file" : "Overwrite with mine"}
        </Button>
        <Button disabled={view.work.isBusy} onClick={view.discard}>
          {isGone ? "Discard mine" : "Use theirs"}
        </Button>
      </div>
    </section>
  );
};
