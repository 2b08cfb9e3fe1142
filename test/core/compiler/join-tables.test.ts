import t from 'tap'
import { compileSchema } from '../../../core/compiler/compile.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { at, faultsOf, type Loose } from '../../helpers/compile-faults.ts'
import { fakeCatalog } from '../../helpers/fake-catalog.ts'
import { OWNED_KEYS } from '../../helpers/owned-keys.ts'

const catalog = fakeCatalog({
  film: { film_id: 'int4*', title: 'text' },
  actor: { actor_id: 'int4*', land: 'text', no: 'int4' },
  film_actor: { film_id: 'int4!~', actor_id: 'int4!~', land: 'text', no: 'int4', at: 'timestamptz', data: 'jsonb' },
  tv_pair: { film_id: 'int4!~', actor_id: 'int4!~', owner: 'text', data: 'jsonb', more: 'jsonb' },
  v_doc: { id: 'uuid', data: 'jsonb' },
})
const relation = (change: Loose = {}) => ({
  from: 'film_id',
  to: 'actor_id',
  through: { sql_source: 'film_actor', from: 'film_id', to: 'actor_id', ...change },
})

interface Given {
  readonly actors?: Loose
  readonly more?: readonly Loose[]
  readonly queries?: readonly Loose[]
}

const FILM = {
  name: 'Film',
  sql_source: 'film',
  fields: [
    { name: 'id', type: 'ID!', column: 'film_id' },
    { name: 'actors', type: '[Actor!]!', relation: relation(), ...at(5) },
  ],
}
const ACTOR_TYPE = { name: 'Actor', sql_source: 'actor', fields: [{ name: 'id', type: 'ID!', column: 'actor_id' }] }

function schemaOf({ actors = {}, more = [], queries = [] }: Given = {}): Loose {
  const [id, list] = FILM.fields
  const own: readonly Loose[] = [{ ...FILM, fields: [id, { ...list, ...actors }] }, ACTOR_TYPE]
  return {
    version: '1',
    types: [...own, ...more],
    queries: [{ name: 'films', type: '[Film!]!' }, ...queries],
  }
}
const faults = (given: Given = {}) => faultsOf(schemaOf(given), { catalog })
const readOf = (given: Given = {}, known: typeof catalog | null = catalog) => {
  const { compiled } = compileSchema(schemaOf(given) as unknown as AuthoredSchema, {
    catalog: known,
    owned: OWNED_KEYS,
  })
  return compiled?.types[0]?.fields[1]?.read
}

// proves: error.relation-through
t.test('a join table that cannot relate the rows is a fault that says what to do', async (t) => {
  t.strictSame(faults(), [])
  t.strictSame(faults({ actors: { type: 'Actor' } }), [
    '5:3 relation-through: Film.actors: relation.through: rows that a join table relates are a list. Declare the field as [Actor!]!, or drop through.',
  ])
  const documents = ['data', 'more'].map((column) => ({
    name: `Pair${column}`,
    sql_source: 'tv_pair',
    jsonb_column: column,
    fields: [{ name: 'owner', type: 'String' }],
  }))
  t.strictSame(faults({ actors: { relation: relation({ sql_source: 'tv_pair' }) }, more: documents }), [
    '5:3 relation-through: Film.actors: relation.through: the rules of Pairdata, Pairmore read different JSON columns of tv_pair. Name another view of the join table.',
  ])
})

t.test('sources, columns and types of both joins are checked', async (t) => {
  t.match(faults({ actors: { relation: relation({ sql_source: 'film_actors' }) } }), [
    /^5:3 unknown-source: Film\.actors: relation\.through: the database has no view or table "film_actors"\. Did you mean "film_actor"\?/,
  ])
  t.match(faults({ actors: { relation: relation({ from: 'film' }) } }), [
    /^5:3 unknown-column: Film\.actors: relation: film_actor has no column "film"/,
  ])
  t.match(faults({ actors: { relation: relation({ to: 'actor' }) } }), [
    /^5:3 unknown-column: Film\.actors: relation: film_actor has no column "actor"/,
  ])
  t.match(faults({ actors: { relation: { ...relation(), from: 'id' } } }), [
    /^5:3 unknown-column: .*: film has no column "id"/,
  ])
  t.match(faults({ actors: { relation: { ...relation(), to: 'id' } } }), [
    /^5:3 unknown-column: .*: actor has no column "id"/,
  ])
  t.match(faults({ actors: { relation: relation({ from: 'at' }) } }), [
    /^5:3 relation-type: .*film\.film_id is int4 and film_actor\.at is timestamptz/,
  ])
  t.match(faults({ actors: { relation: relation({ to: 'at' }) } }), [
    /^5:3 relation-type: .*film_actor\.at is timestamptz and actor\.actor_id is int4/,
  ])
})

t.test('lists of columns have the same length, and each column once', async (t) => {
  const columns = (from: unknown, to: unknown, change: Loose) =>
    faults({ actors: { relation: { ...relation(change), from, to } } })
  t.strictSame(columns('film_id', ['land', 'no'], { to: 'land' }), [
    '5:3 relation-columns: Film.actors: relation: to has 2 columns (land, no) and through.to has 1 (land). Give each its partner, in the same order.',
  ])
  t.strictSame(columns('film_id', 'actor_id', { from: ['film_id', 'no'] }), [
    '5:3 relation-columns: Film.actors: relation: from has 1 column (film_id) and through.from has 2 (film_id, no). Give each its partner, in the same order.',
  ])
  t.strictSame(columns('film_id', ['land', 'no'], { to: ['no', 'no'] }), [
    '5:3 relation-columns: Film.actors: relation: "no" stands twice in through.to. Name each column once.',
  ])
  t.strictSame(columns('film_id', 'actor_id', { to: 'film_id' }), [
    '5:3 relation-columns: Film.actors: relation: through.from and through.to name the same columns (film_id), so that a row relates only to itself. Name in through.to the columns that refer to the other row.',
  ])
  t.strictSame(columns('film_id', ['land', 'no'], { to: ['land', 'no'] }), [])
})

t.test('a key of one side in a document is read from there, and a join column cannot be in one', async (t) => {
  const film = { name: 'Doc', sql_source: 'v_doc', fields: [{ name: 'cast', type: '[Actor!]!', relation: relation() }] }
  t.strictSame(faults({ more: [film] }), [])
  const { compiled } = compileSchema(schemaOf({ more: [film] }) as unknown as AuthoredSchema, {
    catalog,
    owned: OWNED_KEYS,
  })
  t.match(compiled?.types[2]?.fields[0]?.read, { from_column: 'film_id', from_document: 'data', to_column: 'film_id' })
  t.match(faults({ actors: { relation: relation({ to: 'absent' }) } }), [/film_actor has no column "absent"/])
})

/** Names of the types over the join table. */
const PAIR = ['Pair']

t.test('the types over a join table, and the fields that reveal its pairs, go with the relation', async (t) => {
  const plain = {
    source: 'film_actor',
    pairs: [{ from_column: 'actor_id', to_column: 'actor_id', column_type: 'int4' }],
  }
  t.strictSame(readOf(), {
    from: 'relation',
    target: 'actor',
    cardinality: 'many',
    from_column: 'film_id',
    to_column: 'film_id',
    column_type: 'int4',
    through: plain,
  })
  const pair = {
    name: 'Pair',
    sql_source: 'public.film_actor',
    fields: [
      { name: 'film', type: 'Film', relation: { from: 'film_id', to: 'film_id' } },
      { name: 'star', type: 'Int', column: 'actor_id' },
      { name: 'at', type: 'DateTime' },
      { name: 'extra', type: 'Actor', computed: true },
    ],
  }
  const known = {
    ...catalog,
    relations: new Map([...catalog.relations, ['public.film_actor', catalog.relations.get('film_actor')!]]),
  }
  const expected = { ...plain, types: PAIR, guards: ['Pair', 'Pair.film', 'Pair.star'] }
  t.match(readOf({ more: [pair] }, known), { through: expected }, 'with its schema it is the same table')
  t.match(readOf({ more: [{ ...pair, sql_source: 'film_actor' }] }), { through: expected })
  t.match(readOf({ more: [{ ...pair, sql_source: 'film_actor' }] }, null), { through: { types: PAIR } }, 'offline, too')
  const moved = { ...catalog.relations.get('film_actor')!, schema: 'other' }
  const apart = { ...catalog, relations: new Map([...catalog.relations, ['other.film_actor', moved]]) }
  t.strictSame(
    readOf({ more: [{ ...pair, sql_source: 'other.film_actor' }] }, apart),
    { ...(readOf() as object) },
    'a table of this name in another schema is another table',
  )
  const ofQuery = { ...pair, sql_source: 'tv_pair', fields: [{ name: 'film_id', type: 'Int' }] }
  t.match(
    readOf({ more: [ofQuery], queries: [{ name: 'pairs', type: '[Pair!]!', sql_source: 'film_actor' }] }),
    { through: { types: PAIR, guards: ['Pair', 'Pair.filmId'] } },
    'rows of a type by a query',
  )
})

t.test('rules of queries alone do not guard a join table', async (t) => {
  const pair = { name: 'Pair', sql_source: 'film_actor', fields: [{ name: 'no', type: 'Int' }], ...at(9) }
  const queries = [{ name: 'pairs', type: '[Pair!]!', sql_source: 'film_actor', row_filter: 'no > 0' }]
  const found = faults({ more: [pair], queries })
  t.match(found, [
    /^9:3 open-rows: Type "Pair": .* its rows are also reached by the relation Film\.actors, which joins by them\./,
  ])
  t.equal(found.length, 1)
  t.strictSame(faults({ more: [{ ...pair, open: true }], queries }), [])
  t.strictSame(faults({ more: [{ ...pair, row_filter: 'no > 1' }], queries }), [])
})

t.test('a relation through a join table stays in one database', async (t) => {
  const other = { ...schemaOf(), types: [...(schemaOf().types as Loose[])] }
  other.types[1] = { ...(other.types[1] as Loose), database: 'crm' }
  const known = {
    ...catalog,
    relations: new Map([...catalog.relations, ['crm:actor', catalog.relations.get('actor')!]]),
  }
  t.strictSame(faultsOf(other, { catalog: known, databases: new Map([['crm', {}]]) }), [
    '5:3 across-databases: Film.actors: relation.through: Actor is of another database than Film, and a join table relates rows of one. Drop the field, or give Actor a view in the database of Film.',
  ])
  const elsewhere = {
    ...catalog,
    relations: new Map([...catalog.relations, ['crm:pairs', catalog.relations.get('film_actor')!]]),
  }
  const apart = schemaOf({ actors: { relation: relation({ sql_source: 'crm:pairs' }) } })
  t.strictSame(faultsOf(apart, { catalog: elsewhere, databases: new Map([['crm', {}]]) }), [
    '5:3 across-databases: Film.actors: relation.through: crm:pairs is of another database than Film, and a join table relates rows of one. Name the table without its database.',
  ])
  const both = { ...other, types: (other.types as Loose[]).map((type) => ({ ...type, database: 'crm' })) }
  const all = new Map(['film', 'actor', 'film_actor'].map((name) => [`crm:${name}`, catalog.relations.get(name)!]))
  const { compiled, faults: found } = compileSchema(both as unknown as AuthoredSchema, {
    catalog: { ...catalog, relations: all },
    databases: new Map([['crm', {}]]),
    owned: OWNED_KEYS,
  })
  t.strictSame(found, [])
  t.match(compiled?.types[0]?.fields[1]?.read, { target: 'crm:actor', through: { source: 'crm:film_actor' } })
})
