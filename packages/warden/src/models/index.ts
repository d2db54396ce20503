/** The entry of the area `models`: everything that other areas use of it and that a start loads. */
export type { Catalog } from "./catalog/catalog.ts";
export { type Models, type ModelsOptions, openModels } from "./open.ts";
export type { Media } from "./media/media.ts";
export type { ModelInfo } from "./catalog/model-info.ts";
export type { CallContext, Provider, ProviderFactory, ReadFile, ReadText, ScalePart } from "./provider.ts";
export { isRetryable, truncatedAttempt } from "./resilience/attempt.ts";
export type { ChargeGate, RequestOutcome } from "./resilience/charge.ts";
export { createDeadline } from "./resilience/deadline.ts";
export type { Failure } from "./resilience/failure.ts";
export { byPrefix, type CandidateModel, candidateAt, findByName, vendorModelOf } from "./wires/candidate-models.ts";
export { asObject, parseJson } from "./wires/json.ts";
export { type Json, cleanObject } from "./wires/text.ts";
export type { Descriptions, PreparedDescription } from "./descriptions/descriptions.ts";
export type { RunSpeech } from "./voice/speaker.ts";
export type { Picture, PictureOrder } from "./pictures/picture-provider.ts";
export type { Pictures, PreparedPictures } from "./pictures/pictures.ts";
export type { PreparedSpeech, PreparedTranscription, Voice, VoicePart } from "./voice/voice.ts";
