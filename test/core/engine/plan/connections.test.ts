import t from 'tap'
import type { AuthoredSchema } from '../../../../core/schema/authored.ts'
import { eachDatabase } from '../../../helpers/databases.ts'
import { BOOK, LIBRARY, LIBRARY_SQL, SHELF } from '../../../helpers/library.ts'
import { openWorld, worldOn } from '../../../helpers/plan-world.ts'

/** Keys that are no integers, and rows that are documents. */
const KEYS_SQL = `
CREATE TABLE note (pk_note text PRIMARY KEY, id uuid NOT NULL, body text NOT NULL);
INSERT INTO note SELECT repeat('long-slug-', 8) || n, ('00000000-0000-4000-8000-00000000000' || n)::uuid, 'n' || n
  FROM generate_series(1, 3) n;
CREATE TABLE plain (pk_twin int NOT NULL, id uuid NOT NULL, body text NOT NULL);
INSERT INTO plain SELECT n / 3, ('00000000-0000-4000-8000-0000000001' || lpad(n::text, 2, '0'))::uuid, 'n' || n
  FROM generate_series(1, 7) n;
CREATE VIEW v_twin AS SELECT pk_twin, id, body FROM plain;
CREATE TABLE slip (pk_slip text PRIMARY KEY, id uuid NOT NULL, body text NOT NULL);
INSERT INTO slip SELECT CASE n WHEN 1 THEN '' ELSE 's' || n END, gen_random_uuid(), 'n' || n FROM generate_series(1, 3) n;
CREATE VIEW v_slip AS SELECT * FROM slip;
CREATE VIEW v_mark AS SELECT id AS pk_mark, id, body FROM note;
CREATE VIEW v_memo AS SELECT id, right(pk_note, 1)::int AS pk_memo, jsonb_build_object('id', id, 'body', body) AS data
  FROM note;`
const KEYS: AuthoredSchema = {
  version: '1',
  types: ['Note', 'Mark', 'Memo', 'Twin', 'Slip'].map((name) => ({
    name,
    relay: true,
    sql_source: name === 'Note' ? 'note' : `v_${name.toLowerCase()}`,
    fields: [
      { name: 'id', type: 'ID!' },
      { name: 'body', type: 'String!' },
    ],
  })),
  queries: ['Note', 'Mark', 'Memo', 'Twin', 'Slip'].map((name) => ({
    name: `${name.toLowerCase()}s`,
    type: `[${name}!]!`,
    relay: true,
    sql_source: name === 'Note' ? 'note' : `v_${name.toLowerCase()}`,
  })),
}

interface Page {
  readonly edges: readonly { readonly node: { readonly body: string } }[]
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean }
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')

await eachDatabase(
  t,
  async (t, database) => {
    const world = await openWorld(t, database, LIBRARY, 25)
    const page = async (args: string, variables = {}, head = '') =>
      (
        await world.run(
          `${head}{ bookPages${args} { edges { cursor node { title } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
          variables,
        )
      ).bookPages
    const shape = (result: { edges: { node: { title: string } }[]; pageInfo: Record<string, unknown> }) => [
      result.edges.map((edge) => edge.node.title.slice(0, 1)).join(''),
      result.pageInfo.hasNextPage,
      result.pageInfo.hasPreviousPage,
      result.pageInfo.startCursor,
      result.pageInfo.endCursor,
    ]

    // proves: query.relay
    await t.test('pages forward and backward by key', async (t) => {
      t.strictSame(shape(await page('')), ['AbGd', false, false, 'MQ==', 'NA=='])
      t.strictSame(shape(await page('(first: 2)')), ['Ab', true, false, 'MQ==', 'Mg=='])
      t.strictSame(shape(await page('(first: 2, after: "Mg==")')), ['Gd', false, true, 'Mw==', 'NA=='])
      t.strictSame(shape(await page('(last: 2)')), ['Gd', false, true, 'Mw==', 'NA=='])
      t.strictSame(shape(await page('(last: 2, before: "NA==")')), ['bG', true, true, 'Mg==', 'Mw=='])
      t.strictSame(shape(await page('(last: 9, before: "Mg==")')), ['A', true, false, 'MQ==', 'MQ=='])
      t.strictSame(shape(await page('(first: 1, last: 3)')), ['A', true, false, 'MQ==', 'MQ=='], 'first wins')
      t.strictSame(shape(await page('(first: 0)')), ['', true, false, null, null])
      t.strictSame(shape(await page('(first: 5, after: "NA")')), ['', false, true, null, null], 'without padding')
      t.strictSame(shape(await page('(first: 5, where: { genre: { _eq: SF } })')), ['Ad', false, false, 'MQ==', 'NA=='])
      const head = 'query($n: Int, $a: String) '
      t.strictSame(shape(await page('(first: $n, after: $a)', { n: 2, a: 'Mg==' }, head))[0], 'Gd')
      t.strictSame(shape(await page('(first: $n, after: $a)', { n: 0, a: null }, head))[0], '')
      t.strictSame(shape(await page('(first: $n, after: $a)', {}, head))[0], 'AbGd')
    })

    await t.test('page info that needs no rows is returned for a page without edges', async (t) => {
      for (const [args, members] of [
        ['', { hasPreviousPage: false, __typename: 'PageInfo' }],
        ['(after: "MQ==")', { hasPreviousPage: true }],
        ['(last: 2)', { hasNextPage: false }],
        ['(where: { genre: { _in: [] } })', { hasPreviousPage: false }],
      ] as const) {
        const query = `{ bookPages${args} { pageInfo { ${Object.keys(members).join(' ')} } totalCount } }`
        t.strictSame((await world.run(query)).bookPages.pageInfo, members, args)
      }
    })

    await t.test('invalid cursors and page sizes are rejected', async (t) => {
      for (const cursor of ['', 'x', '!!', base64('abc'), base64('1.5'), base64('99999999999999999999'), 'MQ==='])
        await t.rejects(page(`(first: 1, after: "${cursor}")`), { code: 'BAD_USER_INPUT', message: /cursor/ }, cursor)
      await t.rejects(page('(first: -1)'), { code: 'BAD_USER_INPUT', message: /-1 is negative/ })
      await t.rejects(page('(last: -1)'), { code: 'BAD_USER_INPUT' })
      await t.rejects(page('(first: 26)'), { code: 'VALIDATION_ERROR' })
      await t.rejects(page('(first: $n)', { n: 26 }, 'query($n: Int) '), { code: 'VALIDATION_ERROR' })
    })

    await t.test('keys of other types', async (t) => {
      const keys = await worldOn(world.database, KEYS)
      const walk = async (root: string) => {
        const seen: string[] = []
        let after: string | null = null
        for (let turn = 0; turn < 4; turn++) {
          const query = `query($a: String) { ${root}(first: 1, after: $a) { edges { node { body } } pageInfo { endCursor hasNextPage } } }`
          const { edges, pageInfo }: Page = (await keys.run(query, { a: after }))[root]
          seen.push(edges.map((edge) => edge.node.body).join(), String(pageInfo.hasNextPage))
          after = pageInfo.endCursor ?? after
        }
        return seen
      }
      for (const root of ['notes', 'marks', 'memos', 'slips']) {
        t.strictSame(await walk(root), ['n1', 'true', 'n2', 'true', 'n3', 'false', '', 'false'], root)
      }
      await t.rejects(keys.run(`{ marks(after: "${base64('x')}") { totalCount } }`), { code: 'BAD_USER_INPUT' })
      const { node } = await keys.run('{ node(id: "00000000-0000-4000-8000-000000000002") { __typename id } }')
      t.equal(node.__typename, 'Note')
    })

    await t.test('rows with the same key are distinguished in both directions of paging', async (t) => {
      const keys = await worldOn(world.database, KEYS)
      const bodies: string[] = []
      for (let after: string | null = null, more = true; more; ) {
        const { twins } = await keys.run(
          'query ($a: String) { twins(first: 2, after: $a) { edges { cursor node { body } } pageInfo { endCursor hasNextPage } } }',
          { a: after },
        )
        for (const edge of (twins as Page).edges) bodies.push(edge.node.body)
        t.equal(twins.edges.at(-1).cursor, twins.pageInfo.endCursor)
        after = twins.pageInfo.endCursor
        more = twins.pageInfo.hasNextPage
      }
      t.strictSame(bodies, ['n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7'])
      const { twins: last } = await keys.run('{ twins(last: 3) { edges { cursor node { body } } } }')
      t.strictSame(
        last.edges.map((edge: { node: { body: string } }) => edge.node.body),
        ['n5', 'n6', 'n7'],
      )
      const { twins: before } = await keys.run(
        `{ twins(last: 2, before: "${last.edges[0].cursor}") { edges { node { body } } } }`,
      )
      t.strictSame(before.edges, [{ node: { body: 'n3' } }, { node: { body: 'n4' } }])
      for (const cursor of ['MQ==', base64('["1"]'), base64('[1,2]'), base64('["x","y"]')]) {
        await t.rejects(
          keys.run(`{ twins(after: "${cursor}") { totalCount edges { cursor } } }`),
          { code: 'BAD_USER_INPUT' },
          cursor,
        )
      }
    })

    await t.test('only what is selected is read', async (t) => {
      const { bookPages } = await world.run('{ bookPages(first: 1) { totalCount } }')
      t.strictSame(bookPages, { totalCount: 4 })
      t.notMatch(world.prepare('{ bookPages { totalCount } }').statement!.text, /LIMIT|row_number/)
      t.notMatch(world.prepare('{ bookPages { edges { cursor } } }').statement!.text, /count\(|"title"/)
      t.strictSame(
        await world.run(
          '{ p: bookPages(first: 1, where: { pages: { _gt: 100 } }) { n: totalCount __typename pageInfo { __typename h: hasNextPage } e: edges { __typename c: cursor n: node { t: title shelf { label } } } } }',
        ),
        {
          p: {
            n: 1,
            __typename: 'BookConnection',
            pageInfo: { __typename: 'PageInfo', h: false },
            e: [{ __typename: 'BookEdge', c: 'Mg==', n: { t: 'beta', shelf: { label: 'Shelf 1' } } }],
          },
        },
      )
    })

    await t.test('node finds by global id and by plain id, and nothing is null', async (t) => {
      const query = 'query($id: ID!) { node(id: $id) { __typename id ... on Book { title } ... on Shelf { label } } }'
      const node = async (id: string) => (await world.run(query, { id })).node
      t.strictSame(await node(BOOK.beta), { __typename: 'Book', id: BOOK.beta, title: 'beta' })
      t.strictSame(await node(SHELF(2)), { __typename: 'Shelf', id: SHELF(2), label: 'Shelf 2' })
      t.strictSame(await node(base64(`Shelf:${SHELF(2)}`)), { __typename: 'Shelf', id: SHELF(2), label: 'Shelf 2' })
      t.equal(await node(base64(`Book:${SHELF(2)}`)), null)
      t.equal(await node(base64('Nothing:1')), null)
      t.equal(await node('no such thing'), null)
      t.equal(await node(base64('Book:x')), null)
      const literal = await world.run(`{ node(id: "${base64(`Book:${BOOK.alpha}`)}") { ... on Book { title } } }`)
      t.strictSame(literal, { node: { title: 'Alpha 100%' } })
      const { book } = await world.run('query($id: ID!) { book(id: $id) { title } }', {
        id: base64(`Book:${BOOK.delta}`),
      })
      t.equal(book.title, 'delta')
    })
  },
  { sql: LIBRARY_SQL + KEYS_SQL },
)
