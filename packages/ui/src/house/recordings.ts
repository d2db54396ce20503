/** Recordings of the microphone, which survive a reload of the page. */

/** A recording in progress. */
export interface Recording {
  /** Resolves when the recording has ended, also when the browser took the microphone away. */
  readonly ended: Promise<void>;
  /** Ends the recording and returns it as WAV: 16 kHz, mono, 16 bits, which every transcriber reads. */
  finish(): Promise<Blob>;
  /** Ends the recording. Nothing is written to the device after this resolves. */
  cancel(): Promise<void>;
  /** Ends the recording and keeps it on the device, where `recover` finds it. */
  stopAndKeep(): void;
}

/** Contract: each second of a recording is stored on this device within a second, until `forget` removes it. */
export interface Recordings {
  /** Asks the user for the microphone. Rejects with a remedy if the device has no microphone, or the user denies it. */
  start(key: string): Promise<Recording>;
  /** The recording under this key that was not forgotten, as WAV. */
  recover(key: string): Promise<Blob | undefined>;
  forget(key: string): Promise<void>;
}
