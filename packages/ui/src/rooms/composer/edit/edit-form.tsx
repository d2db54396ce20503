/**
 * Edits one of the user's messages in place. Typed text survives a reload until it is saved or
 * cancelled.
 */
import { observe, type RoomMessage } from "@hearth/client";
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from "react";
import { useAnnounce } from "../../../design/announcer.tsx";
import { Button } from "../../../design/button.tsx";
import { TextArea } from "../../../design/field.tsx";
import { ErrorNotice } from "../../../design/notice.tsx";
import { useUi } from "../../../house/ui.tsx";
import { meaningOf, toMessageText, warnOfLength } from "../composer-rules.ts";
import { editDraftOf } from "../draft.ts";
import styles from "../edit-form.module.css";
import { isCoarse, toPressedKey } from "../keyboard.ts";
import { useRoomView } from "../../room-view.tsx";
import * as texts from "./text.ts";

export interface EditFormProps {
  readonly message: RoomMessage;
  /** Called before the form closes, to move the focus. */
  readonly onDone: () => void;
}

export const EditForm = (props: EditFormProps) => {
  const { text, changeText, warning, isSaving, failure, save, close } = useEdit(props);
  const textArea = useRef<HTMLTextAreaElement>(null);
  const warningId = useId();
  useFocusWhenVisible(textArea);

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    const pressedKey = toPressedKey(event);
    if (pressedKey.key === "Escape" && !pressedKey.isComposing) {
      event.preventDefault();
      close();
    } else if (meaningOf(pressedKey, { text, isCoarse: isCoarse(event.currentTarget), isRunning: false }) === "send") {
      event.preventDefault();
      observe(save());
    }
  };

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        observe(save());
      }}
    >
      <TextArea
        ref={textArea}
        rows={1}
        dir="auto"
        aria-label={texts.editMessage}
        describedBy={warning === undefined ? undefined : warningId}
        isInvalid={warning?.isTooLong}
        className={styles.area}
        value={text}
        onChange={(event) => changeText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {warning === undefined ? undefined : (
        <p id={warningId} className={styles.warning}>
          {warning.words}
        </p>
      )}
      {failure === undefined ? undefined : <ErrorNotice error={failure} />}
      <div className={styles.buttons}>
        <Button size="small" onClick={close}>
          {texts.cancel}
        </Button>
        <Button size="small" kind="primary" type="submit" isBusy={isSaving} disabled={toMessageText(text) === ""}>
          {texts.save}
        </Button>
      </div>
    </form>
  );
};

/** Returns the state of the form. The changed text is stored until the user saves or cancels. */
const useEdit = ({ message, onDone }: EditFormProps) => {
  const { reader, edit } = useRoomView();
  const { storage } = useUi();
  const announce = useAnnounce();
  const draft = editDraftOf(storage, message.id);
  const [text, setText] = useState(() => draft.read() ?? message.text);
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const warning = warnOfLength(text);

  const changeText = (newText: string): void => {
    setText(newText);
    draft.write(newText);
  };
  const close = (): void => {
    draft.clear();
    onDone();
    edit(undefined);
  };
  const save = async (): Promise<void> => {
    const newText = toMessageText(text);
    if (newText === "" || warning?.isTooLong === true || isSaving) return;
    if (newText === message.text) return close();
    setSaving(true);
    setFailure(undefined);
    try {
      await reader.edit(message.id, newText);
      announce(texts.saved);
      close();
    } catch (error) {
      setFailure(error);
      setSaving(false);
    }
  };
  return { text, changeText, warning, isSaving, failure, save, close };
};

const FRAME_MS = 16;
const MAX_FRAMES = 30;

/**
 * Focuses the field once it is visible. A message that was out of view cannot be focused until it
 * is laid out, a few frames later.
 */
const useFocusWhenVisible = (textArea: RefObject<HTMLTextAreaElement | null>): void => {
  const { clock } = useUi();
  useEffect(() => {
    const controller = new AbortController();
    const focus = async (): Promise<void> => {
      for (let frame = 0; frame < MAX_FRAMES && !controller.signal.aborted; frame += 1) {
        const element = textArea.current;
        element?.focus();
        if (element !== null && element.ownerDocument.activeElement === element) {
          element.setSelectionRange(element.value.length, element.value.length);
          return;
        }
        await clock.sleep(FRAME_MS, controller.signal);
      }
    };
    observe(focus());
    return () => controller.abort();
  }, [textArea, clock]);
};
