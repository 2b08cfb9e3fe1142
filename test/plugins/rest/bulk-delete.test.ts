import t from 'tap'
import rest from '../../../plugins/rest/index.ts'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { openApp } from '../../helpers/open-app.ts'
import { requireService } from '../../helpers/services.ts'
import { tableSchema } from '../../schemas/table-schema.ts'

/** What `X-Rows-Affected` says of rows that are gone, by what the function tells of them. */
const SQL = `CREATE TABLE tb_note (id uuid PRIMARY KEY, name text);
INSERT INTO tb_note SELECT gen_random_uuid(), 'n' || n FROM generate_series(1, 6) n;
CREATE VIEW v_note AS SELECT * FROM tb_note;
CREATE FUNCTION fn_tells_id(id uuid) RETURNS jsonb LANGUAGE sql AS $$
  DELETE FROM tb_note n WHERE n.id = fn_tells_id.id
  RETURNING jsonb_build_object('status', 'deleted', 'message', '', 'entity_id', n.id, 'entity', NULL) $$;
CREATE FUNCTION fn_tells_row(id uuid) RETURNS jsonb LANGUAGE sql AS $$
  DELETE FROM tb_note n WHERE n.id = fn_tells_row.id
  RETURNING jsonb_build_object('status', 'deleted', 'message', '', 'entity_id', n.id, 'entity', to_jsonb(n)) $$;
CREATE FUNCTION fn_tells_nothing(id uuid) RETURNS jsonb LANGUAGE sql AS $$ SELECT NULL::jsonb $$;`

t.test('rows that a function deleted are counted, returned by id or whole', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: SQL })
  const id = { name: 'id', type: 'ID!' }
  for (const [tells, rows, left] of [
    ['id', '2', '4'],
    ['row', '1', '3'],
    ['nothing', '0', '3'],
  ] as const) {
    const schema = tableSchema(
      { name: 'Note', sql_source: 'v_note', list: 'notes', fields: [id, { name: 'name', type: 'String' }] },
      {
        queries: [{ name: 'note', type: 'Note', sql_source: 'v_note', arguments: [id] }],
        mutations: [
          { name: 'delete_note', type: 'Note', sql_source: `fn_tells_${tells}`, operation: 'DELETE', arguments: [id] },
        ],
      },
    )
    const plugins = [{ plugin: rest, options: { enabled: true }, source: 'test' }]
    const app = await openApp(t, { kind: 'postgres', url }, schema, { plugins: plugins as never })
    const names = tells === 'id' ? 'n1,n2' : 'n3'
    const { status, headers } = await app.inject({
      method: 'DELETE',
      url: `/rest/v1/notes?name%5Bin%5D=${tells === 'nothing' ? 'n4' : names}`,
      headers: { prefer: 'max-affected=3' },
    })
    t.same([status, headers['x-rows-affected'], headers['preference-applied']], [204, rows, 'max-affected=3'], tells)
    const count = { name: null, text: 'SELECT count(*)::text FROM tb_note' }
    t.equal((await app.database.query(count, [], null)).rows[0]?.[0], left)
  }
})
