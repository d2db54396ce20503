/** The type, the size and the first bytes of a download. */

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

/** Reads no more than the preview needs, and ends the download. */
export const readBeginning = async (response: Response): Promise<Beginning> => {
  const [type = ""] = (response.headers.get("content-type") ?? "").split(";");
  const sizeBytes = Number(response.headers.get("content-length") ?? 0);
  if (response.body === null) return { type, sizeBytes, isCut: false };
  const reader = response.body.getReader();
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
