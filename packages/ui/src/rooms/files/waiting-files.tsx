/** The files of an unsent message: name, progress, preview of a picture, and a button that removes each. */
import type { FileState, WaitingFile } from "@hearth/client";
import { useEffect, useState, useSyncExternalStore } from "react";
import { IconButton } from "../../design/button.tsx";
import { describeError } from "../../design/error-words.ts";
import { Icon } from "../../design/icon.tsx";
import { useUi } from "../../house/ui.tsx";
import { showSize } from "../../language/text.ts";
import { toVisible } from "../../text/visible.tsx";
import * as texts from "../text.ts";
import styles from "./files.module.css";

export interface WaitingFilesProps {
  readonly files: readonly WaitingFile[];
  /** Undefined while the message is being sent, when its files cannot be removed. */
  readonly onRemove?: (key: string) => void;
}

export const WaitingFiles = ({ files, onRemove }: WaitingFilesProps) =>
  files.length === 0 ? undefined : (
    <ul className={styles.waiting} aria-label={texts.filesOfMessage}>
      {files.map((file) => (
        <WaitingFileItem key={file.key} file={file} onRemove={onRemove} />
      ))}
    </ul>
  );

const WaitingFileItem = ({
  file,
  onRemove,
}: {
  readonly file: WaitingFile;
  readonly onRemove: WaitingFilesProps["onRemove"];
}) => {
  const { files } = useUi();
  const readState = (): FileState => files.state(file.key);
  const state = useSyncExternalStore(files.onChange, readState, readState);
  const preview = usePreview(file);
  const name = toVisible(file.name);
  return (
    <li className={styles.file}>
      {preview === undefined ? <Icon name="file" /> : <img className={styles.thumb} src={preview} alt="" />}
      <span className={styles.words}>
        <bdi className={styles.name}>{name}</bdi>
        <span className={state.error === undefined ? styles.facts : styles.failed}>{describeState(file, state)}</span>
        {state.isComplete || state.error !== undefined ? undefined : (
          <progress
            className={styles.progress}
            max={file.sizeBytes}
            value={state.sentBytes}
            aria-label={texts.uploading(name)}
          />
        )}
      </span>
      {state.error === undefined ? undefined : (
        <IconButton
          icon="retry"
          label={texts.retryFile(name)}
          onClick={() => {
            // The error is in the file's state.
            files.upload(file.key).catch(() => {});
          }}
        />
      )}
      {onRemove === undefined ? undefined : (
        <IconButton icon="close" label={texts.removeFile(name)} onClick={() => onRemove(file.key)} />
      )}
    </li>
  );
};

const describeState = ({ sizeBytes }: WaitingFile, { sentBytes, isComplete, error }: FileState): string => {
  if (error !== undefined) return describeError(error).title;
  if (isComplete) return showSize(sizeBytes);
  return texts.sentOf(showSize(sentBytes), showSize(sizeBytes));
};

const PICTURE_NAME = /\.(avif|gif|jpe?g|png|webp)$/i;
/** Maximum size of a picture with a preview. A larger one would take long to show. */
const MAX_PREVIEW_BYTES = 8 * 1024 * 1024;

/** Returns a picture as a data URL, which the page's policy allows. Returns undefined for other files. */
const usePreview = ({ key, name, sizeBytes }: WaitingFile): string | undefined => {
  const { files } = useUi();
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    let isShown = true;
    const loadPreview = async (): Promise<void> => {
      const content = PICTURE_NAME.test(name) && sizeBytes <= MAX_PREVIEW_BYTES ? await files.content(key) : undefined;
      if (content === undefined) return;
      const dataUrl = await toDataUrl(content);
      if (isShown) setUrl(dataUrl);
    };
    // If the file cannot be read, the icon stays.
    loadPreview().catch(() => {});
    return () => {
      isShown = false;
    };
  }, [files, key, name, sizeBytes]);
  return url;
};

const toDataUrl = (content: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === "string" ? reader.result : "");
    reader.onerror = () => reject(reader.error ?? new Error("the file cannot be read"));
    reader.readAsDataURL(content);
  });
