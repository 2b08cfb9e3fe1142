import t from 'tap'
import { eachDatabase } from '../../helpers/databases.ts'
import { BOOK, LIBRARY, LIBRARY_SQL, SHELF } from '../../helpers/library.ts'
import { openWorld } from '../../helpers/plan-world.ts'

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

    await t.test('what a page cannot be', async (t) => {
      for (const cursor of ['', 'x', '!!', base64('abc'), base64('1.5'), base64('99999999999999999999'), 'MQ==='])
        await t.rejects(page(`(first: 1, after: "${cursor}")`), { code: 'BAD_USER_INPUT', message: /cursor/ }, cursor)
      await t.rejects(page('(first: -1)'), { code: 'BAD_USER_INPUT', message: /-1 is negative/ })
      await t.rejects(page('(last: -1)'), { code: 'BAD_USER_INPUT' })
      await t.rejects(page('(first: 26)'), { code: 'VALIDATION_ERROR' })
      await t.rejects(page('(first: $n)', { n: 26 }, 'query($n: Int) '), { code: 'VALIDATION_ERROR' })
    })

    await t.test('only what is selected is read', async (t) => {
      const { bookPages } = await world.run('{ bookPages(first: 1) { totalCount } }')
      t.strictSame(bookPages, { totalCount: 4 })
      t.notMatch(world.prepare('{ bookPages { totalCount } }').statement?.text, /LIMIT|row_number/)
      t.notMatch(world.prepare('{ bookPages { edges { cursor } } }').statement?.text, /count\(|"title"/)
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
  { sql: LIBRARY_SQL },
)
