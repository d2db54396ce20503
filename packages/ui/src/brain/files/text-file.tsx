/** A text file: rendered if it is Markdown, or in the editor. */
import { useState } from "react";
import type { BrainText } from "@hearth/protocol";
import { Button } from "../../design/button.tsx";
import { CodeBlock } from "../../text/code-text.tsx";
import { Markdown } from "../../text/markdown.tsx";
import styles from "../brain.module.css";
import * as texts from "../text.ts";
import { Editor } from "./editor.tsx";
import { FileRemarks } from "./file-remarks.tsx";
import { splitFrontMatter } from "./front-matter.ts";
import type { FileView } from "./use-file.ts";

export interface TextFileProps {
  readonly view: FileView;
  readonly path: string;
  /** Undefined if the file does not exist. */
  readonly file: BrainText | undefined;
}

/** A new file and unsaved text open in the editor. An edit conflict is solved there. */
export const TextFile = ({ view, path, file }: TextFileProps) => {
  const [mode, setMode] = useState<"rendered" | "opened" | "pressed">(
    view.isChanged || file === undefined ? "opened" : "rendered",
  );
  const canRender = /\.(?:md|markdown)$/i.test(path) && file !== undefined && !view.hasConflict;
  const isRendered = canRender && mode === "rendered";
  return (
    <>
      {canRender ? (
        <p>
          <Button size="small" onClick={() => setMode(isRendered ? "pressed" : "rendered")}>
            {isRendered ? texts.edit : texts.preview}
          </Button>
        </p>
      ) : undefined}
      {isRendered ? (
        <RenderedText view={view} file={file} />
      ) : (
        <Editor view={view} path={path} file={file} isFocused={mode === "pressed"} />
      )}
    </>
  );
};

const RenderedText = ({ view: { text, isChanged }, file }: { readonly view: FileView; readonly file: BrainText }) => {
  const { head, body } = splitFrontMatter(text);
  return (
    <>
      {isChanged ? <p className={styles.quiet}>{texts.previewIsNotSaved}</p> : undefined}
      {text.trim() === "" ? <p className={styles.quiet}>{texts.fileIsEmpty}</p> : undefined}
      {head === undefined ? undefined : <CodeBlock text={head} language="yaml" />}
      <Markdown text={body} />
      <FileRemarks text={text} file={file} />
    </>
  );
};
