import { fillPlaceholders, type Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';

type Value = string | number;

/** Stands for a value in the text of a statement. */
export type Slot<Values> = (name: keyof Values & string) => SQL | Placeholder;

/** A statement whose text was compiled before. */
export class FixedStatement<Values extends Record<string, Value> = Record<string, Value>>
  implements SQLWrapper
{
  readonly #template: Template<Values>;
  readonly #values: Values;

  constructor(template: Template<Values>, values: Values) {
    this.#template = template;
    this.#values = values;
  }

  get text(): string {
    return this.#template.text;
  }

  /** One for each `$n` of the text. */
  values(): unknown[] {
    return fillPlaceholders(this.#template.slots, this.#values);
  }

  getSQL(): SQL {
    return this.#template.make((name) => sql`${this.#values[name]}`);
  }
}

interface Template<Values> {
  readonly text: string;
  readonly slots: unknown[];
  make(slot: Slot<Values>): SQL;
}

const dialect = new PgDialect();

/**
 * Compiles a statement once, to be sent often: each time anew, that takes a good part of what sending it does.
 *
 * @param make Writes the statement, with `slot(name)` wherever a value goes. It must come out the same whenever it is asked.
 * @returns fills in the values.
 */
export function fixed<Values extends Record<string, Value>>(
  make: (slot: Slot<Values>) => SQL,
): (values: Values) => FixedStatement<Values> {
  let template: Template<Values> | undefined;
  return (values) => {
    if (!template) {
      const { sql: text, params } = dialect.sqlToQuery(make((name) => sql.placeholder(name)));
      template = { text, slots: params, make };
    }
    return new FixedStatement(template, values);
  };
}
