/** The type, the size and the first bytes of a download. */
import { isHearthError } from "@hearth/protocol";

export interface Beginning {
  readonly type: string;
  readonly sizeBytes: number;
  /** The first part as text. Absent for other types than text. */
  readonly text?: string;
  /** The text is not all of the file. */
  readonly isCut: boolean;
}

/** Longer texts are shown up to here. */
export const MAX_PREVIEW_BYTES = 256 * 1024;

/** `ask` requests the first bytes. An empty file has no range of them. */
export const readBeginning = async (ask: () => Promise<Response>): Promise<Beginning> => {
  try {
    return await read(await ask());
  } catch (error) {
    if (isHearthError(error, "attachment.range")) return { type: "", sizeBytes: 0, isCut: false };
    throw error;
  }
};

/** Reads no more than the preview needs, and ends the download. */
const read = async ({ headers, body }: Response): Promise<Beginning> => {
  const [type = ""] = (headers.get("content-type") ?? "").split(";");
  const sizeBytes = Number(/\/(\d+)$/u.exec(headers.get("content-range") ?? "")?.[1] ?? 0);
  if (body === null) return { type, sizeBytes, isCut: false };
  const reader = body.getReader();
  try {
    if (type !== "text/plain") return { type, sizeBytes, isCut: false };
    const decoder = new TextDecoder();
    let text = "";
    let length = 0;
    while (length < MAX_PREVIEW_BYTES) {
      const { done, value } = await reader.read();
      if (done) break;
      const piece = value.subarray(0, MAX_PREVIEW_BYTES - length);
      length += piece.length;
      text += decoder.decode(piece, { stream: true });
    }
    return { type, sizeBytes, text, isCut: length < sizeBytes };
  } finally {
    reader.cancel().catch(() => {
      // The download ends either way.
    });
  }
};
