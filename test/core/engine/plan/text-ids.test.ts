import t from 'tap'
import { eachDatabase } from '../../../helpers/databases.ts'
import { openWorld } from '../../../helpers/plan-world.ts'
import { tableSchema } from '../../../schemas/table-schema.ts'

const UPPER = 'AAAAAAAA-0000-4000-8000-00000000000F'
const SQL = `
CREATE TABLE coupon (id text PRIMARY KEY, code uuid NOT NULL, data jsonb NOT NULL);
INSERT INTO coupon VALUES ('${UPPER}', '${UPPER}', '{"ref": "${UPPER}"}');
`
const SCHEMA = tableSchema(
  { name: 'Coupon', sql_source: 'coupon', list: 'coupons', fields: { id: 'ID!', code: 'ID!', ref: 'ID!' } },
  { queries: [{ name: 'coupon', type: 'Coupon', arguments: [{ name: 'id', type: 'ID!' }] }] },
)

await eachDatabase(
  t,
  async (t, database) => {
    const { run } = await openWorld(t, database, SCHEMA)
    const found = async (where: object): Promise<number> =>
      (await run('query ($w: CouponWhereInput) { coupons(where: $w) { id } }', { w: where })).coupons.length

    await t.test('a text that looks like a UUID is compared as it is written', async (t) => {
      t.equal(await found({ id: { _eq: UPPER } }), 1)
      t.equal(await found({ id: { _in: [UPPER] } }), 1)
      t.equal(await found({ ref: { _eq: UPPER } }), 1, 'a key of a document is a text')
      t.equal(await found({ id: { _eq: UPPER.toLowerCase() } }), 0)
      t.equal(await found({ ref: { _eq: UPPER.toLowerCase() } }), 0)
      const byId = await run('query ($id: ID!) { coupon(id: $id) { id } }', { id: UPPER })
      t.strictSame(byId, { coupon: { id: UPPER } })
      t.strictSame(await run('query ($id: ID!) { coupon(id: $id) { id } }', { id: UPPER.toLowerCase() }), {
        coupon: null,
      })
    })

    await t.test('only a uuid column compares without case', async (t) => {
      t.equal(await found({ code: { _eq: UPPER } }), 1)
      t.equal(await found({ code: { _in: [UPPER.toLowerCase()] } }), 1)
    })
  },
  { sql: SQL },
)
