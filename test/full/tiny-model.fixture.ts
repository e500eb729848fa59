import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Words of the tiny model; those in one group have nearly the same vector. */
const GROUPS = [
  ['puppy', 'dog', 'hound'],
  ['kettle', 'teapot'],
  ['garden', 'beds', 'compost'],
] as const;
const WORDS = ['[PAD]', '[UNK]', ...GROUPS.flat()];
const DIMENSIONS = 8;

/**
 * Writes a sentence model for transformers.js as the hub holds them, only tiny: one look-up of word vectors, in ONNX's
 * protobuf format, and a tokenizer of a dozen words.
 */
export async function writeTinyModel(folder: string): Promise<void> {
  await write(folder, 'BertModel', sentenceModel());
}

/**
 * Writes a cross-encoder likewise: its score is what the best word of query and document is worth, 1 for "kettle", 0.5 for
 * "garden", 0 for others.
 */
export async function writeTinyCrossEncoder(folder: string): Promise<void> {
  await write(folder, 'BertForSequenceClassification', crossEncoder());
}

async function write(folder: string, architecture: string, model: Uint8Array): Promise<void> {
  await mkdir(join(folder, 'onnx'), { recursive: true });
  const json = (name: string, value: unknown) => writeFile(join(folder, name), JSON.stringify(value));
  await json('config.json', { model_type: 'bert', architectures: [architecture] });
  await json('tokenizer_config.json', {
    tokenizer_class: 'PreTrainedTokenizerFast',
    pad_token: '[PAD]',
    unk_token: '[UNK]',
    model_max_length: 64,
  });
  await json('tokenizer.json', {
    version: '1.0',
    added_tokens: ['[PAD]', '[UNK]'].map((content, id) => ({ id, content, special: true })),
    normalizer: { type: 'Lowercase' },
    pre_tokenizer: { type: 'Whitespace' },
    post_processor: null,
    decoder: null,
    model: {
      type: 'WordLevel',
      vocab: Object.fromEntries(WORDS.map((word, id) => [word, id])),
      unk_token: '[UNK]',
    },
  });
  await writeFile(join(folder, 'onnx', 'model_quantized.onnx'), model);
}

/** Group and a little of its own. */
function weights(): Float32Array {
  const values = new Float32Array(WORDS.length * DIMENSIONS);
  WORDS.forEach((word, row) => {
    const group = GROUPS.findIndex((words) => (words as readonly string[]).includes(word));
    values[row * DIMENSIONS + (group < 0 ? DIMENSIONS - 1 : group)] = 1;
    values[row * DIMENSIONS + 3 + (row % 4)] = 0.2;
  });
  return values;
}

const FLOAT = 1;
const INT64 = 7;
/** Types of attributes. */
const INT = 2;
const INTS = 7;

function sentenceModel(): Uint8Array {
  return onnx({
    words: { width: DIMENSIONS, values: weights() },
    nodes: [node('Gather', ['words', 'input_ids'], 'last_hidden_state')],
    output: value('last_hidden_state', FLOAT, ['batch', 'length', DIMENSIONS]),
  });
}

function crossEncoder(): Uint8Array {
  const worth = WORDS.map((word) => (word === 'kettle' ? 1 : word === 'garden' ? 0.5 : 0));
  const axes = message([text(1, 'axes'), number(8, 1), number(20, INTS)]);
  const keep = message([text(1, 'keepdims'), number(3, 0), number(20, INT)]);
  return onnx({
    words: { width: 1, values: Float32Array.from(worth) },
    nodes: [
      node('Gather', ['words', 'input_ids'], 'worth'),
      node('ReduceMax', ['worth'], 'logits', [axes, keep]),
    ],
    output: value('logits', FLOAT, ['batch', 1]),
  });
}

interface Graph {
  /** A row for each word. */
  readonly words: { readonly width: number; readonly values: Float32Array };
  readonly nodes: readonly Uint8Array[];
  readonly output: Uint8Array;
}

function onnx({ words, nodes, output }: Graph): Uint8Array {
  const tensor = message([
    ...[WORDS.length, words.width].map((size) => number(1, size)),
    number(2, FLOAT),
    text(8, 'words'),
    bytes(9, new Uint8Array(words.values.buffer)),
  ]);
  const graph = message([
    ...nodes.map((one) => bytes(1, one)),
    text(2, 'tiny'),
    bytes(5, tensor),
    bytes(11, value('input_ids', INT64, ['batch', 'length'])),
    bytes(12, output),
  ]);
  const opset = message([text(1, ''), number(2, 13)]);
  return message([number(1, 8), bytes(7, graph), bytes(8, opset)]);
}

function node(
  operator: string,
  inputs: readonly string[],
  output: string,
  attributes: readonly Uint8Array[] = [],
): Uint8Array {
  return message([
    ...inputs.map((input) => text(1, input)),
    text(2, output),
    text(4, operator),
    ...attributes.map((attribute) => bytes(5, attribute)),
  ]);
}

function value(name: string, type: number, shape: readonly (string | number)[]): Uint8Array {
  const dimensions = shape.map((size) =>
    bytes(1, message([typeof size === 'string' ? text(2, size) : number(1, size)])),
  );
  const tensor = message([number(1, type), bytes(2, message(dimensions))]);
  return message([text(1, name), bytes(2, message([bytes(1, tensor)]))]);
}

function message(fields: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(fields);
}

function number(field: number, size: number): Uint8Array {
  return Buffer.from([...varint(field << 3), ...varint(size)]);
}

function bytes(field: number, content: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from([...varint((field << 3) | 2), ...varint(content.length)]), content]);
}

function text(field: number, content: string): Uint8Array {
  return bytes(field, Buffer.from(content));
}

function varint(size: number): number[] {
  const last = size % 128;
  return size < 128 ? [last] : [last + 128, ...varint(Math.floor(size / 128))];
}
