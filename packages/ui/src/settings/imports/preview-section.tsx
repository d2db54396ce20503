/** The preview of an import: its parts in groups, each with a choice. */
import { observe } from "@hearth/client";
import type { ImportPart, ImportPreview } from "@hearth/protocol";
import { useId, useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { Checkbox } from "../../design/field.tsx";
import { ErrorNotice, Notice } from "../../design/notice.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import { type Group, isOpen, toGroups } from "./groups.ts";
import importStyles from "./imports.module.css";
import * as texts from "./text.ts";

export interface PreviewSectionProps {
  readonly preview: ImportPreview;
  readonly onStarted: () => void;
}

export const PreviewSection = ({ preview, onStarted }: PreviewSectionProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const { id, parts } = preview;
  const [chosenIndexes, setChosenIndexes] = useState<ReadonlySet<number>>(
    () => new Set(parts.flatMap((part, index) => (isOpen(part) ? [index] : []))),
  );
  const choose = (indexes: readonly number[], isChosen: boolean): void => {
    const newIndexes = new Set(chosenIndexes);
    for (const index of indexes) {
      if (isChosen) newIndexes.add(index);
      else newIndexes.delete(index);
    }
    setChosenIndexes(newIndexes);
  };
  const start = async (): Promise<void> => {
    const indexes = [...chosenIndexes].toSorted((a, b) => a - b);
    if (!(await submission.run(async () => (await client.imports()).begin({ preview: id, parts: indexes })))) return;
    announce(texts.importStarted);
    onStarted();
  };
  const cleanedCount = parts.filter((part) => part.hidesSecrets === true).length;
  return (
    <Section title={texts.preview} text={texts.previewIntroduction}>
      {parts.length === 0 ? <p className={styles.quiet}>{texts.nothingFound}</p> : undefined}
      {cleanedCount === 0 ? undefined : <Notice kind="info">{texts.secretsRemoved(cleanedCount)}</Notice>}
      <ul className={styles.list}>
        {toGroups(parts).map((group) => (
          <GroupRow key={group.kind} group={group} chosenIndexes={chosenIndexes} onChoose={choose} />
        ))}
      </ul>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        <Button
          kind="primary"
          isBusy={submission.isBusy}
          disabled={chosenIndexes.size === 0}
          onClick={() => observe(start())}
        >
          {texts.importChosen(chosenIndexes.size)}
        </Button>
      </div>
    </Section>
  );
};

interface GroupRowProps {
  readonly group: Group;
  readonly chosenIndexes: ReadonlySet<number>;
  readonly onChoose: (indexes: readonly number[], isChosen: boolean) => void;
}

const GroupRow = ({ group: { kind, parts }, chosenIndexes, onChoose }: GroupRowProps) => {
  const titleId = useId();
  // A group may have thousands of parts, so they are rendered on demand.
  const [isShown, setShown] = useState(false);
  const isChoice = kind !== "same" && kind !== "left";
  const indexes = parts.map(({ index }) => index);
  const count = indexes.filter((index) => chosenIndexes.has(index)).length;
  const title = texts.groupTitle(kind, parts.length);
  return (
    <li className={importStyles.group} aria-labelledby={titleId}>
      {isChoice ? (
        <Checkbox
          id={titleId}
          label={title}
          aria-label={title}
          checked={count > 0}
          ref={(box) => {
            if (box !== null) box.indeterminate = count > 0 && count < indexes.length;
          }}
          onChange={({ target }) => onChoose(indexes, target.checked)}
        />
      ) : (
        <span id={titleId} className={styles.name}>
          {title}
        </span>
      )}
      <details onToggle={({ currentTarget }) => setShown(currentTarget.open)}>
        <summary>{texts.showGroup(kind)}</summary>
        <ul className={importStyles.parts}>
          {(isShown ? parts : []).map(({ index, part }) => (
            <li key={index}>
              {isChoice ? (
                <Checkbox
                  label={toVisible(nameOf(part))}
                  detail={toVisible(detailOf(part))}
                  checked={chosenIndexes.has(index)}
                  onChange={({ target }) => onChoose([index], target.checked)}
                />
              ) : (
                <PartLine part={part} />
              )}
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
};

/** A part without a choice. */
export const PartLine = ({ part }: { readonly part: ImportPart }) => (
  <span className={styles.about}>
    <span>{toVisible(nameOf(part))}</span>
    <span className={styles.quiet}>{toVisible(part.why ?? "")}</span>
  </span>
);

const nameOf = ({ from, to }: ImportPart): string =>
  to === undefined || to === from ? from : texts.replacement(from, to);

const detailOf = ({ fate, why, hidesSecrets }: ImportPart): string =>
  [
    fate === "replaces" ? texts.replaces : undefined,
    // The change already says so for a file that differs in this alone.
    hidesSecrets === true && why === undefined ? texts.withoutSecrets : undefined,
    why === undefined ? undefined : toSentence(why),
  ]
    .filter((sentence) => sentence !== undefined)
    .join(" ");

const toSentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}`;
