import t from 'tap'
import { eachDatabase } from '../../../helpers/databases.ts'
import { LIBRARY, LIBRARY_SQL } from '../../../helpers/library.ts'
import { openWorld, type PlanWorld } from '../../../helpers/plan-world.ts'
import { SQLITE_LIBRARY } from '../../../plugins/sqlite/library.ts'

/** Filters through many relations: bounded, and written so that the database can plan them. */
t.setTimeout(120_000)

type Where = Readonly<Record<string, unknown>>
const QUERY = 'query ($w: ShelfWhereInput) { shelves(where: $w) { label } }'
const PRINTED = { inPrint: { _eq: true } }

async function shelves(world: PlanWorld, where: Where): Promise<readonly number[]> {
  const { shelves: rows } = await world.run(QUERY, { w: where })
  return rows.map(({ label }: { label: string }) => Number(label.slice(-1)))
}

const times = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, i) => make(i))
const some = (where: Where): Where => ({ books: { some: where } })

/** From shelves to books and back, each level one of several ways. */
function chain(levels: number, joint: '_or' | '_and'): Where {
  let where: Where = levels % 2 === 0 ? { label: { _startswith: 'Shelf' } } : PRINTED
  for (let level = levels; level > 0; level--) {
    const next = level % 2 === 1 ? some(where) : { shelf: where }
    const other = level % 2 === 1 ? { label: { _eq: 'none' } } : { title: { _eq: 'none' } }
    where = joint === '_or' ? { _or: [next, other] } : next
  }
  return where
}

/** Two at each level, 2 + 4 + 8 + … of them. */
function tree(levels: number, joint: '_or' | '_and', isShelf = true): Where {
  if (levels === 0) return isShelf ? { label: { _startswith: 'Shelf' } } : PRINTED
  const inner = tree(levels - 1, joint, !isShelf)
  return { [joint]: times(2, () => (isShelf ? some(inner) : { shelf: inner })) }
}

await eachDatabase(
  t,
  async (t, database) => {
    const world = await openWorld(t, database, LIBRARY)
    const fences = (where: Where): number =>
      world.prepare(QUERY, { w: where }).statement!.text.split(/ OFFSET 0\)| LIMIT -1\)/).length - 1

    await t.test('hundreds of relations are refused without a statement', async (t) => {
      const refusal = { code: 'VALIDATION_ERROR', message: /filters of a request may go through 128 relations/ }
      for (const joint of ['_and', '_or']) {
        t.throws(() => world.prepare(QUERY, { w: { [joint]: times(129, () => some({})) } }), refusal)
        t.ok(world.prepare(QUERY, { w: { [joint]: times(128, () => some({})) } }))
      }
      const three = times(22, () => ({ books: { some: {}, every: PRINTED, none: {} } }))
      t.throws(() => world.prepare(QUERY, { w: { _and: [...three, ...three] } }), refusal, 'each quantifier is one')
      t.throws(() => world.prepare(QUERY, { w: tree(7, '_or') }), refusal, 'on all levels together')
      const roots = times(20, (i) => `r${i}: shelves(where: $w) { label books(where: $b) { id } }`).join(' ')
      const several = `query ($w: ShelfWhereInput, $b: BookWhereInput) { ${roots} }`
      const filters = (count: number) => ({ w: { _and: times(count, () => some({})) }, b: { _or: [{ shelf: {} }] } })
      t.throws(() => world.prepare(several, filters(6)), refusal, 'of the whole statement')
      t.ok(world.prepare(several, filters(5)))
    })

    await t.test('empty conditions count towards the limit of conditions', async (t) => {
      const refusal = { code: 'VALIDATION_ERROR', message: /1000 conditions/ }
      const docs = 'query ($w: ShelfDocWhereInput) { shelfDocs(where: $w) { label } }'
      for (const nothing of [{}, { _and: [] }, { _or: [] }, { _not: {} }, { label: {} }]) {
        const where = (count: number) => ({ w: { _or: times(count, () => nothing) } })
        t.throws(() => world.prepare(QUERY, where(1001)), refusal, JSON.stringify(nothing))
        t.ok(world.prepare(QUERY, where(1000)))
      }
      for (const inside of [{ keeper: {} }, { labels: { some: {} } }]) {
        t.throws(() => world.prepare(docs, { w: { _or: times(1001, () => inside) } }), refusal, JSON.stringify(inside))
        t.ok(world.prepare(docs, { w: { _or: times(1000, () => inside) } }))
      }
      const groups = 'query ($h: BookHavingInput) { booksGroups(groupBy: [genre], having: $h) { count } }'
      for (const nothing of [{}, { _and: [] }, { _not: {} }, { count: {} }]) {
        const having = { h: { _or: times(1001, () => nothing) } }
        t.throws(() => world.prepare(groups, having), refusal, JSON.stringify(nothing))
      }
    })

    await t.test('few are written as they always were, many behind fences', async (t) => {
      t.equal(fences({ _and: times(4, () => some(PRINTED)) }), 0)
      t.equal(fences({ _and: times(5, () => some(PRINTED)) }), 5)
      t.equal(fences(chain(4, '_or')), 0)
      t.equal(fences(chain(6, '_or')), 2, 'from the outside in, until four are left')
      t.equal(fences({ _and: [chain(4, '_or'), some(PRINTED)] }), 2)
      // Of 2 + 4 + 8 + 16 each of the eight has two below it.
      t.equal(fences(tree(4, '_and')), 2 + 4 + 8)
      const two = 'query ($w: ShelfWhereInput) { a: shelves(where: $w) { label } b: shelves(where: $w) { label } }'
      const text = world.prepare(two, { w: { _and: times(4, () => some(PRINTED)) } }).statement!.text
      t.notMatch(text, / OFFSET 0\)/, 'each where is by itself')
    })

    await t.test('the answers are the same', async (t) => {
      for (const joint of ['_and', '_or'] as const) {
        t.strictSame(await shelves(world, { [joint]: times(128, () => some(PRINTED)) }), [1, 2])
        t.strictSame(await shelves(world, { [joint]: times(128, () => ({ books: { none: PRINTED } })) }), [3])
        t.strictSame(await shelves(world, { [joint]: times(128, () => ({ books: { every: PRINTED } })) }), [2, 3])
        t.strictSame(await shelves(world, tree(6, joint)), joint === '_and' ? [1, 2] : [1, 2])
        t.strictSame(await shelves(world, chain(20, joint)), [1, 2])
      }
      const odd = times(50, (i) => ({ books: i % 2 === 0 ? { some: PRINTED } : { every: PRINTED } }))
      t.strictSame(await shelves(world, { _and: odd }), [2])
      t.strictSame(await shelves(world, { _not: { _or: odd } }), [])
    })
  },
  { sql: LIBRARY_SQL, sqlite: { sql: SQLITE_LIBRARY } },
)
