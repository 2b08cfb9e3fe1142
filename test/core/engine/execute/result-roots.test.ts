import fc from 'fast-check'
import t from 'tap'
import { closeText, LentText, openText } from '../../../../core/base/util/lent-text.ts'
import { NotedText } from '../../../../core/base/util/noted-text.ts'
import type { Operation, QueryRoot } from '../../../../core/contract/operation.ts'
import type { Result } from '../../../../core/contract/result.ts'
import { rootsOf } from '../../../../core/engine/execute/result-roots.ts'
import { countItems, skipItems } from '../../../../core/engine/json/list-items.ts'
import { NotedResult } from '../../../../core/engine/json/noted-result.ts'
import { eachDatabase } from '../../../helpers/databases.ts'
import { executeWorldOn, openExecuteWorld } from '../../../helpers/execute-world.ts'
import { LIBRARY, LIBRARY_SQL } from '../../../helpers/library.ts'

/** The same operation with roots that look one row ahead. */
function ahead({ template, variables }: Operation): Operation {
  const roots = template.roots.map((root) => ({ ...(root as QueryRoot), lookAhead: true as const }))
  return { template: { ...template, roots }, variables }
}

await eachDatabase(
  t,
  async (t, database) => {
    const world = await openExecuteWorld(t, database, LIBRARY)
    const look = async (document: string, variables = {}, change = ahead) => {
      const operation = change(world.operation(document, variables))
      const result = await world.resolve(operation)
      return { result, roots: rootsOf(operation, result) }
    }

    await t.test('a root by itself: its text, its rows, whether there are more', async (t) => {
      const query = 'query ($n: Int) { books(limit: $n, orderBy: [{ id: ASC }]) { title } }'
      for (const [n, rows, hasNext] of [
        [0, 0, true],
        [1, 1, true],
        [3, 3, true],
        [4, 4, false],
        [5, 4, false],
        [undefined, 4, false],
      ] as const) {
        const { roots } = await look(query, n === undefined ? {} : { n })
        const [root] = roots
        t.strictSame([roots.length, root?.key, root?.rows, root?.hasNext], [1, 'books', rows, hasNext], `limit ${n}`)
        t.equal(JSON.parse(`[${root?.items}]`).length, rows)
      }
    })

    await t.test('a limit as large as svc.max_rows looks ahead, too', async (t) => {
      const few = await executeWorldOn(world.database, LIBRARY, { maxRows: 3 })
      const operation = ahead(few.operation('{ books(limit: 3) { id } }'))
      t.match(rootsOf(operation, await few.resolve(operation))[0], { rows: 3, hasNext: true })
    })

    await t.test('several roots, in their order, of any kind', async (t) => {
      const { result, roots } = await look(
        '{ books(limit: 1, orderBy: [{ id: ASC }]) { title } b: shelf(id: "00000000-0000-4000-8000-000000000001") { label } countedBooks(limit: 2) { n: totalCount items { id } } }',
      )
      t.strictSame(
        roots.map(({ key, rows, hasNext, totalCount }) => [key, rows, hasNext, totalCount]),
        [
          ['books', 1, true, null],
          ['b', null, false, null],
          ['countedBooks', 2, true, '4'],
        ],
      )
      t.equal(String(roots[1]?.text), '{"label":"Shelf 1"}')
      t.equal(JSON.parse(result.data ?? '').books.length, 2, 'the text has the row that looks ahead, the root does not')
      t.equal(roots[1]?.items, null)
      t.same(rootsOf(world.operation('{ books { id } }'), { data: null, errors: null }), [])
    })

    await t.test('an operation looks ahead only on request', async (t) => {
      const { roots } = await look('{ books(limit: 1) { title } }', {}, (operation) => operation)
      t.match(roots[0], { rows: 1, hasNext: false })
    })

    await t.test('the recorded position is used for short texts, too', async (t) => {
      for (const [n, rows] of [
        [1, 1],
        [3, 3],
        [4, 4],
        [9, 4],
      ] as const) {
        const query = 'query ($n: Int) { books(limit: $n, orderBy: [{ id: ASC }]) { id __typename } }'
        const { result, roots } = await look(query, { n })
        if (database.kind === 'postgres') {
          t.type(result, NotedResult)
          t.equal(result.list?.count, Math.min(n + 1, 4))
        }
        t.match(roots[0], { rows, hasNext: n < 4 })
        const books = JSON.parse(result.data ?? '').books
        t.strictSame(JSON.parse(`[${roots[0]?.items}]`), books.slice(0, n))
        // Beside another root, the list stands elsewhere in the text.
        const beside = await look(query.replace('books(', 'a: shelves(limit: 1) { label } books('), { n })
        t.match(beside.roots[1], { key: 'books', rows, hasNext: n < 4 })
        t.strictSame(JSON.parse(`[${beside.roots[1]?.items}]`), books.slice(0, n))
      }
    })

    await t.test('the recorded position of a list is used if it is that of the root', async (t) => {
      const operation = ahead(world.operation('{ books(limit: 2) { id } }'))
      const text = '{"books":[10,20,30]}'
      // A note that says less than the text shows that nobody counted.
      const noted = { at: 9, count: 2, beforeLast: 12, end: 18 }
      const [root] = rootsOf(operation, new NotedResult(new NotedText(text, noted)))
      t.match(root, { rows: 2, hasNext: false, items: '10,20,30' })
      const elsewhere = { at: 8, count: 2, beforeLast: 12, end: 18 }
      const [other] = rootsOf(operation, new NotedResult(new NotedText(text, elsewhere)))
      t.match(other, { rows: 2, hasNext: true, items: '10,20' }, 'a list of another place is not that of the root')
    })

    await t.test('of a long text the bytes are not copied', async (t) => {
      await world.database.query(
        {
          name: null,
          text: `INSERT INTO tb_book (pk_book, id, title, added_at) SELECT 100 + g, ('bbbbbbbb-0000-4000-8000-' || lpad(g::text, 12, '0'))::uuid, repeat('é', 200) || g, '2024-01-01'::timestamptz FROM generate_series(1, 200) g`,
        },
        [],
        null,
      )
      const { result, roots } = await look('{ books(limit: 150, orderBy: [{ id: ASC }]) { title id } }')
      if (database.kind === 'postgres') {
        t.type(result.text, LentText)
        t.type(roots[0]?.items, LentText)
      }
      t.match(roots[0], { rows: 150, hasNext: true })
      const items = JSON.parse(`[${roots[0]?.items}]`)
      t.strictSame(items, JSON.parse(result.data ?? '').books.slice(0, 150))
      t.strictSame(JSON.parse(String(roots[0]?.text)).length, 151)
      for (const limit of [0, 203, 204, 205]) {
        const { roots } = await look('query ($n: Int) { a: books(limit: $n) { title } }', { n: limit })
        t.match(roots[0], { rows: Math.min(limit, 204), hasNext: limit < 204 }, `limit ${limit}`)
        t.equal(JSON.parse(`[${roots[0]?.items}]`).length, Math.min(limit, 204))
        if (database.kind === 'postgres' && limit > 0) {
          const { list } = roots[0]!.text as LentText
          t.match(list, { at: 0, count: Math.min(limit + 1, 204) }, 'nobody goes through it')
        }
      }
    })
  },
  { sql: LIBRARY_SQL },
)

t.test('a part of a text knows the list that stands whole in it', async (t) => {
  const text = '{"books":[{"a":1},{"a":2}]}'
  const list = { at: 9, count: 2, beforeLast: 17, end: text.length - 2 }
  const whole = new LentText(Buffer.from(text), null, list)
  t.same(whole.part(9, text.length - 1).list, { at: 0, count: 2, beforeLast: 8, end: 16 })
  t.same(whole.part(1, text.length).part(8, text.length - 2).list, { at: 0, count: 2, beforeLast: 8, end: 16 })
  t.equal(whole.part(10, text.length).list, null)
  t.equal(whole.part(9, text.length - 2).list, null)
})

t.test('places are those of the text that they were noted in', async (t) => {
  const list = { at: 5, count: 2, beforeLast: 8, end: 11 }
  const result = new NotedResult(new NotedText('{"a":[10,11]}', list))
  t.equal(result.list, list)
  const changed: Result = { ...result, data: '{"a":[null,null,null]}' }
  t.equal(changed.list, undefined, 'who changes the text does not hand them on')
})

t.test('a part of a text is gone with it', async (t) => {
  const whole = new LentText(Buffer.from(`[${'"x",'.repeat(5000)}1]`))
  const part = whole.part(1, 8)
  t.equal(String(part), '"x","x"')
  t.equal(String(part.part(4, 7)), '"x"')
  t.equal(openText(part).toString(), '"x","x"')
  closeText(part)
  t.throws(() => String(part), /was sent and its memory is released/)
  t.throws(() => String(whole), /was sent and its memory is released/)
  const kept = new LentText(Buffer.from('y'.repeat(9000)))
  const piece = kept.part(0, 3)
  piece.keep()
  openText(piece)
  closeText(piece)
  t.equal(String(kept).length, 9000)
})

t.test('items are counted in any list', async (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 8 }),
      fc.nat(9),
      fc.boolean(),
      (list, most, wide) => {
        const text = wide ? JSON.stringify(list, null, 1) : JSON.stringify(list)
        const found = countItems(text, 0, most)!
        const wanted = Math.min(list.length, most)
        if (found.count !== wanted || found.more !== list.length > most)
          throw new Error(`${text} ${JSON.stringify(found)}`)
        const items = JSON.parse(wanted === 0 ? '[]' : `${text.slice(0, found.end)}]`)
        if (JSON.stringify(items) !== JSON.stringify(list.slice(0, wanted))) throw new Error(text)
      },
    ),
  )
  t.equal(countItems('{"a":[]}', 0, 9), null)
  t.equal(countItems('null', 0, 9), null)
})

t.test(
  'rows that hold no objects are found by what stands between them, wherever else it seems to stand',
  async (t) => {
    const text = fc.oneof(fc.string(), fc.constantFrom('},{"id":', '"},{"id":"', '\\"},{\\"id\\":', '}', ',{"id":1}'))
    const row = fc.record({ id: fc.oneof(fc.integer(), text), text, list: fc.array(text), none: fc.constant(null) })
    fc.assert(
      fc.property(fc.array(row, { maxLength: 6 }), fc.integer({ min: 0, max: 7 }), (rows, most) => {
        const list = ` ${JSON.stringify(rows)}`
        const quick = skipItems(list, 0, most, '},{"id":')
        if (most === 0 || rows.length <= most) t.equal(quick, null)
        else t.strictSame(quick, countItems(list, 0, most))
      }),
      { seed: 5, numRuns: 300 },
    )
    t.equal(skipItems('[{"id": 1}, {"id": 2}]', 0, 1, '},{"id":'), null, 'written otherwise, they are counted')
  },
)
