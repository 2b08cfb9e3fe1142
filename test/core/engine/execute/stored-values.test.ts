import t from 'tap'
import type { SvcError } from '../../../../core/base/errors/svc-error.ts'
import { eachDatabase } from '../../../helpers/databases.ts'
import { openExecuteWorld } from '../../../helpers/execute-world.ts'
import { extendSchema } from '../../../schemas/extend-schema.ts'
import { tableSchema } from '../../../schemas/table-schema.ts'

const ID = '00000000-0000-4000-8000-000000000001'
const SQL = `
CREATE TABLE tb_paper (id uuid PRIMARY KEY, share int NOT NULL, net inet, data jsonb NOT NULL);
INSERT INTO tb_paper VALUES ('${ID}', 0, '10.0.0.1', '{"title": "A", "made": "someday", "size": "wide"}');
CREATE VIEW v_paper AS SELECT id, net, 1e400::numeric AS mass, data FROM tb_paper;
CREATE VIEW v_share AS SELECT id, 1 / share AS part FROM tb_paper;
CREATE FUNCTION fn_touch(p_id uuid) RETURNS uuid LANGUAGE sql AS $$ SELECT p_id $$;
`
const BY_ID = [{ name: 'id', type: 'ID!' }]
const SCHEMA = extendSchema(
  tableSchema(
    {
      name: 'Paper',
      sql_source: 'v_paper',
      list: 'papers',
      fields: { id: 'ID!', title: 'String', mass: 'Float', made: 'DateTime', size: 'BigInt', net: 'String' },
    },
    {
      queries: [{ name: 'paper', type: 'Paper', arguments: BY_ID }],
      mutations: [{ name: 'touch', type: 'Paper', sql_source: 'fn_touch', operation: 'UPDATE', arguments: BY_ID }],
    },
  ),
  tableSchema(
    { name: 'Share', sql_source: 'v_share', list: 'shares', fields: { id: 'ID!', part: 'Int' } },
    { queries: [{ name: 'share', type: 'Share', arguments: BY_ID }] },
  ),
)

await eachDatabase(
  t,
  async (t, database) => {
    const { run } = await openExecuteWorld(t, database, SCHEMA)
    const only = async (document: string, variables = {}): Promise<SvcError> => {
      const { errors } = await run(document, variables)
      t.equal(errors.length, 1, document)
      return errors[0]!
    }
    /** What the log prints. */
    const causes = (error: unknown): string =>
      error instanceof Error ? `${error.message} < ${causes(error.cause)}` : String(error)

    await t.test('bad stored data is no fault of the client, and the log says where it is', async (t) => {
      const mass = await only(`{ paper(id: "${ID}") { id title mass } }`)
      t.match(mass, { code: 'INTERNAL_SERVER_ERROR', status: 500, path: ['paper'] })
      t.equal(mass.message, 'A value that is stored in "v_paper" cannot be read.')
      t.match(causes(mass), /Reading "v_paper" \(Paper\.mass\): .*out of range/)
      const beside = await only(`{ a: paper(id: "${ID}") { title } b: paper(id: "${ID}") { mass } }`)
      t.match(beside, { code: 'INTERNAL_SERVER_ERROR', path: [/^b$/] })
      const filtered = await only('{ shares(where: { part: { _gt: 5 } }) { id } }')
      t.equal(filtered.code, 'INTERNAL_SERVER_ERROR')
      t.match(causes(filtered), /\(a field of its filter or order\): division by zero/)
      t.match(await only(`{ share(id: "${ID}") { part } }`), { code: 'INTERNAL_SERVER_ERROR', path: ['share'] })
      const reread = await only(`mutation { touch(id: "${ID}") { id mass } }`)
      t.match(reread, { code: 'INTERNAL_SERVER_ERROR', path: ['touch'] })
      t.match(causes(reread), /Reading "v_paper" \(Paper\.mass\)/)
    })

    await t.test('a bad value of a document is an error in its own place', async (t) => {
      const made = await run(`{ paper(id: "${ID}") { id title made size } }`)
      t.same(made.data, { paper: { id: ID, title: 'A', made: null, size: null } })
      t.same(
        made.errors.map(({ path }) => path),
        [
          ['paper', 'made'],
          ['paper', 'size'],
        ],
      )
      t.match(causes(made.errors[0]), /Paper\.made holds .*someday/)
      const written = await run(`mutation { touch(id: "${ID}") { id made } }`)
      t.same(written.data, { touch: { id: ID, made: null } })
      t.same(written.errors[0]?.path, ['touch', 'made'])
    })

    await t.test('an operand that the column cannot be stays the fault of the client', async (t) => {
      t.match(await only('{ papers(where: { net: { _eq: "nowhere" } }) { id } }'), {
        code: 'BAD_USER_INPUT',
        path: ['papers'],
      })
    })
  },
  { sql: SQL },
)
