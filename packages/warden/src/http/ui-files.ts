/** The built UI as the port sees it: files by path. Where they come from is the adapter's. */

/** Where the port serves it. `/ui` without the slash leads there. */
export const UI_PATH = "/ui/";

export interface UiFile {
  /** The file's bytes, or the same as gzip: `content-encoding` is set by whoever sends it. */
  readonly body: Uint8Array<ArrayBuffer>;
  readonly gzipped: Uint8Array<ArrayBuffer> | undefined;
  /** A `content-type`. */
  readonly type: string;
  /** A strong validator of the bytes. */
  readonly etag: string;
  /** Its name holds the hash of its content: it never changes. */
  readonly isImmutable: boolean;
}

export interface UiFiles {
  /**
   * The file at a path below `/ui/`, without that prefix; "" and every path that is a page of the app give the document.
   * `undefined` for a name with an extension that is not there. Builds the UI first where it must. Throws `ui.unbuilt`.
   */
  find(path: string): Promise<UiFile | undefined>;
}
