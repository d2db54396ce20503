/**
 * Builds the graph of all-MiniLM-L6-v2 from half-float weights: six BERT layers, the mean over the
 * tokens, normalized to length 1. Matrix products use 8-bit integers. The scale of each input is
 * found at run time, for one text at a time.
 */
import { createOnnxGraph, FLOAT, MICROSOFT_DOMAIN, type OnnxGraph } from "./onnx.ts";
import type { Weights } from "./safetensors.ts";

export const DIMENSIONS = 384;
const VOCABULARY_SIZE = 30_522;
const POSITION_COUNT = 512;
const LAYER_COUNT = 6;
const HEAD_COUNT = 12;
const INTERMEDIATE_SIZE = 1536;

/** Names of the input, token ids of shape 1 × length, and of the output vector. */
export const INPUT = "tokens";
export const OUTPUT = "embedding";

export const buildMiniLm = (weights: Weights): Uint8Array => {
  const graph = createOnnxGraph("MiniLM");
  let state = addEmbeddings(graph, weights);
  for (let layer = 0; layer < LAYER_COUNT; layer += 1)
    state = addLayer(graph, weights, `encoder.layer.${layer}.`, state);
  const mean = graph.node("ReduceMean", [state, "one"], "mean", { attributes: { keepdims: 0 } });
  graph.node("LpNormalization", [mean], OUTPUT, { attributes: { axis: -1, p: 2 } });
  return graph.finish({
    input: { name: INPUT, shape: [1, "length"] },
    output: { name: OUTPUT, shape: [1, DIMENSIONS] },
  });
};

/**
 * Adds word and position embeddings. The word table stays in half floats, because it is the largest
 * part of the model.
 */
const addEmbeddings = (graph: OnnxGraph, weights: Weights): string => {
  const words = weights.halfFloats("embeddings.word_embeddings.weight", [VOCABULARY_SIZE, DIMENSIONS]);
  const tokenTypes = weights.floats("embeddings.token_type_embeddings.weight", [2, DIMENSIONS]);
  const positions = weights
    .floats("embeddings.position_embeddings.weight", [POSITION_COUNT, DIMENSIONS])
    // Every text has token type 0.
    .map((value, index) => value + (tokenTypes[index % DIMENSIONS] ?? 0));
  graph.constant("words", [VOCABULARY_SIZE, DIMENSIONS], words);
  graph.constant("places", [POSITION_COUNT, DIMENSIONS], positions);
  graph.constant("zero", [1], BigInt64Array.of(0n));
  graph.constant("one", [1], BigInt64Array.of(1n));
  graph.constant("two", [1], BigInt64Array.of(2n));
  const gathered = graph.node("Gather", ["words", INPUT], "gathered");
  const floats = graph.node("Cast", [gathered], "gathered.floats", { attributes: { to: FLOAT } });
  const length = graph.node("Slice", [graph.node("Shape", [INPUT], "shape"), "one", "two"], "length");
  const positionRows = graph.node("Slice", ["places", "zero", length, "zero"], "placed");
  return addNorm(graph, weights, "embeddings.LayerNorm", graph.node("Add", [floats, positionRows], "embedded"));
};

const addLayer = (graph: OnnxGraph, weights: Weights, layer: string, state: string): string => {
  const parts = ["query", "key", "value"].map((part) => readLinear(weights, `${layer}attention.self.${part}`));
  const joined = addLinear(graph, `${layer}qkv`, state, joinLinears(parts));
  const split = graph.multiOutputNode("Split", [joined], [`${layer}q`, `${layer}k`, `${layer}v`], {
    attributes: { axis: -1, num_outputs: 3 },
  });
  const attention = graph.node("MultiHeadAttention", split, `${layer}attention`, {
    attributes: { num_heads: HEAD_COUNT },
    domain: MICROSOFT_DOMAIN,
  });
  const attended = addResidualBlock(graph, weights, `${layer}attention.output`, attention, state);
  const inner = addLinear(
    graph,
    `${layer}inner`,
    attended,
    readLinear(weights, `${layer}intermediate.dense`, DIMENSIONS, INTERMEDIATE_SIZE),
  );
  return addResidualBlock(
    graph,
    weights,
    `${layer}output`,
    graph.node("Gelu", [inner], `${layer}gelu`),
    attended,
    INTERMEDIATE_SIZE,
  );
};

/** Adds a linear layer, the residual connection and a layer norm. */
const addResidualBlock = (
  graph: OnnxGraph,
  weights: Weights,
  name: string,
  from: string,
  residual: string,
  size = DIMENSIONS,
): string => {
  const product = addLinear(graph, name, from, readLinear(weights, `${name}.dense`, size, DIMENSIONS));
  const sum = graph.node("Add", [product, residual], `${name}.sum`);
  return addNorm(graph, weights, `${name}.LayerNorm`, sum);
};

const addNorm = (graph: OnnxGraph, weights: Weights, name: string, state: string): string => {
  const scale = graph.constant(`${name}.scale`, [DIMENSIONS], weights.floats(`${name}.weight`, [DIMENSIONS]));
  const bias = graph.constant(`${name}.bias`, [DIMENSIONS], weights.floats(`${name}.bias`, [DIMENSIONS]));
  return graph.node("LayerNormalization", [state, scale, bias], `${name}.result`, {
    attributes: { axis: -1, epsilon: { float: 1e-12 } },
  });
};

/** The layer `y = W x + b`. `weight` has a row for each output. */
interface Linear {
  readonly inputs: number;
  readonly outputs: number;
  readonly weight: Float32Array;
  readonly bias: Float32Array;
}

const readLinear = (weights: Weights, name: string, inputs = DIMENSIONS, outputs = DIMENSIONS): Linear => ({
  inputs,
  outputs,
  weight: weights.floats(`${name}.weight`, [outputs, inputs]),
  bias: weights.floats(`${name}.bias`, [outputs]),
});

const joinLinears = (parts: readonly Linear[]): Linear => ({
  inputs: DIMENSIONS,
  outputs: DIMENSIONS * parts.length,
  weight: concat(parts.map(({ weight }) => weight)),
  bias: concat(parts.map(({ bias }) => bias)),
});

const concat = (parts: readonly Float32Array[]): Float32Array => {
  const values = new Float32Array(parts.reduce((size, part) => size + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    values.set(part, offset);
    offset += part.length;
  }
  return values;
};

/** Adds a quantized linear layer. ONNX Runtime fuses the nodes up to the product into one. */
const addLinear = (graph: OnnxGraph, name: string, from: string, linear: Linear): string => {
  const { inputs, outputs } = linear;
  const { quantized, scales } = quantize(linear);
  const weight = graph.constant(`${name}.weight`, [inputs, outputs], quantized);
  const zeros = graph.constant(`${name}.zeros`, [outputs], new Int8Array(outputs));
  const scale = graph.constant(`${name}.scales`, [outputs], scales);
  const bias = graph.constant(`${name}.bias`, [outputs], linear.bias);
  const [quantizedInput = "", inputScale = "", inputZero = ""] = graph.multiOutputNode(
    "DynamicQuantizeLinear",
    [from],
    [`${name}.small`, `${name}.small.scale`, `${name}.small.zero`],
  );
  const product = graph.node("MatMulInteger", [quantizedInput, weight, inputZero, zeros], `${name}.product`);
  const floats = graph.node("Cast", [product], `${name}.floats`, { attributes: { to: FLOAT } });
  const factor = graph.node("Mul", [inputScale, scale], `${name}.factor`);
  const scaled = graph.node("Mul", [floats, factor], `${name}.scaled`);
  return graph.node("Add", [scaled, bias], `${name}.result`);
};

/**
 * Quantizes each output with a separate scale, and transposes the matrix, because the product
 * expects one row per input.
 */
const quantize = ({
  inputs,
  outputs,
  weight,
}: Linear): { readonly quantized: Int8Array; readonly scales: Float32Array } => {
  const quantized = new Int8Array(inputs * outputs);
  const scales = new Float32Array(outputs);
  for (let output = 0; output < outputs; output += 1) {
    const row = weight.subarray(output * inputs, (output + 1) * inputs);
    const scale = row.reduce((maximum, value) => Math.max(maximum, Math.abs(value)), 0) / 127 || 1;
    scales[output] = scale;
    for (let input = 0; input < inputs; input += 1) {
      quantized[input * outputs + output] = Math.round((row[input] ?? 0) / scale);
    }
  }
  return { quantized, scales };
};
