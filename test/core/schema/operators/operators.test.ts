import t from 'tap'
import type { FieldModel, NamedType, ObjectType } from '../../../../core/schema/model.ts'
import { filterTypeName, OPERATORS, operatorsFor } from '../../../../core/schema/operators/operators.ts'
import { eachDatabase } from '../../../helpers/databases.ts'
import { BOOK, LIBRARY, LIBRARY_SQL } from '../../../helpers/library.ts'
import { openWorld, type PlanWorld } from '../../../helpers/plan-world.ts'

const SAMPLES: Readonly<Record<string, unknown>> = {
  ID: BOOK.alpha,
  String: 'x',
  Isbn: 'x',
  Int: 1,
  Float: 1.5,
  Decimal: '1.50',
  BigInt: '5',
  Boolean: true,
  Date: '2024-01-01',
  DateTime: '2024-01-01T00:00:00Z',
  Time: '10:00',
  JSON: { a: 1 },
}

await eachDatabase(
  t,
  async (t, database) => {
    const world = await openWorld(t, database, LIBRARY)
    const titles = async (where: unknown, variables: Record<string, unknown> = {}): Promise<string[]> => {
      const { books } = await world.run('query($where: BookWhereInput) { books(where: $where) { title } }', {
        where,
        ...variables,
      })
      return books.map((book: { title: string }) => book.title.split(' ')[0])
    }
    const cases: readonly (readonly [unknown, readonly string[]])[] = [
      [{ id: { _eq: BOOK.alpha.toUpperCase() } }, ['Alpha']],
      [{ id: { _in: [BOOK.alpha, BOOK.delta] } }, ['Alpha', 'delta']],
      [{ id: { _in: [] } }, []],
      [{ id: { _nin: [] } }, ['Alpha', 'beta', 'Gamma', 'delta']],
      [{ pages: { _nin: [100] } }, ['beta']],
      [{ pages: { _eq: 100 } }, ['Alpha', 'delta']],
      [{ pages: { _neq: 100 } }, ['beta']],
      [{ pages: { _gt: 100, _lte: 250 } }, ['beta']],
      [{ pages: { _gte: 100, _lt: 101 } }, ['Alpha', 'delta']],
      [{ pages: { _is_null: true } }, ['Gamma']],
      [{ pages: { _is_null: false } }, ['Alpha', 'beta', 'delta']],
      [{ pages: { _is_not_null: true } }, ['Alpha', 'beta', 'delta']],
      [{ pages: { _is_not_null: false } }, ['Gamma']],
      [{ weight: { _eq: 0.1 } }, ['beta']],
      [{ price: { _in: ['10.5', '3'] } }, ['Alpha', 'beta']],
      [{ sold: { _eq: '9007199254740993' } }, ['Alpha']],
      [{ inPrint: { _eq: false } }, ['beta']],
      [{ inPrint: { _neq: false } }, ['Alpha', 'Gamma', 'delta']],
      [{ title: { _gt: 'b' } }, ['beta', 'delta']],
      [{ title: { _contains: '100%' } }, ['Alpha']],
      [{ title: { _contains: '%' } }, ['Alpha']],
      [{ subtitle: { _contains: '_' } }, ['Alpha']],
      [{ title: { _contains: '\\' } }, ['Gamma']],
      [{ title: { _icontains: 'ALPHA' } }, ['Alpha']],
      [{ title: { _startswith: 'be' } }, ['beta']],
      [{ title: { _istartswith: 'BE' } }, ['beta']],
      [{ title: { _endswith: 'ta' } }, ['beta', 'delta']],
      [{ title: { _iendswith: 'TA' } }, ['beta', 'delta']],
      [{ title: { _like: '_e%a' } }, ['beta', 'delta']],
      [{ title: { _ilike: 'ALPHA 100\\%' } }, ['Alpha']],
      [{ title: { _nlike: '%a%' } }, []],
      [{ title: { _nilike: '%alpha%' } }, ['beta', 'Gamma', 'delta']],
      [{ title: { _regex: '^[bd]' } }, ['beta', 'delta']],
      [{ title: { _iregex: '^ALPHA' } }, ['Alpha']],
      [{ title: { _nregex: 'ta$' } }, ['Alpha', 'Gamma']],
      [{ title: { _niregex: 'TA$' } }, ['Alpha', 'Gamma']],
      [{ title: { _matches: 'alpha | beta' } }, ['Alpha', 'beta']],
      [{ title: { _plain_query: 'quoted gamma' } }, ['Gamma']],
      [{ title: { _phrase_query: 'gamma quoted' } }, ['Gamma']],
      [{ title: { _websearch_query: 'alpha or delta' } }, ['Alpha', 'delta']],
      [{ printedOn: { _eq: '2024-02-29' } }, ['Alpha']],
      [{ printedOn: { _year: 2024 } }, ['Alpha', 'delta']],
      [{ printedOn: { _month: 12, _day: 31 } }, ['beta']],
      [{ printedOn: { _dow: 0 } }, ['beta', 'delta']],
      [{ soldAt: { _eq: '2024-01-01T12:00:00.123+02:00' } }, ['Alpha']],
      [{ soldAt: { _in: ['2024-01-01T10:00:00.123Z'] } }, ['Alpha']],
      [{ addedAt: { _gte: '2024-03-05T12:00:00Z', _lt: '2024-12-31T00:00:00Z' } }, ['beta', 'Gamma']],
      [{ addedAt: { _year: 2023 } }, ['Alpha']],
      [{ opens: { _gt: '08:00' } }, ['Alpha']],
      [{ genre: { _eq: 'SF' } }, ['Alpha', 'delta']],
      [{ genre: { _nin: ['SF'] } }, ['beta']],
      [{ mood: { _eq: 'tense' } }, ['beta']],
      [{ mood: { _in: ['calm', 'tense'] } }, ['Alpha', 'beta', 'delta']],
      [{ tags: { _eq: ['red', 'blue'] } }, ['Alpha']],
      [{ tags: { _neq: ['red', 'blue'] } }, ['beta', 'delta']],
      [{ tags: { _contains: ['blue'] } }, ['Alpha', 'delta']],
      [{ tags: { _has_all: ['blue', 'red'] } }, ['Alpha']],
      [{ tags: { _has_any: ['red', 'x'] } }, ['Alpha']],
      [{ tags: { _contained_in: ['blue', 'x'] } }, ['beta', 'delta']],
      [{ tags: { _is_empty: true } }, ['beta', 'Gamma']],
      [{ tags: { _is_empty: false } }, ['Alpha', 'delta']],
      [{ tags: { _is_null: true } }, ['Gamma']],
      [{ tags: { _len_eq: 1 } }, ['delta']],
      [{ tags: { _len_neq: 1 } }, ['Alpha', 'beta']],
      [{ tags: { _len_gt: 1 } }, ['Alpha']],
      [{ tags: { _len_gte: 1, _len_lte: 1 } }, ['delta']],
      [{ tags: { _len_lt: 1 } }, ['beta']],
      [{ ratings: { _contains: [3] } }, ['Alpha', 'delta']],
      [{ moments: { _contains: ['2024-01-01T02:00:00+02:00'] } }, ['Alpha']],
      [{ extra: { _eq: { b: { c: [1, 2] }, a: 1 } } }, ['Alpha']],
      [{ extra: { _neq: [1, 2] } }, ['Alpha', 'beta']],
      [{ extra: { _contains: { b: { c: [2] } } } }, ['Alpha']],
      [{ extra: { _strictly_contains: [1, 2] } }, []],
      [{ extra: { _strictly_contains: [1] } }, ['delta']],
      [{ extra: { _contained_in: [1, 2, 3] } }, ['delta']],
      [{ extra: { _has_key: 'b' } }, ['Alpha']],
      [{ extra: { _has_keys_any: ['b', 'a'] } }, ['Alpha', 'beta']],
      [{ extra: { _has_keys_all: ['b', 'a'] } }, ['Alpha']],
      [{ extra: { _is_null: true } }, ['Gamma']],
      [{ extra: { _is_not_null: true } }, ['Alpha', 'beta', 'delta']],
      [{ owner: { _in: ['ann'] } }, ['Alpha', 'Gamma']],
    ]
    for (const [where, expected] of cases) {
      await t.test(JSON.stringify(where), async (t) => {
        t.strictSame(await titles(where), expected)
      })
    }

    await t.test('everything that is advertised runs', async (t) => {
      let ran = 0
      for (const type of ['Book', 'Shelf', 'ShelfDoc', 'Thing', 'Keeper']) ran += await runAll(world, type)
      t.ok(ran > 200, `${ran} operators ran`)
    })

    await t.test('names of filter types follow the members', (t) => {
      const book = world.model.types.get('Book') as ObjectType
      const name = (field: string): string => filterTypeName(book.fields.get(field)!)
      t.strictSame(['id', 'title', 'pages', 'extra', 'tags', 'genre', 'owner'].map(name), [
        'IDFilter',
        'StringFilter',
        'IntFilter',
        'JsonFilter',
        'StringArrayFilter',
        'GenreFilter',
        'IsbnFilter',
      ])
      const restricted: FieldModel = { ...book.fields.get('title')!, filterOperators: ['_is_null', '_eq'] }
      t.equal(filterTypeName(restricted), 'StringEqIsNullFilter')
      t.strictSame(
        operatorsFor(restricted).map((operator) => operator.name),
        ['_eq', '_is_null'],
      )
      t.strictSame(operatorsFor({ ...restricted, filterable: false }), [])
      t.strictSame(operatorsFor({ ...restricted, read: null }), [])
      t.strictSame(operatorsFor(book.fields.get('shelf')!), [])
      const asText: FieldModel = { ...book.fields.get('id')!, filterType: 'StringFilter' }
      t.ok(operatorsFor(asText).some((operator) => operator.name === '_contains'))
      t.equal(filterTypeName(asText), 'StringFilter')
      t.strictSame(
        operatorsFor(book.fields.get('owner')!).map((operator) => operator.name),
        ['_eq', '_neq', '_in', '_nin', '_is_null', '_is_not_null'],
      )
      for (const operator of OPERATORS) {
        t.match(operator.name, /^_[a-z0-9_]+$/)
        t.match(operator.description, /^.+[.`]$/)
      }
      t.end()
    })
  },
  { sql: LIBRARY_SQL },
)

/** Runs each operator of each field with an operand that fits. */
async function runAll(world: PlanWorld, typeName: string): Promise<number> {
  const type = world.model.types.get(typeName) as ObjectType
  const root = { Book: 'books', Shelf: 'shelves', ShelfDoc: 'shelfDocs', Thing: 'things', Keeper: 'shelfDocs' }[
    typeName
  ]
  const wrap = (where: object): object => (typeName === 'Keeper' ? { keeper: where } : where)
  const input = typeName === 'Keeper' ? 'ShelfDoc' : typeName
  let ran = 0
  for (const field of type.fields.values()) {
    for (const operator of operatorsFor(field)) {
      const where = wrap({ [field.wireName]: { [operator.name]: sampleOperand(operator.operand, field.named) } })
      await world.run(`query($where: ${input}WhereInput) { ${root}(where: $where) { __typename } }`, { where })
      ran++
    }
  }
  return ran
}

function sampleOperand(operand: string, named: NamedType): unknown {
  const own = named.kind === 'enum' ? named.values[0]?.name : SAMPLES[named.name]
  const samples: Record<string, unknown> = { field: own, list: [own], boolean: true, int: 1, strings: ['a'], json: [1] }
  return samples[operand] ?? 'x'
}
