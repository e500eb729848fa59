import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import type { Span } from './span.ts';

/** The part of secretlint's interface between a rule and what runs it that is needed here. */
interface Rule {
  readonly meta: { readonly id: string };
  create(
    context: {
      createTranslator(): (id: string) => { readonly messageId: string };
      report(found: { readonly message: unknown; readonly range: readonly number[] }): void;
      ignore(): void;
      readonly sharedOptions: object;
    },
    options: object,
  ): { file?(source: object): unknown };
}

const NAME = '@secretlint/secretlint-rule-';
// Comments in a memory must not switch rules off. A file of keys is no text.
const LEFT_OUT = new Set([`${NAME}filter-comments`, `${NAME}gcp`]);
// Addresses keep all but their password: that has a rule of our own.
const ADDRESSES = new Set([`${NAME}basicauth`, `${NAME}database-connection-string`]);
const active = (rules as unknown as readonly Rule[]).filter(
  ({ meta }) => !LEFT_OUT.has(meta.id) && !ADDRESSES.has(meta.id),
);

/** What secretlint's recommended rules find. They run directly: secretlint's own runner keeps a record of every run. */
export function findByRuleSet(content: string): Span[] {
  const spans: Span[] = [];
  for (const rule of active) {
    const kind = rule.meta.id.slice(NAME.length);
    const context = {
      createTranslator: () => (id: string) => ({ messageId: id }),
      report: ({ range: [start = 0, end = 0] }: { readonly range: readonly number[] }) => {
        spans.push({ start, end, kind });
      },
      ignore: () => {},
      sharedOptions: {},
    };
    rule.create(context, {}).file?.({ content, filePath: '/memory.txt', ext: '.txt', contentType: 'text' });
  }
  return spans;
}
