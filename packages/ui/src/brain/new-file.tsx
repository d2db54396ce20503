/** Asks for the path of a new file. Saving creates it. */
import { useState } from "react";
import { Button } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { Field, TextInput } from "../design/field.tsx";

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
            Create file
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
          label="Path"
          hint="For example instructions/tone.md. The agent reads files in instructions before every reply."
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

/** Obvious errors; saving validates the rest. */
export const checkNewPath = (path: string): string | undefined => {
  if (path === "") return "Enter a path.";
  const names = path.split("/");
  if (names.some((name) => name === "" || name === "." || name === ".."))
    return "Use a relative path with one / between folders and names.";
  return names.some((name) => name.startsWith(".")) ? "Names cannot start with a dot." : undefined;
};
