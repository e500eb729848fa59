import { t } from '@lingui/core/macro';
import type { fields } from '@svc-memory/core/contract';
import { formatMoment, formatShare } from './format.ts';
import { categoryName, TYPE_NAMES } from './names.ts';

/** What the fields of a memory are called that change beside its text. */
export const FIELD_NAMES = {
  type: t`type`,
  category: t`category`,
  key: t`key`,
  tags: t`tags`,
  importance: t`importance`,
  occurred_at: t`occurred at`,
  valid_from: t`valid from`,
  valid_to: t`valid to`,
  expires_at: t`expires at`,
  metadata: t`metadata`,
} as const;
type Name = keyof typeof FIELD_NAMES;
export const FIELDS = Object.keys(FIELD_NAMES) as Name[];

/** The fields of a memory, as a version or a change of it has them. */
type Fields = Readonly<Partial<Record<Exclude<Name, 'type'>, unknown>>> & {
  readonly type: fields.MemoryType;
};

/** Writes the value of a field for a human. */
export function fieldText(name: Name, fields: Fields): string {
  const value = fields[name];
  if (value === null || value === undefined) return t`none`;
  if (Array.isArray(value)) return value.length === 0 ? t`none` : value.join(', ');
  switch (name) {
    case 'type':
      return TYPE_NAMES[fields.type];
    case 'category':
      return categoryName(String(value));
    case 'importance':
      return formatShare(Number(value));
    case 'occurred_at':
    case 'valid_from':
    case 'valid_to':
    case 'expires_at':
      return formatMoment(String(value));
    case 'metadata':
      return Object.keys(value).length === 0 ? t`none` : JSON.stringify(value);
    default:
      return String(value);
  }
}
