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
  await mkdir(join(folder, 'onnx'), { recursive: true });
  const json = (name: string, value: unknown) => writeFile(join(folder, name), JSON.stringify(value));
  await json('config.json', { model_type: 'bert', architectures: ['BertModel'] });
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
  await writeFile(join(folder, 'onnx', 'model_quantized.onnx'), onnx());
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

function onnx(): Uint8Array {
  const tensor = message([
    ...[WORDS.length, DIMENSIONS].map((size) => number(1, size)),
    number(2, FLOAT),
    text(8, 'words'),
    bytes(9, new Uint8Array(weights().buffer)),
  ]);
  const node = message([
    text(1, 'words'),
    text(1, 'input_ids'),
    text(2, 'last_hidden_state'),
    text(4, 'Gather'),
  ]);
  const graph = message([
    bytes(1, node),
    text(2, 'tiny'),
    bytes(5, tensor),
    bytes(11, value('input_ids', INT64, ['batch', 'length'])),
    bytes(12, value('last_hidden_state', FLOAT, ['batch', 'length', DIMENSIONS])),
  ]);
  const opset = message([text(1, ''), number(2, 13)]);
  return message([number(1, 8), bytes(7, graph), bytes(8, opset)]);
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
