import { type NodePath, type PluginItem, type PluginObj, transformAsync, traverse, types } from '@babel/core';
import macros from '@lingui/babel-plugin-lingui-macro';
import { makeConfig } from '@lingui/conf';
import { i18n } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { generateMessageId } from '@lingui/message-utils/generateMessageId';
import type { Plugin } from 'vite';

const linguiConfig = makeConfig({ locales: ['en', 'de'], sourceLocale: 'en' });

/** Turns the macros of Lingui (`t`, `Trans`, `plural`) into calls that hold the English text. */
async function expand(source: string, filename: string, others: readonly PluginItem[] = []) {
  const expanded = await transformAsync(source, {
    filename,
    configFile: false,
    babelrc: false,
    sourceMaps: true,
    ast: true,
    parserOpts: { plugins: ['typescript', 'jsx'] },
    plugins: [[macros, { linguiConfig, stripMessageField: false }], ...others],
  });
  const { code, map, ast } = expanded ?? {};
  if (typeof code !== 'string' || !ast) throw new TypeError(`${filename} has no code`);
  return { code, map: map ?? null, ast };
}

/** Makes the texts of the dashboard translatable: in the sources, and in the catalogs, whose keys are the English texts. */
export function translations(): Plugin {
  return {
    name: 'translations',
    enforce: 'pre',
    async transform(code, id) {
      if (/\/language\/\w+\.json$/.test(id)) return { code: compileCatalog(code), map: null };
      if (!/\.tsx?$/.test(id) || !code.includes('/macro')) return undefined;
      const expanded = await expand(code, id, [compileMessages]);
      return { code: expanded.code, map: expanded.map };
    },
  };
}

/** What a catalog file holds, by the English text. */
export interface Catalog {
  /** The texts of the dashboard. */
  readonly texts: Readonly<Record<string, string>>;
  /** Texts that the service makes. */
  readonly server: Readonly<Record<string, string>>;
}

/** A catalog as the browser takes it: compiled, and by the id of each message, which of the service's is the text itself. */
function compileCatalog(json: string): string {
  const { texts, server }: Catalog = JSON.parse(json);
  const compiled = [
    ...Object.entries(texts).map(([english, text]) => [generateMessageId(english), compileMessage(text)]),
    ...Object.entries(server).map(([english, text]) => [english, compileMessage(text)]),
  ];
  return JSON.stringify(Object.fromEntries(compiled));
}

/** Makes the texts of the service in a catalog known outside of a browser. */
export function activateServerTexts({ server }: Catalog): void {
  i18n.setMessagesCompiler(compileMessage);
  i18n.loadAndActivate({ locale: 'de', messages: { ...server } });
}

/** The message of a call or element that a macro was turned into. */
function messageOf({ node }: NodePath<types.ObjectExpression>) {
  if (!node.leadingComments?.some(({ value }) => value === 'i18n')) return undefined;
  for (const property of node.properties) {
    if (!types.isObjectProperty(property) || !types.isIdentifier(property.key, { name: 'message' })) continue;
    if (types.isStringLiteral(property.value)) return { property, text: property.value.value };
  }
  return undefined;
}

/** Compiles the English messages, so that the browser needs no compiler. */
function compileMessages(): PluginObj {
  return {
    visitor: {
      Program: {
        exit: (program) =>
          program.traverse({
            ObjectExpression(path) {
              const message = messageOf(path);
              if (message) message.property.value = types.valueToNode(compileMessage(message.text));
            },
          }),
      },
    },
  };
}

/** The English messages in a source file, as the keys of catalogs. */
export async function messagesIn(code: string, filename: string): Promise<string[]> {
  const { ast } = await expand(code, filename);
  const messages: string[] = [];
  traverse(ast, {
    ObjectExpression(path: NodePath<types.ObjectExpression>) {
      const message = messageOf(path);
      if (message) messages.push(message.text);
    },
  });
  return messages;
}
