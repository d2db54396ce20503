/** Parses the parameters of the fake Bot API and formats its answers. */

export type Json = Readonly<Record<string, unknown>>;

export interface BotButton {
  readonly text: string;
  readonly callback_data: string;
}

/** Returns all buttons of all rows, or undefined when the word of a button is missing or too long. */
export const readKeyboard = (markup: unknown): readonly BotButton[] | undefined => {
  const rows = ((markup ?? {}) as Json)["inline_keyboard"];
  const buttons = (Array.isArray(rows) ? rows : []).flat() as BotButton[];
  const isValid = ({ text: label, callback_data: word }: BotButton): boolean => {
    const { length } = new TextEncoder().encode(word);
    return label !== "" && length >= 1 && length <= 64;
  };
  return buttons.every(isValid) ? buttons : undefined;
};

export const okResponse = (result: unknown): Response => Response.json({ ok: true, result });

export const errorResponse = (status: number, description: string, retryAfter?: number): Response =>
  Response.json(
    {
      ok: false,
      error_code: status,
      description,
      ...(retryAfter === undefined ? {} : { parameters: { retry_after: retryAfter } }),
    },
    { status },
  );

export const neverAnswer = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    const end = (): void => reject(new DOMException("The connection was closed.", "AbortError"));
    if (signal.aborted) return end();
    signal.addEventListener("abort", end, { once: true });
  });

/**
 * Cleans a text as the server does: controls become spaces, direction marks are removed, the ends
 * are trimmed.
 */
export const cleanText = (text: string): string =>
  text
    .replace(/(?!\n)\p{Cc}/gu, " ")
    .replace(/[\u202a-\u202e]/g, "")
    .trim();

export const toText = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";
export const toInteger = (value: unknown): number | undefined => {
  const number = typeof value === "string" && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) ? number : undefined;
};

export interface UploadedFile {
  /** The parameter that contains the file. */
  readonly field: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Reads a form, in which a parameter that is an object is JSON. */
export const readForm = async (
  form: FormData,
): Promise<{ readonly parameters: Json; readonly file?: UploadedFile }> => {
  const parameters: Record<string, unknown> = {};
  let file: UploadedFile | undefined;
  for (const [field, value] of form) {
    if (typeof value === "string") parameters[field] = field.startsWith("reply_") ? JSON.parse(value) : value;
    else file = { field, name: value.name, type: value.type, bytes: await value.bytes() };
  }
  return file === undefined ? { parameters } : { parameters, file };
};
