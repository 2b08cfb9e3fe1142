import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import t from 'tap'
import { canonicalJson, canonicalJsonPretty } from '../../../core/base/util/canonical-json.ts'
import { printCompiledSchema } from '../../../core/compiler/emit.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { linkSchema } from '../../../core/schema/link/link.ts'
import { compileArtifact, readCatalogFor } from '../../helpers/compile-fixture.ts'
import { eachDatabase, openDatabase } from '../../helpers/databases.ts'
import { fakeCatalog } from '../../helpers/fake-catalog.ts'

const id = { name: 'id', type: 'ID!' }
const title = { name: 'title', type: 'String!' }

const SQL = `
  CREATE TYPE mood AS ENUM ('good', 'bad');
  CREATE TABLE tb_author (pk_author bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id uuid NOT NULL UNIQUE, name text NOT NULL, mood mood);
  CREATE TABLE tb_post (pk_post bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id uuid NOT NULL UNIQUE,
    fk_author bigint NOT NULL REFERENCES tb_author, title text NOT NULL, tags text[] NOT NULL DEFAULT '{}', created_at timestamptz NOT NULL DEFAULT now());
  CREATE VIEW v_author AS SELECT pk_author, id, name, mood FROM tb_author;
  CREATE VIEW v_post AS SELECT pk_post, id, fk_author, title, tags, created_at FROM tb_post;
  CREATE VIEW v_page AS SELECT id, pk_post, jsonb_build_object('id', id, 'title', title, 'author', jsonb_build_object('name', 'x')) AS data FROM tb_post;
  CREATE FUNCTION fn_create_post(p_title text, p_author_id uuid, p_tags text[] DEFAULT '{}') RETURNS uuid LANGUAGE sql AS 'SELECT p_author_id';
  CREATE FUNCTION fn_rename_post(p_id uuid, p_input jsonb) RETURNS SETOF v_post LANGUAGE sql AS 'SELECT * FROM v_post';
`

const FLAT: AuthoredSchema = {
  version: '1.0.0',
  types: [
    {
      name: 'Author',
      fields: [
        id,
        { name: 'name', type: 'String!' },
        { name: 'mood', type: 'Mood' },
        { name: 'posts', type: '[Post!]!' },
      ],
    },
    {
      name: 'Post',
      fields: [
        id,
        title,
        { name: 'tags', type: '[String!]!' },
        { name: 'createdAt', type: 'DateTime!' },
        { name: 'author', type: 'Author!' },
      ],
    },
  ],
  enums: [
    {
      name: 'Mood',
      values: [
        { name: 'GOOD', value: 'good' },
        { name: 'BAD', value: 'bad' },
      ],
    },
  ],
  input_types: [{ name: 'RenamePost', fields: [{ name: 'title', type: 'String' }] }],
  queries: [
    { name: 'posts', type: '[Post!]!', sql_source: 'v_post' },
    { name: 'post', type: 'Post', sql_source: 'v_post', arguments: [{ name: 'id', type: 'ID!' }] },
  ],
  mutations: [
    {
      name: 'create_post',
      type: 'Post!',
      operation: 'CREATE',
      arguments: [
        { name: 'title', type: 'String!' },
        { name: 'authorId', type: 'ID!' },
      ],
    },
    {
      name: 'rename_post',
      type: 'Post',
      operation: 'UPDATE',
      arguments: [
        { name: 'id', type: 'ID!' },
        { name: 'input', type: 'RenamePost!' },
      ],
    },
  ],
}

const DOCUMENT: AuthoredSchema = {
  version: '1.0.0',
  types: [
    { name: 'Page', fields: [id, title, { name: 'author', type: 'Writer' }] },
    { name: 'Writer', embedded: true, fields: [{ name: 'name', type: 'String!' }] },
  ],
  queries: [{ name: 'pages', type: '[Page!]!', arguments: [{ name: 'title', type: 'String' }] }],
}

const RELAY: AuthoredSchema = {
  version: '1.0.0',
  types: [{ name: 'Post', relay: true, fields: [id, title] }],
  queries: [{ name: 'posts', type: '[Post!]!', relay: true }],
}

/** Compares with test/golden/compile; a file that is not there is written, to be looked at and committed. */
function matchGolden(test: Pick<typeof t, 'equal' | 'fail'>, name: string, text: string): void {
  const path = `test/golden/compile/${name}.json`
  if (!existsSync(path)) {
    writeFileSync(path, text)
    test.fail(`${path} was not there; it is written now`)
    return
  }
  test.equal(text, readFileSync(path, 'utf8'), path)
}

t.test('golden artifacts from a live database', async (t) => {
  await eachDatabase(
    t,
    async (t, { url }) => {
      const database = await openDatabase(t, url)
      for (const [name, schema] of Object.entries({ flat: FLAT, document: DOCUMENT, relay: RELAY })) {
        const compiled = compileArtifact(schema, await readCatalogFor(schema, database))
        matchGolden(t as typeof t & Pick<typeof import('tap').default, 'fail'>, name, printCompiledSchema(compiled))
        t.equal(linkSchema(JSON.parse(printCompiledSchema(compiled))).hash, compiled.content_hash)
      }
    },
    { sql: SQL },
  )
})

t.test('the same schema is the same artifact, whatever order its keys were written in', async (t) => {
  const catalog = fakeCatalog(
    {
      v_author: { id: 'uuid', name: 'text', mood: 'text', pk_author: 'int8' },
      v_post: { id: 'uuid', title: 'text', tags: '_text', created_at: 'timestamptz', fk_author: 'int8' },
    },
    {
      fn_create_post: { parameters: { p_title: 'text', p_author_id: 'uuid' } },
      fn_rename_post: { parameters: { p_id: 'uuid', p_input: 'jsonb' } },
    },
  )
  const expected = printCompiledSchema(compileArtifact(FLAT, catalog))
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat()), (numbers) => {
      const shuffled = shuffleKeys(FLAT, () => numbers.next().value ?? 0) as AuthoredSchema
      return printCompiledSchema(compileArtifact(shuffled, catalog)) === expected
    }),
    { numRuns: 50 },
  )
  const moved = {
    ...FLAT,
    types: FLAT.types?.map((type, line) => ({ ...type, $place: { file: 'x.ts', line, column: 1 } })),
  } as AuthoredSchema
  t.equal(printCompiledSchema(compileArtifact(moved, catalog)), expected, 'places are no part of it')
  const renamed = { ...FLAT, queries: FLAT.queries?.slice(1) } as AuthoredSchema
  t.not(compileArtifact(renamed, catalog).content_hash, compileArtifact(FLAT, catalog).content_hash)
})

t.test('canonical JSON is independent of the order of keys, and says the same', async (t) => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.infiniteStream(fc.nat()), (value, numbers) => {
      const text = canonicalJson(value)
      const shuffled = shuffleKeys(value, () => numbers.next().value ?? 0)
      return (
        text === canonicalJson(shuffled) &&
        canonicalJson(JSON.parse(text)) === text &&
        canonicalJsonPretty(shuffled) === canonicalJsonPretty(value)
      )
    }),
  )
  t.equal(
    canonicalJson({ b: 1, a: [true, null, 'é"'], '10': 1, '9': { y: undefined, x: 1.5e300 } }),
    '{"10":1,"9":{"x":1.5e+300},"a":[true,null,"é\\""],"b":1}',
  )
  t.equal(
    canonicalJsonPretty({ b: { y: undefined, d: 1, c: [] }, a: 1 }),
    '{\n  "a": 1,\n  "b": {\n    "c": [],\n    "d": 1\n  }\n}\n',
  )
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, { a: 1n }, [() => 1], { a: Symbol('x') }]) {
    t.throws(() => canonicalJson(value), /cannot be written as JSON/)
  }
})

function shuffleKeys(value: unknown, next: () => number): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item) => shuffleKeys(item, next))
  const entries = Object.entries(value).map(([key, item]) => [next(), key, shuffleKeys(item, next)] as const)
  entries.sort((a, b) => a[0] - b[0])
  const shuffled: Record<string, unknown> = {}
  for (const [, key, item] of entries)
    Object.defineProperty(shuffled, key, { value: item, enumerable: true, configurable: true, writable: true })
  return shuffled
}
