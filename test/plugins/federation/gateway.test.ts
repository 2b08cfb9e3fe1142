import t from 'tap'
import { definePlugin } from '../../../core/kernel/plugin.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { entry } from '../../helpers/kernel.ts'
import { requireService } from '../../helpers/services.ts'
import { type OtherSubgraph, openGateway } from './gateway.ts'
import { entities, openSubgraph } from './products.ts'

/** svc joined with another subgraph: batches, lists of lists, keys of several parts, what is provided on one way only. */
const SQL = `
CREATE TABLE tb_part (maker int, number text, name text NOT NULL, rate numeric NOT NULL, PRIMARY KEY (maker, number));
INSERT INTO tb_part SELECT 1 + n % 3, 'n' || n, 'Part ' || n, n / 10.0 FROM generate_series(0, 1199) n;
CREATE VIEW v_part AS SELECT *, jsonb_build_object('id', maker, 'name', 'Maker ' || maker) AS made_by FROM tb_part;
`
const SCHEMA: AuthoredSchema = {
  version: '1',
  types: [
    {
      name: 'Part',
      key_fields: ['maker', 'number'],
      fields: [
        { name: 'maker', type: 'Int!' },
        { name: 'number', type: 'ID!' },
        { name: 'name', type: 'String!' },
        { name: 'made_by', type: 'Maker', provides: 'name' },
        { name: 'weight', type: 'Int', external: true },
        { name: 'labels', type: '[String!]', external: true },
        { name: 'cost', type: 'Decimal', requires: 'weight', sql: 'round(rate * {weight}, 1)' },
        { name: 'share', type: 'Int', requires: 'weight', sql: '100 / {weight}' },
        {
          name: 'first_label',
          type: 'String',
          requires: 'labels',
          sql: '{labels} ->> 0',
        },
      ],
    },
    {
      name: 'Maker',
      key_fields: ['id'],
      resolvable: false,
      embedded: true,
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'name', type: 'String', external: true },
      ],
    },
  ],
  queries: [
    { name: 'parts', type: '[Part!]!', auto_params: { where: true, order_by: true, limit: true, offset: false } },
  ],
}
const own = (n: number) => ({ weight: n % 7, labels: [`label n${n}`] })
const refs = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => ({
    maker: 1 + ((from + at) % 3),
    number: `n${from + at}`,
    ...own(from + at),
  }))
const stock: OtherSubgraph = {
  sdl: `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])
    type Part @key(fields: "maker number") { maker: Int! number: ID! weight: Int labels: [String!] }
    type Maker @key(fields: "id") { id: ID! name: String @shareable }
    type Query { all: [Part!]! shelves: [[Part!]!]! lost: [Part] }`,
  entities: ['Part', 'Maker'],
  roots: {
    all: refs(0, 1000),
    shelves: [refs(0, 3), [], refs(1197, 1201)],
    lost: [{ maker: 9, number: 'n1', ...own(1) }, ...refs(5, 6)],
  },
  find: ({ __typename, number, id }) =>
    __typename === 'Maker' ? { id, name: 'of the stock' } : own(Number(String(number).slice(1))),
}

t.test('svc behind a gateway', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const database = { kind: 'postgres', url: await createPostgresDatabase(t, { sql: SQL }) } as const
  let statements = 0
  const counting = definePlugin<unknown>(
    { name: 'counting', version: '1.0.0', kernelApi: 1, description: 'Counts statements.' },
    (scope) => scope.observe({ statement: () => void statements++ }),
  )
  const app = await openSubgraph(t, database, SCHEMA, {}, { plugins: [entry(counting)] })
  const gateway = await openGateway(t, app, { stock })

  await t.test('1,000 representations in one request', async (t) => {
    gateway.sent.length = 0
    const { data, errors } = await gateway.ask('{ all { number name } }')
    t.strictSame(errors, undefined)
    t.equal(data.all.length, 1000)
    t.ok(data.all.every((one: { number: string; name: string }) => one.name === `Part ${one.number.slice(1)}`))
    t.strictSame(
      gateway.sent.map(({ variables }) => (variables.representations as unknown[]).length),
      [1000],
    )
  })

  await t.test('lists of lists, and rows that are not there', async (t) => {
    const { data } = await gateway.ask('{ shelves { name } lost { number maker } }')
    t.strictSame(data, null, 'a row that is not there may not be null in this list')
    const found = await gateway.ask('{ shelves { number cost } lost { cost } }')
    t.strictSame(found.errors, undefined)
    t.strictSame(
      found.data.shelves.map((row: unknown[]) => row.length),
      [3, 0, 4],
    )
    t.strictSame(found.data.lost, [{ cost: null }, { cost: '2.5' }])
    t.strictSame(found.data.shelves[2].at(-1), { number: 'n1200', cost: null })
  })

  await t.test('requires: numbers, lists; provides', async (t) => {
    gateway.sent.length = 0
    const query =
      '{ parts(where: { number: { _in: ["n8", "n9"] } }, orderBy: [{ number: ASC }]) { number cost firstLabel madeBy { name } } }'
    const { data, errors } = await gateway.ask(query)
    t.strictSame(errors, undefined)
    t.strictSame(data.parts, [
      { number: 'n8', cost: '0.8', firstLabel: 'label n8', madeBy: { name: 'Maker 3' } },
      { number: 'n9', cost: '1.8', firstLabel: 'label n9', madeBy: { name: 'Maker 1' } },
    ])
    t.equal(gateway.sent.length, 2, 'the list, and one batch of what is computed')
  })
  const part = (n: number, weight: number) => ({ __typename: 'Part', ...refs(n, n + 1)[0], weight })
  const share = '... on Part { name share }'

  await t.test('a failure to compute one representation fails that one only', async (t) => {
    const all = Array.from({ length: 1000 }, (_, n) => part(n, n === 17 || n === 600 ? 0 : 50))
    const { rows, errors } = await entities(app, all, share)
    t.strictSame(
      rows.flatMap((row: unknown, at: number) => (row === null ? [at] : [])),
      [17, 600],
    )
    t.match(rows[18], { name: 'Part 18', share: 2 })
    t.match(errors?.map(({ path, extensions }) => [path, extensions.code]).sort(), [
      [['_entities', 17], 'INTERNAL_SERVER_ERROR'],
      [['_entities', 600], 'INTERNAL_SERVER_ERROR'],
    ])
    const maker = { __typename: 'Part', maker: 1, number: 'n0', weight: 0 }
    const mixed = await entities(app, [maker, { __typename: 'Nothing' }, part(1, 50)], share)
    t.match(mixed.rows, [null, null, { name: 'Part 1' }])
    t.strictSame(mixed.errors?.map(({ path }) => path?.[1]).sort(), [0, 1])
    t.match((await entities(app, [maker], '... on Part { name }')).rows, [{ name: 'Part 0' }], 'nothing is computed')
  })

  await t.test('many failing representations do not cause one statement each', async (t) => {
    statements = 0
    const many = Array.from({ length: 400 }, (_, n) => part(n, 0))
    const aliases = [0, 1].map((n) => `a${n}: _entities(representations: $all) { ${share} }`)
    const { data, errors = [] } = await app.graphql(`query ($all: [_Any!]!) { ${aliases.join(' ')} }`, { all: many })
    t.strictSame(data, { a0: Array(400).fill(null), a1: Array(400).fill(null) })
    t.ok(statements <= 102, `${statements} statements for both`)
    t.ok(errors.length > 0 && errors.every(({ extensions }) => extensions.code === 'INTERNAL_SERVER_ERROR'))
  })

  await t.test('the representations of one operation are counted together', async (t) => {
    const all = Array.from({ length: 400 }, (_, n) => part(n, 1))
    const asked = ['a', 'b', 'c', 'd'].map((key) => `${key}: _entities(representations: $all) { ... on Part { name } }`)
    statements = 0
    const { data, errors } = await app.graphql(`query ($all: [_Any!]!) { ${asked.join(' ')} }`, { all })
    t.strictSame([data, statements], [null, 2])
    const message = /^1200 representations in all are more than the 1000 that the _entities of one operation may have/
    t.match(
      errors?.find(({ path }) => path?.[0] === 'c'),
      { message, extensions: { code: 'VALIDATION_ERROR' } },
    )
    t.equal((await entities(app, all, share)).rows.length, 400, 'the next operation has its own')
  })
})
