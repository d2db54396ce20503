/** The interface of embedders, which turn texts into vectors. */

/**
 * Turns texts into vectors.
 *
 * Contract, checked by `embedderConformance`:
 * - one vector per text, in order, of length 1 and `dimensions` numbers; the same text gives the
 *   same vector in every batch
 * - an empty text, lone surrogates and a text of any length have a vector as well
 * - an aborted signal rejects soon with `memory.aborted`; a missing model or a failing server
 *   throws `memory.no-embedder` with a hint
 */
export interface Embedder extends AsyncDisposable {
  /** The name of the model and its precision. Vectors of embedders with different names are never compared. */
  readonly name: string;
  readonly dimensions: number;
  /**
   * Preferred batch size. It is 1 for a local model, which is not faster with batches, and larger
   * for a server.
   */
  readonly batchSize: number;
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]>;
}
