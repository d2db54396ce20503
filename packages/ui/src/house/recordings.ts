/** Recordings of the microphone, which survive a reload of the page. */

/** A recording in progress. */
export interface Recording {
  /** Resolves when it ended for another reason than a call: the microphone was taken away. */
  readonly ended: Promise<void>;
  /** Ends it, and returns all of it as WAV: 16 kHz, mono, 16 bits, which every transcriber reads. */
  finish(): Promise<Blob>;
  /** Ends it. Nothing of it is written after this resolves. */
  cancel(): Promise<void>;
  /** Ends it, and keeps what was recorded for `left`. */
  leave(): void;
}

/** Contract: each second of a recording is on this device a second later, until `forget`. */
export interface Recordings {
  /** Asks the user for the microphone. Rejects with a remedy if the device has no microphone, or the user denies it. */
  start(key: string): Promise<Recording>;
  /** The recording under this key that was not forgotten, as WAV. */
  left(key: string): Promise<Blob | undefined>;
  forget(key: string): Promise<void>;
}
