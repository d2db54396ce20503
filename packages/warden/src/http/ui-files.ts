/** The built UI: files by path. The adapter provides them. */

/** Base path of the UI. `/ui` without the slash redirects to it. */
export const UI_PATH = "/ui/";

export interface UiFile {
  /** The file's bytes, plain or as gzip. The sender sets `content-encoding`. */
  readonly body: Uint8Array<ArrayBuffer>;
  readonly gzipped: Uint8Array<ArrayBuffer> | undefined;
  /** A `content-type`. */
  readonly type: string;
  /** A strong validator of the bytes. */
  readonly etag: string;
  /** Whether its name holds the hash of its content, so that it never changes. */
  readonly isImmutable: boolean;
  /** The language of a document, for example `de`. Undefined for all other files. */
  readonly language?: string | undefined;
  /** Whether the UI shows it in a frame, which has no origin and no network. */
  readonly isFrame?: boolean;
}

export interface UiFiles {
  /**
   * Finds the file at a path below `/ui/`, without that prefix; "" and every path that is a page of
   * the app give the document. `undefined` for a missing file with an extension. Builds the UI
   * first if necessary. Throws `ui.unbuilt`.
   *
   * `languages`: language codes, the preferred one first. The document is in the first of them that
   * the UI has, or in English.
   */
  find(path: string, languages?: readonly string[]): Promise<UiFile | undefined>;
}
