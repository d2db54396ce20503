/** Reads the type, the size and the first bytes of a download. */
import { isHearthError } from "@hearth/protocol";

export interface Beginning {
  readonly type: string;
  readonly sizeBytes: number;
  /** The first part of a text file. Undefined for other types. */
  readonly text?: string;
  /** Whether the file has more text than `text`. */
  readonly isCut: boolean;
}

/** Maximum size of a text preview. */
export const MAX_PREVIEW_BYTES = 256 * 1024;

/**
 * Reads the beginning of a file. `requestFirstBytes` requests its first bytes. An empty file answers that request
 * with 416.
 */
export const readBeginning = async (requestFirstBytes: () => Promise<Response>): Promise<Beginning> => {
  try {
    return await readPreview(await requestFirstBytes());
  } catch (error) {
    if (isHearthError(error, "attachment.range")) return { type: "", sizeBytes: 0, isCut: false };
    throw error;
  }
};

/** Reads as much as the preview needs, and then ends the download. */
const readPreview = async ({ headers, body }: Response): Promise<Beginning> => {
  const [type = ""] = (headers.get("content-type") ?? "").split(";");
  const sizeBytes = Number(/\/(\d+)$/u.exec(headers.get("content-range") ?? "")?.[1] ?? 0);
  if (body === null) return { type, sizeBytes, isCut: false };
  const reader = body.getReader();
  try {
    if (type !== "text/plain") return { type, sizeBytes, isCut: false };
    const decoder = new TextDecoder();
    let text = "";
    let byteCount = 0;
    while (byteCount < MAX_PREVIEW_BYTES) {
      const { done, value } = await reader.read();
      if (done) break;
      const chunk = value.subarray(0, MAX_PREVIEW_BYTES - byteCount);
      byteCount += chunk.length;
      text += decoder.decode(chunk, { stream: true });
    }
    return { type, sizeBytes, text, isCut: byteCount < sizeBytes };
  } finally {
    reader.cancel().catch(() => {
      // A failed cancellation needs no handling, because the download has ended.
    });
  }
};
