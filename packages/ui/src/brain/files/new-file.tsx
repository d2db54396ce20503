/** Asks for the path of a new file. Saving creates it. */
import { useState } from "react";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Field, TextInput } from "../../design/field.tsx";
import * as texts from "../text.ts";

export interface NewFileProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onName: (path: string) => void;
}

/** The maximum path length of the API. */
const MAX_PATH = 1024;

export const NewFile = ({ isOpen, onClose, onName }: NewFileProps) => {
  const [path, setPath] = useState("");
  const [error, setError] = useState<string>();
  const submit = (): void => {
    const pathError = checkNewPath(path.trim());
    setError(pathError);
    if (pathError !== undefined) return;
    setPath("");
    onName(path.trim());
  };
  return (
    <Dialog
      title={texts.newFile}
      isOpen={isOpen}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button kind="primary" onClick={submit}>
            {texts.createFile}
          </Button>
        </>
      }
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field label={texts.path} hint={texts.pathHint} error={error}>
          {(ids) => (
            <TextInput
              {...ids}
              value={path}
              maxLength={MAX_PATH}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              onChange={(event) => setPath(event.target.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
};

/** Finds obvious errors of a path. The house validates the rest on saving. */
export const checkNewPath = (path: string): string | undefined => {
  if (path === "") return texts.enterAPath;
  const names = path.split("/");
  if (names.some((name) => name === "" || name === "." || name === "..")) return texts.relativePathRequired;
  return names.some((name) => name.startsWith(".")) ? texts.noDotFiles : undefined;
};
