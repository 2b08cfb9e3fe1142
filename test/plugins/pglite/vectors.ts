import type { Database } from '../../../core/contract/database.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { at, faultsOf } from '../../helpers/compile-faults.ts'
import { readCatalogFor } from '../../helpers/compile-fixture.ts'
import { executeWorldOn } from '../../helpers/execute-world.ts'
import type { TestLike } from '../../helpers/services.ts'

/** Vectors in columns with dimensions and without, in JSON, in a document; written by arguments and by an input. */
export const VECTORS_SQL = `
CREATE TABLE tb_text (id integer PRIMARY KEY, words text, embedding vector(3), loose vector, half halfvec(2), bits bit(4), flexible varbit(8), saved jsonb, data jsonb);
INSERT INTO tb_text VALUES
  (1, 'a', '[1,0,0.5]', '[1,2]', '[0.5,1]', '1010', '10', '[1,2.5]', '{"inner": [1, 2], "kept": "b"}'),
  (2, 'b', '[0,1,0]', '[1,2,3]', NULL, '0000', '1010', NULL, '{"inner": null}'),
  (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}');
CREATE VIEW v_text AS SELECT * FROM tb_text;
CREATE FUNCTION fn_add_text(p_id integer, p_embedding vector) RETURNS v_text LANGUAGE sql AS
  $$ INSERT INTO tb_text(id, embedding) VALUES (p_id, p_embedding) RETURNING * $$;
CREATE FUNCTION fn_put_text(input jsonb) RETURNS v_text LANGUAGE sql AS
  $$ INSERT INTO tb_text(id, embedding, bits, words)
     VALUES ((input ->> 'id')::int, (input ->> 'embedding')::vector, (input ->> 'bits')::bit(4), jsonb_typeof(input -> 'embedding')) RETURNING * $$;
`

const field = (name: string, type: string, more: object = {}) => ({ name, type, ...more })

const TYPE = {
  name: 'Text',
  sql_source: 'v_text',
  jsonb_column: 'data',
  fields: [
    field('id', 'ID!'),
    field('words', 'String'),
    field('embedding', 'Vector', { vector_config: { distance_metric: 'cosine' } }),
    field('loose', 'Vector'),
    field('half', 'HalfVector'),
    field('bits', 'BitVector'),
    field('flexible', 'BitVector'),
    field('saved', 'Vector'),
    field('inner', 'Vector'),
  ],
}

const SCHEMA: AuthoredSchema = {
  version: '1',
  types: [{ ...TYPE, aggregate: true }],
  input_types: [
    { name: 'TextInput', fields: [field('id', 'Int!'), field('embedding', 'Vector!'), field('bits', 'BitVector!')] },
  ],
  queries: [{ name: 'texts', type: '[Text!]!' }],
  mutations: [
    {
      name: 'addText',
      type: 'Text!',
      sql_source: 'fn_add_text',
      operation: 'CREATE',
      arguments: [field('id', 'Int!'), field('embedding', 'Vector!')],
    },
    {
      name: 'putText',
      type: 'Text!',
      sql_source: 'fn_put_text',
      operation: 'CREATE',
      input_style: 'jsonb',
      arguments: [field('input', 'TextInput!')],
    },
  ],
}

/** What goes in and comes out, what is refused before the database, and what a schema may not say. */
export async function checkVectors(t: TestLike, database: Database): Promise<void> {
  const world = await executeWorldOn(database, SCHEMA)
  const texts = async (where: string): Promise<unknown> => {
    const { data, errors } = await world.run(`{ texts(where: { ${where} }, orderBy: [{ id: ASC }]) { id } }`)
    return errors.length > 0
      ? errors.map(({ code, message }) => `${code} ${message}`)
      : data.texts.map(({ id }: { id: string }) => id)
  }
  t.same(
    (await world.run('{ texts(orderBy: [{ id: ASC }]) { embedding loose half bits flexible saved inner } }')).data,
    {
      texts: [
        {
          embedding: [1, 0, 0.5],
          loose: [1, 2],
          half: [0.5, 1],
          bits: '1010',
          flexible: '10',
          saved: [1, 2.5],
          inner: [1, 2],
        },
        {
          embedding: [0, 1, 0],
          loose: [1, 2, 3],
          half: null,
          bits: '0000',
          flexible: '1010',
          saved: null,
          inner: null,
        },
        { embedding: null, loose: null, half: null, bits: null, flexible: null, saved: null, inner: null },
      ],
    },
  )
  t.same(await texts('embedding: { _cosine_distance: { vector: [1, 0, 0], threshold: 0.5 } }'), ['1'])
  t.same(await texts('embedding: { _is_null: true }'), ['3'])
  t.same(await texts('inner: { _is_null: true }'), ['2', '3'], 'null in JSON is null')
  t.same(await texts('loose: { _l2_distance: { vector: [1, 2], threshold: 1 } }'), ['1'], 'of the same length alone')
  t.same(
    await texts('_not: { loose: { _l2_distance: { vector: [1, 2], threshold: 1 } } }'),
    [],
    'nothing is known of others',
  )
  t.same(await texts('flexible: { _hamming_distance: { vector: "1011", threshold: 2 } }'), ['2'])
  t.match(await texts('embedding: { _cosine_distance: { vector: [1, 0], threshold: 0.5 } }'), [
    /^BAD_USER_INPUT .*"embedding" has 3 dimensions, and the vector that is given has 2/,
  ])
  t.match(await texts('bits: { _hamming_distance: { vector: "101", threshold: 2 } }'), [/"bits" has 4 dimensions/])
  for (const [where, message] of [
    ['embedding: { _l2_distance: { vector: [1, 0, 0], threshold: 1 } }', /"_l2_distance" is not defined/],
    [
      'saved: { _l2_distance: { vector: [1], threshold: 1 } }',
      /"_l2_distance" is not defined by type "VectorTextFilter"/,
    ],
    ['embedding: { _cosine_distance: { vector: [1, "2"], threshold: 1 } }', /Vector must be 1 to 16000 numbers/],
    ['embedding: { _cosine_distance: { vector: [1, null], threshold: 1 } }', /Vector must be 1 to 16000 numbers/],
    ['embedding: { _cosine_distance: { vector: 1, threshold: 1 } }', /Vector must be 1 to 16000 numbers/],
    ['embedding: { _cosine_distance: { vector: [1e39], threshold: 1 } }', /Vector must be 1 to 16000 numbers/],
  ] as const)
    await t.rejects(texts(where), message, where)
  for (const [document, message] of [
    ['{ texts(orderBy: [{ embedding: ASC }]) { id } }', /"embedding" is not defined by type "TextOrderByInput"/],
    ['{ textsGroups(groupBy: [embedding]) { count } }', /"embedding" does not exist/],
  ] as const)
    await t.rejects(world.run(document), message, document)
  const added = await world.run('mutation($v: Vector!) { addText(id: 4, embedding: $v) { id embedding } }', {
    v: [1, 2, 3],
  })
  t.same(added.data, { addText: { id: '4', embedding: [1, 2, 3] } })
  const put = await world.run(
    'mutation { putText(input: { id: 5, embedding: [0.1, 2, 3], bits: "0011" }) { words embedding bits } }',
  )
  t.same(put.data, { putText: { words: 'array', embedding: [0.1, 2, 3], bits: '0011' } })
  const wrong = await world.run('mutation { addText(id: 6, embedding: [1, 2]) { id } }')
  t.match(wrong.errors[0]?.message, /expected 3 dimensions, not 2|value/, 'a function decides about its own parameters')
  t.same(await world.look('SELECT count(*) FROM tb_text'), [['5']])

  const faults = async (fields: readonly object[]): Promise<readonly string[]> => {
    const schema = {
      version: '1',
      types: [
        { ...TYPE, fields: [field('id', 'ID!'), ...fields.map((each, i) => ({ ...each, ...at(i + 1) }))], ...at(20) },
      ],
      queries: [{ name: 'texts', type: '[Text!]!', ...at(30) }],
    }
    return faultsOf(schema, {
      catalog: await readCatalogFor(schema as unknown as AuthoredSchema, database),
      dialect: database.dialect,
    })
  }
  const metric = (distance_metric: string, more: object = {}) => ({ vector_config: { distance_metric }, ...more })
  t.strictSame(
    await faults([
      field('embedding', 'Vector', { vector_config: { dimensions: 4 } }),
      field('loose', 'Vector', metric('hamming')),
      field('saved', 'Vector', metric('cosine')),
      field('inner', 'Vector', metric('l2')),
      field('words', 'String', metric('l2')),
      field('half', 'HalfVector', { searchable: true }),
      field('bits', 'BitVector', { orderable: true, vector_config: { dimensions: 64_001 } }),
    ]),
    [
      '1:3 vector: Text.embedding: vector_config says 4 dimensions, and its column has 3. Drop dimensions, or make the two the same.',
      '2:3 vector: Text.loose: Vector has no distance_metric "hamming". It has: cosine, l2, l1, inner_product.',
      '3:3 vector: Text.saved: distance_metric needs a column of pgvector, and Vector is read from a column of the type jsonb here. Create the extension (CREATE EXTENSION vector), give the source a column of its type, or drop distance_metric.',
      '4:3 vector: Text.inner: distance_metric needs a column of pgvector, and Vector is read from the key "inner" of a document here. Create the extension (CREATE EXTENSION vector), give the source a column of its type, or drop distance_metric.',
      '5:3 vector: Text.words: vector_config is about vectors, and String is none. Declare Vector, HalfVector, SparseVector, BitVector, or drop vector_config.',
      '6:3 vector: Text.half: search reads text, and HalfVector is none. Drop searchable.',
      '7:3 vector: Text.bits: vectors have no order. Drop orderable.',
      '7:3 vector: Text.bits: 64001 dimensions are more than BitVector can have: 64000. Make it fewer.',
      '7:3 vector: Text.bits: vector_config says 64001 dimensions, and its column has 4. Drop dimensions, or make the two the same.',
    ],
  )
  t.match(await faults([field('embedding', '[Float!]'), field('half', 'Int'), field('words', 'Vector')]), [
    /Text.embedding is \[Float!\], and its column in v_text is vector. Declare Vector, or/,
    /Text.half is Int, and its column in v_text is halfvec. Declare HalfVector, or/,
    /Text.words is Vector, and its column in v_text is text. Declare String, or/,
  ])
  t.match(await faults([field('saved', '[Vector!]')]), [
    /^1:3 vector: Text.saved: lists of vectors are not read. Give each vector a row/,
  ])
}
