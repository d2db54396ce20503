/** The attachments of a message: pictures, and links that download other files. */
import { type Attachment, showSize } from "@hearth/protocol";
import { Icon } from "../../design/icon.tsx";
import { visible } from "../../text/visible.tsx";
import { useRoomView } from "../room-view.tsx";
import * as texts from "../text.ts";
import styles from "./files.module.css";

/** Types that a browser shows as a picture. The house detected them from the content. */
const PICTURES: ReadonlySet<string> = new Set([
  "image/avif",
  "image/gif",
  "image/jpeg",
  "image/png",
  "image/apng",
  "image/webp",
]);

export const Attachments = ({ attachments }: { readonly attachments: readonly Attachment[] }) =>
  attachments.length === 0 ? undefined : (
    <ul className={styles.attachments} aria-label={texts.attachments}>
      {attachments.map((attachment) => (
        <li key={attachment.id}>
          <AttachmentLink attachment={attachment} />
          {attachment.caption === undefined ? undefined : (
            <p className={styles.caption}>{visible(attachment.caption)}</p>
          )}
        </li>
      ))}
    </ul>
  );

const AttachmentLink = ({ attachment }: { readonly attachment: Attachment }) => {
  const { room } = useRoomView();
  const { id, type, sizeBytes, width, height } = attachment;
  const name = visible(attachment.name);
  const url = `/api/rooms/${room.id}/attachments/${id}`;
  const label = texts.download(name, showSize(sizeBytes));
  if (PICTURES.has(type) && width !== undefined && height !== undefined)
    return (
      <a className={styles.picture} href={url} download={attachment.name} title={label}>
        {/* Width and height reserve the place, so that the text does not move when it arrives. */}
        <img src={url} alt={texts.picture(name)} width={width} height={height} loading="lazy" decoding="async" />
      </a>
    );
  return (
    <a className={styles.file} href={url} download={attachment.name} aria-label={label}>
      <Icon name="file" />
      <span className={styles.words}>
        <bdi className={styles.name}>{name}</bdi>
        <span className={styles.facts}>{showSize(sizeBytes)}</span>
      </span>
      <Icon name="down" />
    </a>
  );
};
