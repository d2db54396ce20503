/** Asks what a new file is called, in which folder. It is made when something is saved in it. */
import { useState } from "react";
import { Button } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { Field, TextInput } from "../design/field.tsx";

export interface NewFileProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onName: (path: string) => void;
}

/** Longest path that the house takes. */
const MAX_PATH = 1024;

export const NewFile = ({ isOpen, onClose, onName }: NewFileProps) => {
  const [path, setPath] = useState("");
  const [error, setError] = useState<string>();
  const submit = (): void => {
    const wrong = checkNewPath(path.trim());
    setError(wrong);
    if (wrong !== undefined) return;
    setPath("");
    onName(path.trim());
  };
  return (
    <Dialog
      title="New file"
      isOpen={isOpen}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" onClick={submit}>
            Write it
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
        <Field
          label="Name, with its folder"
          hint="Such as instructions/tone.md: what stands in instructions is read before every answer."
          error={error}
        >
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

/** What is plain to see. The rest the house says when it is saved. */
export const checkNewPath = (path: string): string | undefined => {
  if (path === "") return "Write a name.";
  const names = path.split("/");
  if (names.some((name) => name === "" || name === "." || name === ".."))
    return "Begin in the brain, and put one / between a folder and what is in it.";
  return names.some((name) => name.startsWith(".")) ? "A name cannot begin with a dot here." : undefined;
};
