import t from 'tap'
import type { ObjectType } from '../../../../core/schema/model.ts'
import { createPostgresDatabase } from '../../../helpers/databases.ts'
import { openExecuteWorld } from '../../../helpers/execute-world.ts'
import { requireService } from '../../../helpers/services.ts'
import { tableSchema } from '../../../schemas/table-schema.ts'

/** An index over a cast of a document's key proves that no value fails the cast. Filters use the same expression, so that the index is used. */

const KEYS = { size: 'Int', big: 'BigInt', cost: 'Decimal', ref: 'UUID', share: 'Float', done: 'Boolean' } as const
const SQL = `
CREATE TABLE tb_post (id int PRIMARY KEY, data jsonb NOT NULL, "Other" json);
CREATE INDEX ON tb_post (((data->>'size')::int));
CREATE INDEX ON tb_post (id, ((data->>'big')::bigint) DESC);
CREATE INDEX ON tb_post (((data->>'cost')::numeric));
CREATE INDEX ON tb_post (((data->>'ref')::uuid));
CREATE INDEX ON tb_post (((data->>'share')::float8)) WHERE id > 0;
CREATE INDEX ON tb_post (((data->>'done')::int));
CREATE INDEX ON tb_post ((("Other"->>'size')::int));
CREATE INDEX ON tb_post ((data->>'title'));
INSERT INTO tb_post SELECT i, jsonb_build_object('size', i, 'title', 'x') FROM generate_series(1, 2000) i;
ANALYZE tb_post;
CREATE VIEW v_inner AS SELECT id, data FROM tb_post WHERE id > 0;
CREATE VIEW v_post AS SELECT p.id AS pk, p.data FROM v_inner p;
CREATE VIEW v_made AS SELECT id AS pk, jsonb_build_object('size', 'wide') AS data FROM tb_post;
CREATE TABLE parent (pk int, data jsonb);
CREATE INDEX ON parent (((data->>'size')::int));
CREATE TABLE child () INHERITS (parent);
INSERT INTO child VALUES (1, '{"size": "wide"}');
`
const schemaOf = (source: string, pk: string) =>
  tableSchema({
    name: 'Post',
    sql_source: source,
    list: 'posts',
    fields: [{ name: 'id', type: 'Int!', column: pk }, ...Object.entries(KEYS).map(([name, type]) => ({ name, type }))],
  })

t.test('indexes over casts', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: SQL })
  const open = (source: string, pk = 'pk') => openExecuteWorld(t, { kind: 'postgres', url }, schemaOf(source, pk))

  for (const [source, pk] of [
    ['tb_post', 'id'],
    ['v_post', 'pk'],
  ] as const) {
    await t.test(`of the rows of ${source}`, async (t) => {
      const { model, run, log, look } = await open(source, pk)
      const { source: compiled } = model.types.get('Post') as ObjectType
      t.same(
        compiled?.columns.find(({ name }) => name === 'data')?.casts,
        { size: ['int4'], big: ['int8'], cost: ['numeric'], ref: ['uuid'], done: ['int4'] },
        'not of a partial index',
      )
      const found = await run('{ posts(where: { size: { _eq: 77 } }) { id size } }')
      t.same([found.data, found.errors], [{ posts: [{ id: 77, size: 77 }] }, []])
      const statement = log.at(-1)!
      t.match(statement, `("t1"."data" ->> 'size')::int4 = $1`)
      const plan = (await look(`EXPLAIN ${statement.replaceAll(/\$\d+/g, "'77'")}`)).flat().join('\n')
      t.match(plan, 'tb_post_int4_idx')
      for (const name of ['share', 'done']) {
        await run(`{ posts(where: { ${name}: { _is_null: false } }) { id } }`)
        t.match(log.at(-1), 'jsonb_path_query_first', `${name}: another type, or not all rows`)
      }
    })
  }

  await t.test(
    'a view that makes the document, and a table whose child has no such index, prove nothing',
    async (t) => {
      for (const source of ['v_made', 'parent']) {
        const { run } = await open(source)
        const { data, errors } = await run('{ posts(where: { size: { _eq: 77 } }) { id } }')
        t.same([data, errors], [{ posts: [] }, []], source)
      }
    },
  )
})
