/**
 * Shows an attached SVG. The house serves it as a download only, so this component shows it as a
 * `data:` URL in an `<img>`: browsers run no script and load nothing for such an image.
 */
import type { Attachment } from "@hearth/protocol";
import { useCallback } from "react";
import { useRequest } from "../../house/request.ts";
import { useUi } from "../../house/ui.tsx";
import { toVisible } from "../../text/visible.tsx";
import { useRoomView } from "../room-view.tsx";
import * as texts from "../text.ts";
import styles from "./files.module.css";

export interface SvgAttachmentProps {
  readonly attachment: Attachment;
}

export const SvgAttachment = ({ attachment: { id, name } }: SvgAttachmentProps) => {
  const { client } = useUi();
  const { room } = useRoomView();
  const { value } = useRequest(
    useCallback(
      async () => dataUrlOf(await (await (await client.uploads()).read(room.id, id)).text()),
      [client, room.id, id],
    ),
  );
  if (value?.address === undefined) return undefined;
  return (
    <span className={styles.picture}>
      <img src={value.address} alt={texts.picture(toVisible(name))} decoding="async" />
    </span>
  );
};

/** Returns the text as the address of an image, or undefined if it is not an SVG. */
const dataUrlOf = (text: string): { readonly address: string | undefined } => ({
  address: text.trimStart().startsWith("<svg")
    ? `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text.toWellFormed())}`
    : undefined,
});
