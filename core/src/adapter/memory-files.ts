import { z } from 'zod';
import { type AgentMemory, type CallOptions, type Input, routes } from '../app/contract.ts';
import { invalid, SvcError } from '../kernel/contract/errors.ts';
import { requireOptions } from './options.ts';

/** A command of Anthropic's memory tool (`memory_20250818`), with its fields. The memory says whose files they are. */
export type FileCommand = Omit<Input<'fileCommand'>, 'user_id'>;
type CommandName = FileCommand['command'];
/** The fields of one command; models also send its name. */
type Fields = Omit<FileCommand, 'command'> & { readonly command?: CommandName };

/**
 * The six commands on one agent's memory: `betaMemoryTool(memoryFiles(memory))` of `@anthropic-ai/sdk` takes it as it is.
 * Each answers the text for the model and throws an `Error` with the text that the tool's documentation gives for it;
 * `run` takes any of the commands and answers that text, too.
 */
export type MemoryFiles = {
  readonly [Name in CommandName]: (fields: Fields) => Promise<string>;
} & {
  /** Answers what went wrong as text, so that a model can mend it; throws only where `signal` is aborted. */
  run(command: unknown, options?: CallOptions): Promise<string>;
};

/**
 * Memory as files below `/memories`, by the commands of Anthropic's memory tool.
 *
 * @throws TypeError where `memory` is none.
 */
export function memoryFiles(memory: AgentMemory): MemoryFiles {
  requireOptions('memoryFiles', { memory });
  const call = async (input: unknown, options?: CallOptions): Promise<string> => {
    try {
      if (Object(input).user_id !== undefined)
        throw invalid('user_id', 'the program decides on this; leave it out');
      // The operation checks what the model sent, and says what to mend.
      const { text, redacted } = await memory.fileCommand(input as FileCommand, options);
      const kinds = (redacted ?? []).map(({ kind }) => kind).join(', ');
      return kinds === '' ? text : `${text}\nSecrets are not kept: ${kinds} was taken out of the text.`;
    } catch (error) {
      options?.signal?.throwIfAborted();
      throw new Error(textOf(error), { cause: error });
    }
  };
  const named = (command: CommandName) => (fields: Fields) => call({ ...fields, command });
  return {
    view: named('view'),
    create: named('create'),
    str_replace: named('str_replace'),
    insert: named('insert'),
    delete: named('delete'),
    rename: named('rename'),
    run: (command, options) =>
      call(command, options).catch((error: unknown) => {
        options?.signal?.throwIfAborted();
        return error instanceof Error ? error.message : String(error);
      }),
  };
}

/** Texts of the documentation that do not begin with `Error: `, as all others do. */
const AS_THEY_ARE = /^(?:Error: |The path |No replacement was performed|File )/;

function textOf(error: unknown): string {
  const { message } = error instanceof SvcError ? error : new Error('The memory service cannot be used now.');
  return AS_THEY_ARE.test(message) ? message : `Error: ${message}`;
}

/** The memory tool for models of any provider: Anthropic's own knows it without. */
export function describeFileTool(): {
  readonly name: 'memory';
  readonly description: string;
  readonly input_schema: Record<string, unknown>;
} {
  const { $schema: _, ...schema } = z.toJSONSchema(routes.fileCommand.request, {
    io: 'input',
    unrepresentable: 'any',
  });
  const { user_id: _user, ...properties } = Object(schema.properties);
  return {
    name: 'memory',
    description:
      'Your files under /memories, which outlast this conversation. View /memories before you begin, and keep there what you learn and where your work stands: command view (path; of a file also view_range), create (path, file_text), str_replace (path, old_str, new_str), insert (path, insert_line, insert_text), delete (path), rename (old_path, new_path). Files in /memories/identity and /memories/soul say who you are; your human decides on changes to them.',
    input_schema: { ...schema, properties },
  };
}
