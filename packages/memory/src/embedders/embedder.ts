/** Texts as vectors. */

/**
 * Contract, checked by `embedderConformance`:
 * - one vector per text, in order, of length 1 and `dimensions` numbers; the same text gives the same vector, whatever it is embedded with
 * - an empty text, lone surrogates and a text of any length have a vector as well
 * - a signal that is aborted rejects soon with `memory.aborted`; a model that is missing or a peer that refuses throws `memory.no-embedder` with
 *   what to do next
 */
export interface Embedder extends AsyncDisposable {
  /** Names model and precision. Vectors of different names are never compared. */
  readonly name: string;
  readonly dimensions: number;
  /** How many texts it embeds best at once: one where each takes its own time anyway, many where a peer is asked. */
  readonly together: number;
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]>;
}
