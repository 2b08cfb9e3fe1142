import t from 'tap'
import type { AuthoredSchema } from '../../../../core/schema/authored.ts'
import { eachDatabase } from '../../../helpers/databases.ts'
import { openWorld } from '../../../helpers/plan-world.ts'

/** Ties and nulls in every column, values that do not survive a number, keys in a document. */
const NUMBERS = Array.from({ length: 24 }, (_, index) => index + 1)
const text = (value: string | null): string => (value === null ? 'NULL' : `'${value.replaceAll("'", "''")}'`)
const pick = <T>(n: number, values: readonly T[]): T => values[n % values.length]!
const uuid = (n: number): string => `0000000${n % 7}-0000-4000-8000-0000000000${String(n).padStart(2, '0')}`
const rowOf = (n: number) => ({
  id: uuid(n),
  label: pick(n, ['b', 'a', 'B', "o'x", 'ä', 'a"b\\c']),
  note: pick(n, [null, 'x', 'y', null, 'z']),
  amount: pick(n, ['9007199254740993.10', '9007199254740993.11', '-0.5', null]),
  weight: pick(n, [0.1, 0.30000000000000004, null]),
  big: pick(n, ['9007199254740993', '9007199254740992', null]),
  at: pick(n, [
    '2024-05-06 07:08:09.123456+00:00',
    '2024-05-06 07:08:09.123457+00:00',
    null,
    '2024-05-06 07:08:09+00:00',
  ]),
  day: pick(n, ['2024-02-29', null, '2023-12-31']),
  spare: n % 2 === 0,
  state: pick(n, ['open', 'shut', null]),
})
const ROWS = NUMBERS.map((n) => ({ n, ...rowOf(n) }))

const values = (sqlite: boolean): string =>
  ROWS.map(({ n, id, label, note, amount, weight, big, at, day, spare, state }) => {
    const decimal = sqlite ? text(amount) : (amount ?? 'NULL')
    return `(${n}, '${id}', ${text(label)}, ${text(note)}, ${decimal}, ${weight ?? 'NULL'}, ${big ?? 'NULL'}, ${text(at)}, ${text(day)}, ${spare}, ${text(state)})`
  }).join(',\n')

const POSTGRES = `
CREATE TYPE item_state AS ENUM ('shut', 'open');
CREATE TABLE tb_item (pk_item bigint PRIMARY KEY, id uuid NOT NULL UNIQUE, label text NOT NULL, note text, amount numeric, weight float8,
  big bigint, at timestamptz, day date, spare boolean NOT NULL, state item_state);
INSERT INTO tb_item VALUES ${values(false)};
CREATE VIEW v_item AS SELECT *, at AT TIME ZONE 'UTC' AS local_at FROM tb_item;
CREATE VIEW v_doc AS SELECT id, pk_item AS pk_doc, jsonb_build_object('id', id, 'label', label, 'amount', amount, 'at', at, 'note', note) AS data FROM tb_item;
CREATE VIEW v_twin AS SELECT pk_item / 2 AS pk_twin, id, note, label FROM tb_item;
`
const SQLITE = `
CREATE TABLE tb_item (pk_item INTEGER PRIMARY KEY, id UUID NOT NULL UNIQUE, label TEXT NOT NULL, note TEXT, amount DECIMAL TEXT, weight REAL,
  big BIGINT, at DATETIME, day DATE, spare BOOLEAN NOT NULL, state TEXT);
INSERT INTO tb_item VALUES ${values(true)};
CREATE VIEW v_item AS SELECT *, at AS local_at FROM tb_item;
CREATE TABLE tb_doc (pk_doc INTEGER PRIMARY KEY, id UUID NOT NULL UNIQUE, data JSON);
INSERT INTO tb_doc SELECT pk_item, id, json_object('id', id, 'label', label, 'amount', amount, 'at', at, 'note', note) FROM tb_item;
CREATE VIEW v_doc AS SELECT * FROM tb_doc;
CREATE VIEW v_twin AS SELECT pk_item / 2 AS pk_twin, id, note, label FROM tb_item;
`

const SCHEMA: AuthoredSchema = {
  version: '1',
  enums: [
    {
      name: 'State',
      values: [
        { name: 'OPEN', value: 'open' },
        { name: 'SHUT', value: 'shut' },
      ],
    },
  ],
  types: [
    {
      name: 'Item',
      relay: true,
      sql_source: 'v_item',
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'n', type: 'Int!', column: 'pk_item' },
        { name: 'label', type: 'String!' },
        { name: 'note', type: 'String' },
        { name: 'amount', type: 'Decimal' },
        { name: 'weight', type: 'Float' },
        { name: 'big', type: 'BigInt' },
        { name: 'at', type: 'DateTime' },
        { name: 'local_at', type: 'DateTime' },
        { name: 'day', type: 'Date' },
        { name: 'spare', type: 'Boolean!' },
        { name: 'state', type: 'State' },
        { name: 'secret', type: 'String', column: 'note', orderable: false },
      ],
    },
    {
      name: 'Doc',
      relay: true,
      sql_source: 'v_doc',
      jsonb_column: 'data',
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'label', type: 'String!' },
        { name: 'amount', type: 'Decimal' },
        { name: 'at', type: 'DateTime' },
        { name: 'note', type: 'String' },
      ],
    },
    {
      name: 'Twin',
      relay: true,
      sql_source: 'v_twin',
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'note', type: 'String' },
        { name: 'label', type: 'String!' },
      ],
    },
  ],
  queries: [
    { name: 'items', type: '[Item!]!', relay: true, arguments: [{ name: 'spare', type: 'Boolean' }] },
    { name: 'docs', type: '[Doc!]!', relay: true },
    { name: 'twins', type: '[Twin!]!', relay: true },
    { name: 'all_items', type: '[Item!]!', sql_source: 'v_item' },
    { name: 'all_docs', type: '[Doc!]!', sql_source: 'v_doc' },
    { name: 'all_twins', type: '[Twin!]!', sql_source: 'v_twin' },
  ],
}

const DIRECTIONS = ['ASC', 'DESC', 'ASC_NULLS_FIRST', 'ASC_NULLS_LAST', 'DESC_NULLS_FIRST', 'DESC_NULLS_LAST']
/** Each key by itself, both ways, and mixtures of two and three. */
const ORDERS: readonly (readonly Record<string, string>[])[] = [
  ...['label', 'amount', 'weight', 'big', 'at', 'localAt', 'spare', 'state', 'id', 'n'].map((key, index) => [
    { [key]: index % 2 === 0 ? 'ASC' : 'DESC' },
  ]),
  ...DIRECTIONS.map((direction) => [{ at: direction }]),
  ...DIRECTIONS.flatMap((one, index) =>
    [0, 3].map((more) => [{ note: one }, { day: DIRECTIONS[(index + more) % 6]! }]),
  ),
  [{ spare: 'DESC' }, { label: 'ASC' }],
  [{ spare: 'ASC' }, { label: 'ASC' }, { n: 'ASC' }],
  [{ label: 'ASC' }, { note: 'DESC' }, { day: 'ASC_NULLS_FIRST' }],
  [{ note: 'ASC' }, { note: 'DESC' }],
]

const TYPES: Readonly<Record<string, string>> = { items: 'Item', docs: 'Doc', twins: 'Twin' }

interface Page {
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string } }[]
  readonly pageInfo: Readonly<Record<string, unknown>>
}

const base64 = (json: string): string => Buffer.from(json).toString('base64')

await eachDatabase(
  t,
  async (t, database) => {
    const world = await openWorld(t, database, SCHEMA, 100)
    const page = async (root: string, args: string, variables: Record<string, unknown> = {}): Promise<Page> => {
      const types: Record<string, string> = {
        $o: `[${TYPES[root]}OrderByInput!]`,
        $a: 'String',
        $b: 'String',
        $s: 'Boolean',
      }
      const used = Object.keys(types).filter((name) => `orderBy: $o, ${args}`.includes(name))
      const head = used.map((name) => `${name}: ${types[name]}`).join(', ')
      const query = `query(${head}) { ${root}(orderBy: $o, ${args}) {
        edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`
      return (await world.run(query, variables))[root]
    }
    const ids = ({ edges }: Page): string[] => edges.map(({ node }) => node.id)
    const list = async (root: string, type: string, order: unknown): Promise<string[]> =>
      (await world.run(`query($o: [${type}OrderByInput!]) { ${root}(orderBy: $o) { id } }`, { o: order }))[root].map(
        (row: { id: string }) => row.id,
      )

    await t.test('walks forward and backward over all rows, in the order of the list', async (t) => {
      for (const order of ORDERS) {
        const all = await list('allItems', 'Item', order)
        const label = JSON.stringify(order)
        const forward: string[] = []
        for (let after: unknown = null, more = true; more; ) {
          const found = await page('items', 'first: 13, after: $a', { o: order, a: after })
          forward.push(...ids(found))
          t.equal(found.edges.at(-1)?.cursor, found.pageInfo.endCursor)
          after = found.pageInfo.endCursor
          more = found.pageInfo.hasNextPage === true && forward.length < 50
        }
        t.strictSame(forward, all, `forward ${label}`)
        const backward: string[] = []
        for (let before: unknown = null, more = true; more; ) {
          const found = await page('items', 'last: 17, before: $b', { o: order, b: before })
          backward.unshift(...ids(found))
          before = found.pageInfo.startCursor
          more = found.pageInfo.hasPreviousPage === true && backward.length < 50
        }
        t.strictSame(backward, all, `backward ${label}`)
      }
    })

    await t.test('documents, and keys that rows share', async (t) => {
      for (const [root, all, type] of [
        ['docs', 'allDocs', 'Doc'],
        ['twins', 'allTwins', 'Twin'],
      ] as const) {
        for (const order of [
          [{ note: 'DESC' }],
          [{ label: 'ASC' }, { note: 'ASC' }],
          ...(root === 'docs' ? [[{ amount: 'ASC' }], [{ at: 'DESC_NULLS_LAST' }, { label: 'DESC' }]] : []),
        ]) {
          const found: string[] = []
          for (let after: unknown = null, more = true; more && found.length < 50; ) {
            const next = await page(root, 'first: 4, after: $a', { o: order, a: after })
            found.push(...ids(next))
            after = next.pageInfo.endCursor
            more = next.pageInfo.hasNextPage === true
          }
          t.equal(new Set(found).size, ROWS.length, `${root} ${JSON.stringify(order)}`)
          // A list ends its order by the key of its source; the ids of twins end that of a connection.
          if (root === 'docs') t.strictSame(found, await list(all, type, order))
        }
      }
    })

    await t.test('a page between two cursors, from either end', async (t) => {
      for (const order of [[{ note: 'ASC' }], [{ note: 'DESC_NULLS_LAST' }, { day: 'ASC' }]]) {
        const all = await list('allItems', 'Item', order)
        const { edges } = await page('items', 'first: 24', { o: order })
        const [a, b] = [edges[3]!.cursor, edges[20]!.cursor]
        t.strictSame(ids(await page('items', 'first: 30, after: $a, before: $b', { o: order, a, b })), all.slice(4, 20))
        t.strictSame(ids(await page('items', 'last: 5, after: $a, before: $b', { o: order, a, b })), all.slice(15, 20))
        t.strictSame(ids(await page('items', 'first: 5, after: $a, before: $b', { o: order, a: b, b: a })), [])
        const { pageInfo } = await page('items', 'first: 0', { o: order })
        t.strictSame(pageInfo, { hasNextPage: true, hasPreviousPage: false, startCursor: null, endCursor: null })
      }
    })

    await t.test('cursors in the document, and without an order after an order that was null', async (t) => {
      const { edges } = await page('items', 'first: 24', { o: [{ note: 'ASC' }] })
      const all = ids({ edges } as Page)
      for (const index of [0, 23, 12]) {
        const { items } = await world.run(
          `{ items(orderBy: { note: ASC }, first: 3, after: "${edges[index]!.cursor}") { edges { node { id } } } }`,
        )
        t.strictSame(ids(items), all.slice(index + 1, index + 4))
      }
      const none = await page('items', 'first: 1', { o: null })
      const a = none.edges[0]!.cursor
      t.equal(a, base64('1'))
      t.strictSame(ids(await page('items', 'first: 1, after: $a', { o: [], a })), [uuid(2)])
    })

    await t.test('rows that go or change between pages neither repeat nor hide others', async (t) => {
      const order = [{ label: 'ASC' }, { note: 'DESC' }]
      const all = await list('allItems', 'Item', order)
      const first = await page('items', 'first: 6', { o: order })
      await world.database.script(
        `DELETE FROM tb_item WHERE id = '${all[5]}'; UPDATE tb_item SET label = 'ü' WHERE id = '${all[7]}';`,
      )
      const second = await page('items', 'first: 3, after: $a', { o: order, a: first.pageInfo.endCursor })
      t.strictSame(ids(second), [all[6], all[8], all[9]])
      const back = await page('items', 'last: 2, before: $b', { o: order, b: second.pageInfo.startCursor })
      t.strictSame(ids(back), [all[3], all[4]])
      const moved = await page('items', 'last: 1', { o: order })
      t.strictSame(ids(moved), [all[7]])
    })

    await t.test('a cursor is refused elsewhere', async (t) => {
      const order = [{ note: 'ASC' }]
      const { pageInfo } = await page('items', 'first: 2, spare: $s', { o: order, s: true })
      const a = pageInfo.endCursor as string
      t.equal(ids(await page('items', 'first: 2, spare: $s, after: $a', { o: order, s: true, a })).length, 2)
      const refused = async (
        args: string,
        variables: Record<string, unknown>,
        message: RegExp,
        name = String(message),
      ) => t.rejects(page('items', args, variables), { code: 'BAD_USER_INPUT', path: ['items'], message }, name)
      await refused('first: 2, spare: $s, after: $a', { o: [{ note: 'DESC' }], s: true, a }, /made for another order/)
      await refused('first: 2, spare: $s, after: $a', { o: [{ label: 'ASC' }], s: true, a }, /made for another order/)
      await refused('first: 2, spare: $s, after: $a', { o: [], s: true, a }, /made for another order/)
      await refused('first: 2, spare: $s, after: $a', { o: order, s: false, a }, /made with another filter/)
      await refused('first: 2, after: $a', { o: order, a }, /made with another filter/)
      await refused('first: 2, after: $a, where: { n: { _gt: 3 } }, spare: true', { o: order, a }, /another filter/)
      t.ok(await page('items', 'first: 2, after: $a, where: {}, spare: true', { o: order, a }), '{} is no filter')
      await refused('first: 2, after: $a', { o: order, a: base64('7') }, /another order, or for none/)
      await refused('first: 2, before: $b', { o: order, b: 'x' }, /no cursor|another order/)
    })

    await t.test('a cursor that was tampered with is refused before the database sees it', async (t) => {
      const order = [{ at: 'ASC' }, { amount: 'ASC' }, { spare: 'ASC' }, { day: 'ASC' }]
      const { pageInfo } = await page('items', 'first: 1', { o: order })
      const good = JSON.parse(Buffer.from(pageInfo.endCursor as string, 'base64').toString()) as (string | null)[]
      t.equal(good.length, 7)
      const forged = (index: number, value: unknown): string =>
        base64(JSON.stringify(good.map((each, at) => (at === index ? value : each))))
      const refused = async (cursor: string) =>
        t.rejects(page('items', 'first: 1, after: $a', { o: order, a: cursor }), { code: 'BAD_USER_INPUT' }, cursor)
      for (const at of [
        'x',
        '2024-02-30T00:00:00+00:00',
        '2024-13-01T00:00:00Z',
        '0000-01-01T00:00:00Z',
        '2024-01-01T25:00:00Z',
        7,
      ])
        await refused(forged(2, at))
      for (const amount of ['1x', '', "1'; DROP TABLE tb_item; --", {}]) await refused(forged(3, amount))
      for (const spare of database.kind === 'sqlite' ? ['maybe'] : ['maybe', null]) await refused(forged(4, spare))
      for (const day of ['2023-02-29', 'today']) await refused(forged(5, day))
      for (const key of ['', 'x', '1.5', '99999999999999999999', null, '\0']) await refused(forged(6, key))
      await refused(base64(JSON.stringify(good.slice(0, -1))))
      await refused(base64(JSON.stringify([...good, '1'])))
      await refused(`${(pageInfo.endCursor as string).slice(0, -6)}AAAA==`)
      t.equal(
        (await page('items', 'first: 1, after: $a', { o: order, a: forged(3, null) })).edges.length,
        1,
        'a place, too',
      )
    })

    await t.test('a connection with an unsupported order is refused', async (t) => {
      await t.rejects(page('items', 'first: 1', { o: [{ secret: 'ASC' }] }), /secret/)
      await t.rejects(page('items', 'first: 1', { o: [{ note: 'ASC', label: 'ASC' }] }), /exactly one/i)
    })
  },
  { sql: POSTGRES, sqlite: { sql: SQLITE } },
)
