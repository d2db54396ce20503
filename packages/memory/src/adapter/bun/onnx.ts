/** Writes an ONNX model in memory, node by node. */
import { bytes, float, integer, join, message, type Pieces, text, toBytes } from "./protobuf.ts";

/** Name of a value in the graph. An empty name omits an optional input. */
type Value = string;
type Attribute = number | { readonly float: number };
type Dimension = number | string;

interface Operation {
  readonly attributes?: Readonly<Record<string, Attribute>>;
  /** The operator set. The default is the standard one of ONNX. */
  readonly domain?: string;
}

export interface OnnxGraph {
  /** Adds a constant. The type of the array sets the element type; 16 bits are half floats. */
  constant(name: string, shape: readonly number[], data: Constant): Value;
  /** Adds a node with one result and returns its name. */
  node(operator: string, inputs: readonly Value[], output: Value, operation?: Operation): Value;
  /** Adds a node with several results. */
  multiOutputNode(
    operator: string,
    inputs: readonly Value[],
    outputs: readonly Value[],
    operation?: Operation,
  ): readonly Value[];
  finish(ends: { readonly input: ValueInfo; readonly output: ValueInfo }): Uint8Array;
}

export type Constant = Float32Array | Uint16Array | Int8Array | BigInt64Array;

/** An input of 64-bit integers or an output of floats. */
interface ValueInfo {
  readonly name: string;
  /** The sizes. A string names a size that is known only at run time. */
  readonly shape: readonly Dimension[];
}

/** Constants of the ONNX format: element types and versions. */
export const FLOAT = 1;
const INT8 = 3;
export const INT64 = 7;
const FLOAT16 = 10;
const IR_VERSION = 9;
const OPERATOR_SET_VERSION = 20;
export const MICROSOFT_DOMAIN = "com.microsoft";

export const createOnnxGraph = (name: string): OnnxGraph => {
  const nodes: Pieces[] = [];
  const constants: Pieces[] = [];

  const addNode: OnnxGraph["multiOutputNode"] = (operator, inputs, outputs, { attributes = {}, domain = "" } = {}) => {
    nodes.push(
      join(
        ...inputs.map((input) => text(1, input)),
        ...outputs.map((output) => text(2, output)),
        text(4, operator),
        ...Object.entries(attributes).map(([key, value]) => message(5, toAttribute(key, value))),
        text(7, domain),
      ),
    );
    return outputs;
  };

  return {
    multiOutputNode: addNode,
    constant(constant, shape, data) {
      const type = integer(2, typeOf(data));
      constants.push(join(...shape.map((size) => integer(1, size)), type, text(8, constant), bytes(9, data)));
      return constant;
    },
    node(operator, inputs, output, operation) {
      addNode(operator, inputs, [output], operation);
      return output;
    },
    finish({ input, output }) {
      const graph = join(
        ...nodes.map((node) => message(1, node)),
        text(2, name),
        ...constants.map((constant) => message(5, constant)),
        message(11, toValueInfo(input, INT64)),
        message(12, toValueInfo(output, FLOAT)),
      );
      const operators = (domain: string, version: number): Pieces =>
        message(8, join(text(1, domain), integer(2, version)));
      return toBytes(
        join(
          integer(1, IR_VERSION),
          message(7, graph),
          operators("", OPERATOR_SET_VERSION),
          operators(MICROSOFT_DOMAIN, 1),
        ),
      );
    },
  };
};

const typeOf = (data: Constant): number => {
  if (data instanceof Float32Array) return FLOAT;
  if (data instanceof Uint16Array) return FLOAT16;
  return data instanceof Int8Array ? INT8 : INT64;
};

const toAttribute = (name: string, value: Attribute): Pieces =>
  typeof value === "number"
    ? join(text(1, name), integer(3, value), integer(20, 2))
    : join(text(1, name), float(2, value.float), integer(20, 1));

const toValueInfo = ({ name, shape }: ValueInfo, type: number): Pieces => {
  const sizes = shape.map((size) => message(1, typeof size === "number" ? integer(1, size) : text(2, size)));
  return join(text(1, name), message(2, message(1, join(integer(1, type), message(2, join(...sizes))))));
};
