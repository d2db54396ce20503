/** The outcome of a test: what came back, or why nothing did. */
import { fromErrorBody, type MediaTest } from "@hearth/protocol";
import { useEffect, useState } from "react";
import { ErrorNotice, Notice } from "../../design/notice.tsx";
import { toVisible } from "../../text/visible.tsx";
import styles from "./media.module.css";
import * as texts from "./text.ts";

export interface MediaResultProps {
  readonly test: MediaTest;
  readonly title: string;
}

export const MediaResult = ({ test: { ok, detail, error, result }, title }: MediaResultProps) => {
  if (error !== undefined) return <ErrorNotice error={fromErrorBody(error)} place="here" />;
  return (
    <Notice kind={ok ? "success" : "danger"} title={ok ? texts.testSucceeded : texts.testFailed}>
      {toVisible(detail)}
      {result === undefined ? undefined : <ResultView result={result} title={title} />}
    </Notice>
  );
};

const ResultView = ({ result, title }: { readonly result: NonNullable<MediaTest["result"]>; readonly title: string }) =>
  /^image\/(png|jpeg|webp)$/.test(result.type) ? (
    <img className={styles.picture} src={`data:${result.type};base64,${result.data}`} alt={texts.testPicture} />
  ) : (
    <Sound result={result} title={title} />
  );

/** The page's policy allows sounds from `blob:`, not from `data:`. */
const Sound = ({ result, title }: { readonly result: NonNullable<MediaTest["result"]>; readonly title: string }) => {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const bytes = Uint8Array.from(atob(result.data), (letter) => letter.charCodeAt(0));
    const objectUrl = URL.createObjectURL(new Blob([bytes], { type: result.type }));
    setUrl(objectUrl);
    return () => URL.revokeObjectURL(objectUrl);
  }, [result]);
  return url === undefined ? undefined : (
    <audio className={styles.player} src={url} aria-label={texts.testSound(title)} controls />
  );
};
