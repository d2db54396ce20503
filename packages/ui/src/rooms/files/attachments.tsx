/** The attachments of a message: pictures, and links that download other files. */
import { type AgentId, type Attachment, isAudioType, isDocumentType, kindOfType } from "@hearth/protocol";
import { useState } from "react";
import { Link } from "wouter";
import { Icon } from "../../design/icon.tsx";
import { createLazyPart } from "../../house/lazy-part.tsx";
import { documentPath } from "../../house/paths.ts";
import { useHouse } from "../../house/ui.tsx";
import { showSize } from "../../language/text.ts";
import { toVisible } from "../../text/visible.tsx";
import { useRoomView } from "../room-view.tsx";
import * as texts from "../text.ts";
import styles from "./files.module.css";
import { attachmentUrl, pictureOf, chooseShownUrl } from "./picture.ts";
import type { PictureDescriptionProps } from "./description/picture-description.tsx";
import type { SvgAttachmentProps } from "./svg-attachment.tsx";
import type { VoiceNoteProps } from "./voice/voice-note.tsx";

/** The player of a voice note. Shows only a link until the player is loaded. */
const VoiceNote = createLazyPart<VoiceNoteProps>({
  load: async () => (await import("./voice/voice-note.tsx")).VoiceNote,
});

/** The description of a picture for models without vision. Shows nothing until the part is loaded. */
const PictureDescription = createLazyPart<PictureDescriptionProps>({
  load: async () => (await import("./description/picture-description.tsx")).PictureDescription,
});

/** A chart. Shows only a link until the part is loaded. */
const SvgAttachment = createLazyPart<SvgAttachmentProps>({
  load: async () => (await import("./svg-attachment.tsx")).SvgAttachment,
});

/** Maximum size of an SVG that is shown. A larger one has only a link. */
const MAX_SVG_BYTES = 1024 * 1024;

/**
 * Whether the file may be an SVG, by its name. The house reports SVG as text, so the browser must
 * read the file to know.
 */
const mayBeSvg = ({ type, name, sizeBytes }: Attachment): boolean =>
  type === "text/plain" && sizeBytes <= MAX_SVG_BYTES && name.toLowerCase().endsWith(".svg");

export interface AttachmentsProps {
  readonly attachments: readonly Attachment[];
  /** The sender of the files, who may correct their transcripts. */
  readonly author: AgentId;
}

export const Attachments = ({ attachments, author }: AttachmentsProps) => {
  const canDescribe = useHouse().me?.describes === true;
  if (attachments.length === 0) return undefined;
  return (
    <ul className={styles.attachments} aria-label={texts.attachments}>
      {attachments.map((attachment) => (
        <li key={attachment.id}>
          {mayBeSvg(attachment) ? <SvgAttachment attachment={attachment} /> : undefined}
          <AttachmentLink attachment={attachment} />
          {isDocumentType(attachment.type) ? <TextLink attachment={attachment} /> : undefined}
          {canDescribe && kindOfType(attachment.type) === "image" ? (
            <PictureDescription attachment={attachment.id} />
          ) : undefined}
          {isAudioType(attachment.type) ? <VoiceNote attachment={attachment} author={author} /> : undefined}
          {attachment.caption === undefined ? undefined : (
            <p className={styles.caption}>{toVisible(attachment.caption)}</p>
          )}
        </li>
      ))}
    </ul>
  );
};

/** Opens the text of a document above the room. */
const TextLink = ({ attachment: { id, name } }: { readonly attachment: Attachment }) => {
  const { room } = useRoomView();
  return (
    <Link
      className={styles.text}
      href={documentPath(room.handle, { id })}
      aria-label={texts.showTextOf(toVisible(name))}
    >
      {texts.showText}
    </Link>
  );
};

interface SmallPictureProps {
  readonly attachment: Attachment;
  readonly alt: string;
  readonly size: { readonly width: number; readonly height: number };
}

/** Loads the small version of a large picture. Without a small version, it loads the picture itself. */
const SmallPicture = ({ attachment, alt, size: { width, height } }: SmallPictureProps) => {
  const { room } = useRoomView();
  const [isOriginal, setOriginal] = useState(false);
  const originalUrl = attachmentUrl(room.id, attachment.id);
  return (
    <img
      src={isOriginal ? originalUrl : chooseShownUrl(room.id, attachment)}
      alt={alt}
      width={width}
      height={height}
      loading="lazy"
      decoding="async"
      onError={() => setOriginal(true)}
    />
  );
};

const AttachmentLink = ({ attachment }: { readonly attachment: Attachment }) => {
  const { room } = useRoomView();
  const { id, sizeBytes } = attachment;
  const name = toVisible(attachment.name);
  const url = attachmentUrl(room.id, id);
  const label = texts.download(name, showSize(sizeBytes));
  const picture = pictureOf(room.id, attachment);
  if (picture !== undefined)
    return (
      <a className={styles.picture} href={url} download={attachment.name} title={label}>
        {/* Width and height reserve the space, so the text below does not move when the picture loads. */}
        <SmallPicture attachment={attachment} alt={texts.picture(name)} size={picture} />
      </a>
    );
  return (
    <a className={styles.file} href={url} download={attachment.name} aria-label={label}>
      <Icon name="file" />
      <span className={styles.words}>
        <bdi className={styles.name}>{name}</bdi> <span className={styles.facts}>{showSize(sizeBytes)}</span>
      </span>
      <Icon name="down" />
    </a>
  );
};
