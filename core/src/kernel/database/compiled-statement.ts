import { fillPlaceholders, type Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';

type Value = string | number | Buffer;

/** Names a parameter in the text of a statement. */
export type Param<Values> = (name: keyof Values & string) => SQL | Placeholder;

/** A statement with values, whose text is compiled once. */
export class CompiledStatement<Values extends Record<string, Value> = Record<string, Value>>
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

  /** The value of each `$n` in the text. */
  values(): unknown[] {
    return fillPlaceholders(this.#template.params, this.#values);
  }

  getSQL(): SQL {
    return this.#template.make((name) => sql`${this.#values[name]}`);
  }
}

interface Template<Values> {
  readonly text: string;
  readonly params: unknown[];
  make(param: Param<Values>): SQL;
}

const dialect = new PgDialect();

/**
 * Compiles a statement once, to be sent often. Compiling takes about as long as sending.
 *
 * @param make Writes the statement, with `param(name)` for each value. Must always return the same text.
 * @returns a function that fills in the values.
 */
export function compileStatement<Values extends Record<string, Value>>(
  make: (param: Param<Values>) => SQL,
): (values: Values) => CompiledStatement<Values> {
  let template: Template<Values> | undefined;
  return (values) => {
    if (!template) {
      const { sql: text, params } = dialect.sqlToQuery(make((name) => sql.placeholder(name)));
      template = { text, params, make };
    }
    return new CompiledStatement(template, values);
  };
}
