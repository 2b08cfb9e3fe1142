import type { AuthoredSchema } from '../../../core/doors/command.ts'
import mcp from '../../../plugins/mcp/index.ts'
import type { McpOptions } from '../../../plugins/mcp/options.ts'
import scopes from '../../../plugins/scopes/index.ts'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { entry } from '../../helpers/kernel.ts'
import { type OpenAppOptions, openApp, type TestApp } from '../../helpers/open-app.ts'
import type { TestLike } from '../../helpers/services.ts'
import { testCredential } from '../../helpers/test-credential.ts'

const SQL = `
CREATE TABLE tb_author (id int PRIMARY KEY, name text NOT NULL, secret text);
CREATE TABLE tb_book (id int PRIMARY KEY, title text NOT NULL, price numeric(10, 2), mood text, added timestamptz, data jsonb,
  fk_author int, owner text NOT NULL DEFAULT 'ann');
INSERT INTO tb_author VALUES (1, 'Ada', 'x'), (2, 'Bob', 'y');
INSERT INTO tb_book (id, title, price, mood, added, data, fk_author) SELECT n, 'Book ' || n, n + 0.5, CASE WHEN n % 2 = 0 THEN 'calm' END,
  '2026-01-31 12:00+00', '{"a": 1}', 1 + n % 2 FROM generate_series(1, 250) n;
UPDATE tb_book SET title = E'Quote " back \\\\ line\\nend é' WHERE id = 3;
CREATE VIEW v_author AS SELECT *, id AS pk_author FROM tb_author;
CREATE VIEW v_book AS SELECT *, id AS pk_book FROM tb_book;
CREATE VIEW v_slow AS SELECT g AS id, pg_sleep(600)::text AS title FROM generate_series(1, 2) g;
CREATE FUNCTION fn_retitle(p_id int, p_title text) RETURNS SETOF v_book LANGUAGE sql AS $$
  UPDATE tb_book SET title = p_title WHERE id = p_id; SELECT * FROM v_book WHERE id = p_id $$;
CREATE FUNCTION fn_fail() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
  RAISE EXCEPTION 'the shop is closed' USING HINT = 'SHOP_CLOSED'; END $$;
`

export const SCHEMA: AuthoredSchema = {
  version: '1',
  enums: [{ name: 'Mood', values: [{ name: 'CALM', value: 'calm' }] as never }],
  types: [
    {
      name: 'Book',
      sql_source: 'v_book',
      relay: true,
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'title', type: 'String!', description: 'What stands on it.' },
        { name: 'price', type: 'Decimal' },
        { name: 'mood', type: 'Mood' },
        { name: 'added', type: 'DateTime' },
        { name: 'data', type: 'JSON' },
        { name: 'author', type: 'Author' },
      ],
    },
    {
      name: 'Author',
      sql_source: 'v_author',
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'name', type: 'String!' },
        { name: 'secret', type: 'String', requires_scope: 'read:secret' },
        { name: 'books', type: '[Book!]!', relation: { from: 'id', to: 'fk_author' } } as never,
      ],
    },
    {
      name: 'Slow',
      sql_source: 'v_slow',
      fields: [
        { name: 'id', type: 'Int!' },
        { name: 'title', type: 'String' },
      ],
    },
  ],
  queries: [
    { name: 'books', type: '[Book!]!', description: 'Books of the library.' },
    { name: 'book', type: 'Book', arguments: [{ name: 'id', type: 'ID!' }], description: 'One book.' },
    { name: 'counted_books', type: '[Book!]!', auto_params: { total_count: true } as never },
    { name: 'paged_books', type: '[Book!]!', relay: true },
    { name: 'authors', type: '[Author!]!' },
    { name: 'own_books', type: '[Book!]!', authenticated: true, sql_source: 'v_book' },
    { name: 'slows', type: '[Slow!]!', sql_source: 'v_slow' },
    { name: 'tenant_books', type: '[Book!]!', sql_source: 'v_book', inject: { owner: 'jwt:sub' } as never },
  ],
  mutations: [
    {
      name: 'retitle',
      type: 'Book',
      sql_source: 'fn_retitle',
      operation: 'UPDATE',
      requires_role: 'editor',
      description: 'Gives a book another title.',
      arguments: [
        { name: 'id', type: 'Int!' },
        { name: 'title', type: 'String!' },
      ],
    },
    { name: 'fail', type: 'Boolean', sql_source: 'fn_fail', operation: 'CUSTOM' },
  ],
}

export interface WorldOptions extends OpenAppOptions {
  readonly mcp?: Partial<McpOptions>
  /** Default: {@link SCHEMA}. */
  readonly schema?: AuthoredSchema
  /** A library that is there already. */
  readonly library?: string | undefined
}

/** The tables of the library, in a database of their own. @returns its URL */
export const createLibrary = (t: TestLike): Promise<string> => createPostgresDatabase(t, { sql: SQL })

/** A library, open to everybody, with the plugin. */
export async function openWorld(
  t: TestLike,
  { mcp: options = {}, plugins = [], library, schema = SCHEMA, ...rest }: WorldOptions = {},
): Promise<TestApp> {
  const url = library ?? (await createLibrary(t))
  const own = [
    testCredential(),
    entry(scopes),
    entry(mcp, { enabled: true, require_auth: false, ...options }),
    ...plugins,
  ]
  return openApp(t, { kind: 'postgres', url }, schema, { ...rest, plugins: own })
}

/** A message of an old revision, without a socket. */
export async function ask(
  app: TestApp,
  method: string,
  params: object = {},
  headers: Readonly<Record<string, string>> = {},
  id: unknown = 1,
) {
  const reply = await app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { 'mcp-protocol-version': '2025-11-25', ...headers },
    body: { jsonrpc: '2.0', id, method, params },
  })
  // biome-ignore lint/suspicious/noExplicitAny: an answer of any shape, looked at by assertions
  const answer = reply.text === '' ? {} : reply.json<any>()
  return {
    status: reply.status,
    headers: reply.headers,
    text: reply.text,
    ...answer,
  }
}

/** Calls a tool. */
export const call = (app: TestApp, name: string, args: object = {}, headers: Readonly<Record<string, string>> = {}) =>
  ask(app, 'tools/call', { name, arguments: args }, headers)

/** What failed, as the tool says it. */
export const errorOf = (answer: { result?: { isError: boolean; content: { text: string }[] } }) =>
  answer.result?.isError === true ? JSON.parse(answer.result.content[0]!.text).error : undefined
