import t from 'tap'
import { compileSchema } from '../../../core/compiler/compile.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { readCatalogFor } from '../../helpers/compile-fixture.ts'
import { eachDatabase } from '../../helpers/databases.ts'
import { openTestDatabase } from '../../helpers/open-database.ts'
import { OWNED_KEYS } from '../../helpers/owned-keys.ts'

const TABLES = `
CREATE TABLE shops (id integer PRIMARY KEY, name text NOT NULL);
CREATE TABLE orders (tenant_id integer NOT NULL, order_id integer NOT NULL, title text NOT NULL, PRIMARY KEY (tenant_id, order_id));
CREATE TABLE codes (id integer NOT NULL, version integer NOT NULL, label text NOT NULL, UNIQUE (id, version));
CREATE TABLE alone (id integer NOT NULL UNIQUE, version integer NOT NULL, label text NOT NULL, PRIMARY KEY (id, version));
CREATE TABLE lines (id integer PRIMARY KEY, tenant_id integer, order_id integer, code_id integer, alone_id integer, shop_id integer);
CREATE VIEW v_order AS SELECT o.order_id AS order_id, o.tenant_id AS tenant, o.title FROM orders o JOIN shops s ON s.id = o.tenant_id;
CREATE VIEW v_number AS SELECT order_id AS id, title FROM orders;
CREATE VIEW v_outer AS SELECT c.id, c.version, c.label FROM codes c LEFT JOIN lines l ON l.code_id = c.id;
`

type Field = NonNullable<AuthoredSchema['types']>[number]['fields'][number]
const text = (name: string): Field => ({ name, type: 'String!' })

function schemaOf(
  source: string,
  { field, back, key }: { field?: Partial<Field>; back?: Partial<Field>; key?: string | readonly string[] } = {},
): AuthoredSchema {
  const one: Field = { name: source.replace(/^v_|s$/g, ''), type: 'Target', ...field }
  const many: Field = { name: 'lines', type: '[Line!]!', ...back }
  const fields = [text(source === 'shops' ? 'name' : /order|number/.test(source) ? 'title' : 'label')]
  return {
    version: '1',
    types: [
      {
        name: 'Target',
        sql_source: source,
        ...(key === undefined ? {} : { key }),
        fields: back === undefined ? fields : [...fields, many],
      },
      {
        name: 'Line',
        sql_source: 'lines',
        fields: [{ name: 'id', type: 'ID!' }, ...(field === undefined ? [] : [one])],
      },
    ],
    queries: [{ name: 'lines', type: '[Line!]!' }],
  }
}

await eachDatabase(
  t,
  async (t, database) => {
    const opened = await openTestDatabase(t, database)
    const said = async (schema: AuthoredSchema): Promise<readonly string[]> => {
      const { faults, warnings } = compileSchema(schema, {
        owned: OWNED_KEYS,
        catalog: await readCatalogFor(schema, opened),
      })
      return [...faults, ...warnings]
        .filter(({ id }) => !['nullable-column', 'unordered-limit', 'unbounded-list'].includes(id))
        .map(({ id, message }) => `${id}: ${message}`)
    }

    const order = { name: 'order' }
    const declared = (from: string, to: string) => ({ ...order, relation: { from, to } })

    // proves: error.relation-partial-key
    await t.test('names that find a part of a key make no relation', async (t) => {
      t.strictSame(await said(schemaOf('orders', { field: order })), [
        'relation-partial-key: Line.order: order_id of orders is part of a key (tenant_id, order_id): several rows may have the same. ' +
          "By their names { from: 'order_id', to: 'order_id' } would be the relation. " +
          "Declare the whole key: relation: { from: ['tenant_id', 'order_id'], to: ['tenant_id', 'order_id'] }.",
      ])
      t.match(await said(schemaOf('codes', { field: { name: 'code' } })), [
        /^relation-partial-key: Line\.code: id of codes is part of a key \(id, version\): .* \{ from: \['code_id', '<column of lines>'\], to: \['id', 'version'\] \}\.$/,
      ])
      t.match(await said(schemaOf('orders', { back: {} })), [/^relation-missing: /], 'no target_id')
    })

    await t.test('a list is refused as well, unless it is a declared relation turned round', async (t) => {
      const list = async (field: Field) => {
        const { types = [], ...rest } = schemaOf('orders', { field, back: {} })
        return said({ ...rest, types })
      }
      const both = await list({ ...order, type: 'Target' })
      t.equal(both.length, 2)
      t.match(both.join('\n'), /relation-partial-key: Target\.lines: order_id of orders is part of a key/)
      const whole = { from: ['tenant_id', 'order_id'], to: ['tenant_id', 'order_id'] }
      t.strictSame(await list({ ...order, type: 'Target', relation: whole }), [])
      t.match(await list({ ...order, type: 'Target', relation: { from: 'order_id', to: 'order_id' } }), [
        /^partial-key: Line\.order: /,
      ])
    })

    // proves: warning.partial-key
    await t.test('a declared relation over a part of a key is warned of, through a view too', async (t) => {
      const part = (name: string, to = 'order_id') => schemaOf(name, { field: declared('order_id', to) })
      t.strictSame(await said(part('v_order')), [
        'partial-key: Line.order: order_id of v_order is part of a key (tenant, order_id): several rows may have the same. ' +
          'Which of them is shown is up to the database. Name the whole key, ' +
          "relation: { from: ['<column of lines>', 'order_id'], to: ['tenant', 'order_id'] }, " +
          "or say key: 'order_id' on Target if that does identify its rows.",
      ])
      t.match(await said(part('orders')), [/^partial-key: /])
      const promised = schemaOf('orders', { field: declared('order_id', 'order_id'), key: 'order_id' })
      t.strictSame(await said(promised), [], 'the author says that it identifies a row')
      const own = schemaOf('v_outer', { field: declared('code_id', 'id'), key: ['id', 'version'] })
      t.match(await said(own), [/^partial-key: /], 'a key that the author names where the catalog proves none')
    })

    await t.test('nothing is said where one column identifies a row, or no key is known', async (t) => {
      t.strictSame(await said(schemaOf('shops', { field: { name: 'shop' } })), [])
      t.strictSame(await said(schemaOf('alone', { field: { name: 'alone' } })), [], 'part of a key, and unique')
      const number = schemaOf('v_number', { field: declared('order_id', 'id') })
      t.strictSame(await said(number), [], 'a view that shows one column of the key: it may show one tenant')
      const outer = schemaOf('v_outer', { field: declared('code_id', 'id') })
      t.strictSame(await said(outer), [], 'a view that shows rows several times has no key')
    })
  },
  { sql: TABLES, sqlite: { sql: TABLES } },
)
