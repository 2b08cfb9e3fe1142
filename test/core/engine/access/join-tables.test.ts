import t from 'tap'
import type { AccessControl } from '../../../../core/contract/access.ts'
import { rowFilter } from '../../../../core/engine/access/row-filter.ts'
import type { AuthoredSchema } from '../../../../core/schema/authored.ts'
import { createEngine, type Engine, unpacked } from '../../../conformance/access/engine.ts'
import { createPostgresDatabase, createSqlite } from '../../../helpers/databases.ts'
import { openTestDatabase } from '../../../helpers/open-database.ts'
import { requireService } from '../../../helpers/services.ts'
import { extendSchema } from '../../../schemas/extend-schema.ts'
import { FILMS } from '../../../schemas/films.ts'

/** Everybody sees every film and actor. Of their pairs, ann may see her own, and those that are not secret. */
const SQL = `${FILMS.tables}
INSERT INTO film VALUES (1, 'Alpha', NULL), (2, 'Beta', NULL);
INSERT INTO actor VALUES (10, 'Cid', NULL), (11, 'Dot', NULL), (12, 'Eve', NULL);
INSERT INTO cast_list VALUES (1, 10, 'ann', 0), (1, 11, 'bob', 0), (2, 12, 'ann', 1);
`
type Type = NonNullable<AuthoredSchema['types']>[number]
const JOIN: Type = {
  name: 'Casting',
  sql_source: 'cast_list',
  key: ['film_id', 'actor_id'],
  fields: [
    { name: 'owner', type: 'String!' },
    { name: 'cast_id', type: 'Int', column: 'actor_id' },
    { name: 'film', type: 'Film!', relation: { from: 'film_id', to: 'film_id' } },
    { name: 'actor', type: 'Actor!', relation: { from: 'actor_id', to: 'actor_id' } },
  ],
}

/** The schema with lists that may be null, and a type over the join table. */
function schemaWith(join: Partial<Type> = {}, source = 'cast_list', ...more: readonly Type[]): AuthoredSchema {
  const joins = [{ ...JOIN, ...join }, ...more]
  const types = (FILMS.schema.types ?? []).map((type) => ({
    ...type,
    fields: type.fields.map((field) => {
      const through = field.relation?.through
      if (field.relation === undefined || through?.sql_source !== 'cast_list') return field
      const relation = { ...field.relation, through: { ...through, sql_source: source } }
      return { ...field, type: field.type.replace(/!$/, ''), relation }
    }),
  }))
  return extendSchema(
    { ...FILMS.schema, types },
    { types: joins, queries: [{ name: 'castings', type: '[Casting!]!' }] },
  )
}

/** Ways to the pairs, and what each tells of pairs that are seen: of all, of the first two, of the first, of none. */
const WAYS: readonly (readonly [query: string, ...told: readonly unknown[]])[] = [
  [
    '{ films { actors { name } } }',
    { films: [{ actors: [{ name: 'Cid' }, { name: 'Dot' }] }, { actors: [{ name: 'Eve' }] }] },
    { films: [{ actors: [{ name: 'Cid' }, { name: 'Dot' }] }, { actors: [] }] },
    { films: [{ actors: [{ name: 'Cid' }] }, { actors: [] }] },
  ],
  [
    '{ filmPages(first: 1) { edges { node { actors(orderBy: [{ name: DESC }]) { name } } } } }',
    { filmPages: { edges: [{ node: { actors: [{ name: 'Dot' }, { name: 'Cid' }] } }] } },
    { filmPages: { edges: [{ node: { actors: [{ name: 'Dot' }, { name: 'Cid' }] } }] } },
    { filmPages: { edges: [{ node: { actors: [{ name: 'Cid' }] } }] } },
  ],
  [
    '{ films { actorsAggregate { count max { name } } } }',
    {
      films: [
        { actorsAggregate: { count: 2, max: { name: 'Dot' } } },
        { actorsAggregate: { count: 1, max: { name: 'Eve' } } },
      ],
    },
    {
      films: [
        { actorsAggregate: { count: 2, max: { name: 'Dot' } } },
        { actorsAggregate: { count: 0, max: { name: null } } },
      ],
    },
    {
      films: [
        { actorsAggregate: { count: 1, max: { name: 'Cid' } } },
        { actorsAggregate: { count: 0, max: { name: null } } },
      ],
    },
  ],
  [
    '{ films(where: { actors: { some: {} } }) { title } }',
    { films: [{ title: 'Alpha' }, { title: 'Beta' }] },
    { films: [{ title: 'Alpha' }] },
    { films: [{ title: 'Alpha' }] },
  ],
  [
    '{ films(where: { actors: { none: { name: { _eq: "Dot" } } } }) { title } }',
    { films: [{ title: 'Beta' }] },
    { films: [{ title: 'Beta' }] },
    { films: [{ title: 'Alpha' }, { title: 'Beta' }] },
  ],
  [
    '{ films(where: { actors: { every: { name: { _eq: "Cid" } } } }) { title } }',
    { films: [] },
    { films: [{ title: 'Beta' }] },
    { films: [{ title: 'Alpha' }, { title: 'Beta' }] },
  ],
  [
    '{ actors(where: { films: { some: { _or: [{ actors: { some: { name: { _eq: "Dot" } } } }, { title: { _eq: "-" } }] } } }) { name } }',
    { actors: [{ name: 'Cid' }, { name: 'Dot' }] },
    { actors: [{ name: 'Cid' }, { name: 'Dot' }] },
    { actors: [] },
  ],
  [
    '{ actorsAggregate(where: { films: { some: {} } }) { count } }',
    { actorsAggregate: { count: 3 } },
    { actorsAggregate: { count: 2 } },
    { actorsAggregate: { count: 1 } },
  ],
]

type Say = (access: AccessControl, who: string | null) => void
const database = async (t: Parameters<typeof requireService>[0], kind: string) => {
  if (kind === 'sqlite') return openTestDatabase(t, await createSqlite(t, { sql: SQL }))
  if (!(await requireService(t, 'postgres'))) return null
  const opened = await openTestDatabase(t, { kind: 'postgres', url: await createPostgresDatabase(t, { sql: SQL }) })
  return kind === 'packed' ? opened : unpacked(opened)
}

t.setTimeout(240_000)
for (const kind of ['packed', 'database-written', 'sqlite']) {
  t.test(kind, async (t) => {
    const opened = await database(t, kind)
    if (opened === null) return
    const engineFor = (schema: AuthoredSchema, say: Say = () => {}): Promise<Engine> =>
      createEngine(opened, schema, ({ auth }, _operation, access) => say(access, auth?.subject ?? null))
    const tells = async (t: Parameters<typeof requireService>[0], engine: Engine, column: 1 | 2 | 3, who = 'ann') => {
      for (const way of WAYS) {
        const { text, codes } = await engine.ask(way[0], who)
        t.strictSame(codes, [], way[0])
        t.strictSame(JSON.parse(text), way[column], way[0])
      }
    }

    await t.test('without rules every pair is read', async (t) => {
      await tells(t, await engineFor(schemaWith()), 1)
    })
    await t.test('rules of the join type hold for its rows', async (t) => {
      await tells(t, await engineFor(schemaWith({ row_filter: 'secret = 0' })), 2)
      const own = await engineFor(schemaWith({ row_filter: 'secret = 0', inject: { owner: 'jwt:sub' } }))
      await tells(t, own, 3)
      t.strictSame((await own.ask('{ films { actors { name } } }', null)).codes, ['UNAUTHENTICATED'])
      t.strictSame((await own.ask('{ films(where: { actors: { some: {} } }) { title } }', null)).codes, [
        'UNAUTHENTICATED',
      ])
      t.strictSame((await own.ask('{ films { title } }', null)).codes, [], 'a request without the relation needs none')
    })
    await t.test('conditions of authorize hold for its rows', async (t) => {
      const tree = await engineFor(schemaWith({ row_filter: 'secret = 0' }), (access, who) =>
        access.where('Casting', { owner: { _eq: who } }),
      )
      await tells(t, tree, 3)
      const text = await engineFor(schemaWith(), (access) =>
        access.where('Casting', rowFilter('secret = {secret}', { secret: 0 })),
      )
      await tells(t, text, 2)
      const related = await engineFor(schemaWith({ row_filter: 'secret = 0' }), (access) =>
        access.where('Casting', { actor: { name: { _neq: 'Dot' } } }),
      )
      await tells(t, related, 3)
    })
    await t.test('rules of all types over the source hold', async (t) => {
      const other = { ...JOIN, name: 'Pair', inject: { owner: 'jwt:sub' } }
      await tells(t, await engineFor(schemaWith({ row_filter: 'secret = 0' }, 'cast_list', other)), 3)
    })
    await t.test('a view of the join table has rules of its own', async (t) => {
      await tells(t, await engineFor(schemaWith({ row_filter: 'secret = 0' }, 'v_cast')), 1)
    })

    await t.test('what is denied of the join type denies the relation', async (t) => {
      const denials: readonly Say[] = [
        (access) => access.deny('Casting'),
        (access) => access.deny('Casting.castId'),
        (access) => access.deny('Casting.actor'),
        (access) => access.deny('Casting.film'),
        (access) => access.deny('Casting.castId', undefined, { unless: { owner: { _eq: 'ann' } } }),
        (access) => access.mask('Casting.castId', () => 0),
      ]
      for (const [i, say] of denials.entries()) {
        const engine = await engineFor(schemaWith(), say)
        for (const [query] of WAYS) {
          const { text, codes } = await engine.ask(query, 'ann')
          t.ok(codes.length > 0 && codes.every((code) => code === 'FORBIDDEN'), `${i} ${query}`)
          t.notMatch(text, /Cid|Dot|Eve|"count":[1-9]/, `${i} ${query}`)
          if (!query.includes('where')) t.match(text, /"actors(?:Aggregate)?":null/, `${i} ${query}`)
        }
        t.strictSame((await engine.ask('{ films { title } }', 'ann')).codes, [])
      }
      const other = await engineFor(schemaWith(), (access) => access.deny('Casting.owner'))
      await tells(t, other, 1)
    })
    await t.test('a denial that rejects fails the operation', async (t) => {
      for (const target of ['Casting', 'Casting.actor']) {
        const engine = await engineFor(schemaWith(), (access) => access.deny(target, undefined, { onDeny: 'reject' }))
        for (const [query] of WAYS) {
          const { text, codes } = await engine.ask(query, 'ann')
          t.same(codes, ['FORBIDDEN'], query)
          t.match(text, /^$|^\{"actorsAggregate":null\}$/, query)
        }
      }
    })
    await t.test('streams', async (t) => {
      const engine = await engineFor(schemaWith({ row_filter: 'secret = 0', inject: { owner: 'jwt:sub' } }))
      const { text, codes } = await engine.stream('{ films { title actors { name } } }', 'rows', 'ann')
      t.strictSame(codes, [])
      t.match(text, /Cid/)
      t.notMatch(text, /Dot|Eve/)
    })
  })
}
