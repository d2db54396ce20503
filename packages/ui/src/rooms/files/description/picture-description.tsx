/** The description of an attached picture that a model made for models that do not see. */
import { observe } from "@hearth/client";
import { type AttachedDescription, includesLevel } from "@hearth/protocol";
import { useCallback, useEffect, useState } from "react";
import { Button } from "../../../design/button.tsx";
import { ErrorNotice } from "../../../design/notice.tsx";
import { useRequest } from "../../../house/request.ts";
import { useRoom, useUi } from "../../../house/ui.tsx";
import { useSubmission } from "../../../house/use-submission.ts";
import { PlainText } from "../../../text/plain-text.tsx";
import { toVisible } from "../../../text/visible.tsx";
import { useRoomView } from "../../room-view.tsx";
import * as texts from "./text.ts";
import styles from "../voice-note.module.css";

export interface PictureDescriptionProps {
  readonly attachment: string;
}

/** A turn makes the description before it answers, so each new message requests it again. */
export const PictureDescription = ({ attachment }: PictureDescriptionProps) => {
  const { client } = useUi();
  const { reader, room, level } = useRoomView();
  const count = useRoom(reader).messages.length;
  const [createdDescription, setCreatedDescription] = useState<AttachedDescription>();
  const load = useCallback(async () => {
    const [entry] = await (await client.uploads()).descriptions(room.id, { attachments: attachment });
    return { description: entry?.description };
  }, [client, room.id, attachment]);
  const { value, reload } = useRequest(load);
  const description = createdDescription ?? value?.description;
  const isMissing = value !== undefined && description === undefined;
  useEffect(() => {
    if (isMissing) reload();
  }, [isMissing, count, reload]);
  return (
    <DescriptionText
      attachment={attachment}
      description={description}
      mayDescribe={includesLevel(level, "w")}
      onChange={setCreatedDescription}
    />
  );
};

export interface DescriptionTextProps {
  readonly attachment: string;
  readonly description: AttachedDescription | undefined;
  readonly mayDescribe: boolean;
  readonly onChange: (description: AttachedDescription) => void;
}

/** Shows the description. If the model did not make one, shows the reason and a button that tries again. */
export const DescriptionText = ({ attachment, description, mayDescribe, onChange }: DescriptionTextProps) => {
  const { client } = useUi();
  const { room } = useRoomView();
  const submission = useSubmission();
  const describe = () =>
    submission.run(async () => onChange(await (await client.uploads()).describe(room.id, attachment)));
  if (description === undefined) return undefined;
  const { text, source, error } = description;
  if (text !== undefined)
    return (
      <details className={styles.transcript}>
        <summary className={styles.title}>{texts.describedBy(toVisible(source))}</summary>
        <PlainText text={text} />
      </details>
    );
  return (
    <>
      {error === undefined ? undefined : <p className={styles.title}>{toVisible(texts.notDescribed(error.message))}</p>}
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      {mayDescribe ? (
        <Button size="small" isBusy={submission.isBusy} className={styles.make} onClick={() => observe(describe())}>
          {texts.describeAgain}
        </Button>
      ) : undefined}
    </>
  );
};
