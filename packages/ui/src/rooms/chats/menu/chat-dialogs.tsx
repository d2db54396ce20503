/** The dialogs of a chat's menu. Loaded on first use. */
import { observe, type RoomEntry } from "@hearth/client";
import { isHearthError, MAX_NAME_LENGTH } from "@hearth/protocol";
import { type SubmitEvent, useId, useState } from "react";
import { useLocation } from "wouter";
import { useAnnounce } from "../../../design/announcer.tsx";
import { Button } from "../../../design/button.tsx";
import { ConfirmDialog, Dialog } from "../../../design/dialog.tsx";
import { plainWords } from "../../../design/error-words.ts";
import { Field, TextInput } from "../../../design/field.tsx";
import { ErrorNotice } from "../../../design/notice.tsx";
import { useGoToDate } from "../../../search/go-to-date.ts";
import { HOME, isPathOfRoom } from "../../../house/paths.ts";
import { roomTitle } from "../../../house/room-title.ts";
import { useUi } from "../../../house/ui.tsx";
import { RoomRule } from "../../../settings/notifications/room-rule.tsx";
import { useSubmission } from "../../../house/use-submission.ts";
import { FilesDialog } from "./files-dialog.tsx";
import * as texts from "./text.ts";

/** A dialog that the menu of a chat opens. */
export interface ChatDialog {
  /** `failure`: a change from the menu failed. */
  readonly kind: "rename" | "delete" | "files" | "notifications" | "date" | "failure";
  /** Why the change failed. */
  readonly error?: unknown;
}

export interface ChatDialogsProps extends ChatDialog {
  readonly entry: RoomEntry;
  readonly onClose: () => void;
}

export const ChatDialogs = ({ kind, error, entry, onClose }: ChatDialogsProps) => {
  switch (kind) {
    case "failure":
      return (
        <Dialog title={texts.couldNotChange(roomTitle(entry.room))} isOpen onClose={onClose}>
          <ErrorNotice error={error} />
        </Dialog>
      );
    case "rename":
      return <Rename entry={entry} onClose={onClose} />;
    case "delete":
      return <Delete entry={entry} onClose={onClose} />;
    case "files":
      return <FilesDialog room={entry.room} onClose={onClose} />;
    case "date":
      return <GoToDate entry={entry} onClose={onClose} />;
    case "notifications":
      return <RoomRule room={entry.room} onClose={onClose} />;
  }
};

interface SingleDialogProps {
  readonly entry: RoomEntry;
  readonly onClose: () => void;
}

const Rename = ({ entry: { room }, onClose }: SingleDialogProps) => {
  const { client } = useUi();
  const formId = useId();
  const [title, setTitle] = useState(room.content.title ?? "");
  const submission = useSubmission();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const typedTitle = title.trim();
    if (await submission.run(() => client.rooms.rename(room.id, typedTitle === "" ? null : typedTitle))) onClose();
  };
  const fieldError = isHearthError(submission.error, "record.invalid")
    ? plainWords(submission.error.message)
    : undefined;
  return (
    <Dialog
      title={texts.renameChat}
      isOpen
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" form={formId} kind="primary" isBusy={submission.isBusy}>
            {texts.save}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={(event) => observe(submit(event))}>
        <Field label={texts.title} hint={texts.titleHint} error={fieldError}>
          {(ids) => (
            <TextInput
              {...ids}
              value={title}
              maxLength={MAX_NAME_LENGTH}
              autoComplete="off"
              placeholder={room.content.name}
              onFocus={(event) => event.target.select()}
              onChange={(event) => setTitle(event.target.value)}
            />
          )}
        </Field>
        {submission.error === undefined || fieldError !== undefined ? undefined : (
          <ErrorNotice error={submission.error} />
        )}
      </form>
    </Dialog>
  );
};

const GoToDate = ({ entry: { room }, onClose }: SingleDialogProps) => {
  const formId = useId();
  const [day, setDay] = useState("");
  const { goTo, error, isBusy } = useGoToDate();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (day !== "" && (await goTo(room, day))) onClose();
  };
  return (
    <Dialog
      title={texts.goToDate}
      isOpen
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" form={formId} kind="primary" isBusy={isBusy}>
            {texts.go}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={(event) => observe(submit(event))}>
        <Field label={texts.date} hint={texts.dateHint}>
          {(ids) => (
            <TextInput {...ids} type="date" required value={day} onChange={(event) => setDay(event.target.value)} />
          )}
        </Field>
        {error === undefined ? undefined : <ErrorNotice error={error} shape="line" />}
      </form>
    </Dialog>
  );
};

const Delete = ({ entry: { room }, onClose }: SingleDialogProps) => {
  const { client } = useUi();
  const [path, navigate] = useLocation();
  const announce = useAnnounce();
  const submission = useSubmission();
  const title = roomTitle(room);
  const remove = async (): Promise<void> => {
    if (!(await submission.run(() => client.rooms.remove(room.id)))) return;
    announce(texts.deleted(title));
    onClose();
    if (isPathOfRoom(path, room.handle)) navigate(HOME);
  };
  return (
    <ConfirmDialog
      title={texts.deleteTitle(title)}
      text={submission.error === undefined ? texts.deleteEffect : <ErrorNotice error={submission.error} />}
      confirm={texts.deleteChat}
      isDanger
      isOpen
      onConfirm={() => observe(remove())}
      onClose={onClose}
    />
  );
};
