import postgres from 'postgres';

/** One table of texts and vectors by user, as the peers keep them: the least a memory over Postgres can be. */
export interface Floor {
  add(user: string, content: string, vector: Float32Array): Promise<string>;
  addAll(items: readonly { user: string; content: string; vector: Float32Array }[]): Promise<void>;
  /** Best first. */
  recall(user: string, vector: Float32Array, limit: number): Promise<{ id: string; content: string }[]>;
  close(): Promise<void>;
}

export interface FloorOptions {
  readonly url: string;
  readonly table: string;
  /** `hnsw.ef_search` of every search, or `exact` to compare with every vector of the user; default 40. */
  readonly search?: string;
}

/** Makes an empty table with its indexes. */
export async function makeFloor({ url, table }: FloorOptions, dimensions: number): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  await sql.unsafe(`
    CREATE EXTENSION IF NOT EXISTS vector;
    DROP TABLE IF EXISTS ${table};
    CREATE TABLE ${table} (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      user_id text NOT NULL,
      content text NOT NULL,
      metadata jsonb NOT NULL DEFAULT '{}',
      embedding vector(${dimensions}) NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now());
    CREATE INDEX ON ${table} (user_id, created_at)`);
  await sql.end();
}

/** Makes what only pays once the rows are there: the index over vectors, where one is wanted, and statistics. */
export async function indexFloor(
  { url, table }: FloorOptions,
  { vectors }: { vectors: boolean },
): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  if (vectors) await sql.unsafe(`CREATE INDEX ON ${table} USING hnsw (embedding vector_cosine_ops)`);
  await sql.unsafe(`VACUUM ANALYZE ${table}`);
  await sql.end();
}

/** Opens a floor's table. */
export function openFloor({ url, table, search }: FloorOptions): Floor {
  const exact = { enable_indexscan: 'off', enable_bitmapscan: 'off' };
  const sql = postgres(url, {
    max: 16,
    onnotice: () => {},
    connection: search === 'exact' ? exact : search ? { 'hnsw.ef_search': Number(search) } : {},
  });
  const name = sql(table);
  const literal = (vector: Float32Array) => `[${vector.join(',')}]`;
  return {
    add: async (user, content, vector) => {
      const [row] = await sql<{ id: string }[]>`
        INSERT INTO ${name} (user_id, content, embedding) VALUES (${user}, ${content}, ${literal(vector)}::vector)
        RETURNING id`;
      return row?.id ?? '';
    },
    addAll: async (items) => {
      await sql`
        INSERT INTO ${name} (user_id, content, embedding)
        SELECT user_id, content, embedding::vector FROM unnest(
          ${items.map(({ user }) => user)}::text[], ${items.map(({ content }) => content)}::text[],
          ${items.map(({ vector }) => literal(vector))}::text[]) AS item(user_id, content, embedding)`;
    },
    recall: (user, vector, limit) => sql<{ id: string; content: string }[]>`
      SELECT id, content, created_at, embedding <=> ${literal(vector)}::vector AS distance FROM ${name}
      WHERE user_id = ${user} ORDER BY distance LIMIT ${limit}`,
    close: () => sql.end(),
  };
}
