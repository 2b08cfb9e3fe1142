import t from 'tap'
import { compileSchema } from '../../../core/compiler/compile.ts'
import type { ModelRelation } from '../../../core/contract/database-model.ts'
import { proposeCrud } from '../../../core/introspect/crud/propose-crud.ts'
import { printTypeScript } from '../../../core/introspect/print/print-typescript.ts'
import type { ProposeOptions } from '../../../core/introspect/proposal.ts'
import { proposeSchema } from '../../../core/introspect/propose-schema.ts'
import { OWNED_KEYS } from '../../helpers/owned-keys.ts'
import { loadPrinted } from './load-printed.ts'
import { catalogOf, column, foreignKey, model, table } from './sample-model.ts'

const film = table('film', { film_id: 'int4', title: 'text' }, { primaryKey: ['film_id'] })
const actor = table('actor', { actor_id: 'int4', name: 'text' }, { primaryKey: ['actor_id'] })
const KEYS = [foreignKey('film_id', 'film.film_id'), foreignKey('actor_id', 'actor.actor_id')]
const join = (name: string, more: Partial<ModelRelation> = {}, columns: readonly ReturnType<typeof column>[] = []) =>
  table(name, [column('film_id', 'int4'), column('actor_id', 'int4'), ...columns], {
    primaryKey: ['film_id', 'actor_id'],
    foreignKeys: KEYS,
    ...more,
  })

/** Names of types, the lists of each through join tables, and what is left out. */
async function propose(relations: readonly ModelRelation[], options?: ProposeOptions) {
  const given = model(relations)
  const { schema, report } = proposeSchema(given, options)
  const { faults, warnings } = compileSchema(schema, { catalog: catalogOf(given), owned: OWNED_KEYS })
  t.same([...faults, ...warnings], [], 'compiles')
  t.same(await loadPrinted(printTypeScript(schema)), schema, 'is printed')
  const lists = (schema.types ?? []).flatMap(({ name, fields }) =>
    fields.flatMap(({ name: field, type, relation }) => {
      if (relation?.through === undefined) return []
      const { from, to, through } = relation
      return `${name}.${field}: ${type} ${from}=${through.from} ${through.sql_source} ${through.to}=${to}`
    }),
  )
  return { types: (schema.types ?? []).map(({ name }) => name), lists, report, schema }
}

const BOTH = [
  'Actor.films: [Film!]! actor_id=actor_id film_actor film_id=film_id',
  'Film.actors: [Actor!]! film_id=film_id film_actor actor_id=actor_id',
]
const LEFT_OUT = [
  {
    kind: 'table',
    name: 'public.film_actor',
    reason: 'only relates two tables: the types on both sides have a list of each other',
  },
]

t.test('a table of two references becomes two lists, and no type', async (t) => {
  const folded = await propose([film, actor, join('film_actor')])
  t.same(folded.types, ['Actor', 'Film'])
  t.same(folded.lists, BOTH)
  t.same(folded.report, LEFT_OUT)
  t.notMatch(JSON.stringify(folded.schema), /filmActor/i)
  for (const [about, more, columns] of [
    ['times with a default', {}, [column('last_update', 'timestamptz', { hasDefault: true })]],
    ['a number of its own', { primaryKey: ['pk'], uniqueKeys: [['actor_id', 'film_id']] }, [column('pk', 'int8')]],
    ['partitions', { kind: 'partitioned table' }, []],
  ] as const) {
    const one = await propose([film, actor, join('film_actor', more, columns)])
    t.same([one.types, one.lists, one.report.length], [['Actor', 'Film'], BOTH, 1], about)
  }
})

t.test('a table that says more stays a type beside the lists', async (t) => {
  for (const [about, more, columns] of [
    ['another column', {}, [column('role', 'text?')]],
    ['a time that a client sets', {}, [column('since', 'date')]],
    [
      'a reference that may be NULL',
      {
        primaryKey: [],
        uniqueKeys: [['film_id', 'actor_id']],
        columns: [column('film_id', 'int4'), column('actor_id', 'int4?')],
      },
      [],
    ],
  ] as const) {
    const { types, lists, report } = await propose([film, actor, join('film_actor', more, columns)])
    t.same(types, ['Actor', 'Film', 'FilmActor'], about)
    t.same(lists, BOTH, about)
    t.same(report, [], about)
  }
  const named = await propose([film, actor, join('film_actor')], { names: { types: { film_actor: 'Part' } } })
  t.same([named.types, named.lists], [['Actor', 'Film', 'Part'], BOTH], 'a name of the user')
  const note = table(
    'note',
    { id: 'int4', film_id: 'int4', actor_id: 'int4' },
    {
      foreignKeys: [foreignKey('film_id actor_id', 'film_actor.film_id actor_id')],
    },
  )
  const referenced = await propose([film, actor, join('film_actor'), note])
  t.same([referenced.types, referenced.lists], [['Actor', 'Film', 'FilmActor', 'Note'], BOTH], 'a table refers to it')
})

t.test('writes keep the type, which their mutations return', async (t) => {
  const { base } = proposeCrud(model([film, actor, join('film_actor')]), { dialect: 'postgres' })
  t.same(
    base.types?.map(({ name }) => name),
    ['Actor', 'Film', 'FilmActor'],
  )
  t.ok(base.types?.some(({ fields }) => fields.some(({ relation }) => relation?.through !== undefined)))
})

t.test('a table that repeats pairs, or relates at most one row, makes no list', async (t) => {
  for (const [about, relation] of [
    ['no key', join('film_actor', { primaryKey: [] })],
    ['a key of one side', join('film_actor', { primaryKey: ['film_id'] })],
    ['a key of one side beside that of the pair', join('film_actor', { uniqueKeys: [['actor_id']] })],
    [
      'a key with another column',
      join('film_actor', { primaryKey: ['film_id', 'actor_id', 'role'] }, [column('role', 'text')]),
    ],
    ['a view', join('film_actor', { kind: 'view', primaryKey: [], uniqueKeys: [['film_id', 'actor_id']] })],
    ['one reference', join('film_actor', { foreignKeys: KEYS.slice(1) })],
  ] as const) {
    const { types, lists } = await propose([film, actor, relation])
    t.same([types, lists], [['Actor', 'Film', 'FilmActor'], []], about)
  }
  const unreadable = join('film_actor', {
    foreignKeys: [KEYS[0]!, foreignKey('actor_id', 'secret.actor_id')],
  })
  const { lists } = await propose([film, unreadable])
  t.same(lists, [], 'a side that is not in the schema')
})

t.test('of three references, the key decides which two relate rows', async (t) => {
  const by = join('film_actor', { foreignKeys: [...KEYS, foreignKey('casting_by', 'actor.actor_id')] }, [
    column('casting_by', 'int4?'),
  ])
  const { types, lists } = await propose([film, actor, by])
  t.same([types, lists], [['Actor', 'Film', 'FilmActor'], BOTH])
  const three = join(
    'film_actor',
    {
      primaryKey: ['film_id', 'actor_id', 'other_id'],
      foreignKeys: [...KEYS, foreignKey('other_id', 'actor.actor_id')],
    },
    [column('other_id', 'int4')],
  )
  t.same((await propose([film, actor, three])).lists, [], 'a relation of three tables')
})

t.test('names tell lists of one type apart', async (t) => {
  const two = await propose([film, actor, join('film_actor'), join('film_director')])
  t.same(two.lists, [
    'Actor.filmsByFilmActor: [Film!]! actor_id=actor_id film_actor film_id=film_id',
    'Actor.filmsByFilmDirector: [Film!]! actor_id=actor_id film_director film_id=film_id',
    'Film.actorsByFilmActor: [Actor!]! film_id=film_id film_actor actor_id=actor_id',
    'Film.actorsByFilmDirector: [Actor!]! film_id=film_id film_director actor_id=actor_id',
  ])
  const user = table('users', { id: 'int4', boss_id: 'int4?' }, { foreignKeys: [foreignKey('boss_id', 'users.id')] })
  const follows = (name: string) =>
    table(
      name,
      { follower_id: 'int4', followed_id: 'int4' },
      {
        primaryKey: ['follower_id', 'followed_id'],
        foreignKeys: [foreignKey('follower_id', 'users.id'), foreignKey('followed_id', 'users.id')],
      },
    )
  const self = await propose([user, follows('follows')])
  t.same(self.lists, [
    'User.usersByFollower: [User!]! id=follower_id follows followed_id=id',
    'User.usersByFollowed: [User!]! id=followed_id follows follower_id=id',
  ])
  t.same(
    self.schema.types?.[0]?.fields.map(({ name }) => name),
    ['id', 'boss', 'users', 'usersByFollower', 'usersByFollowed'],
  )
  t.same(
    (await propose([user, follows('follows'), follows('mutes')])).lists.map((line) => line.split(':')[0]),
    [
      'User.usersByFollowFollower',
      'User.usersByFollowFollowed',
      'User.usersByMuteFollower',
      'User.usersByMuteFollowed',
    ],
  )
  const lead = table(
    'actor',
    { actor_id: 'int4', film_id: 'int4?' },
    {
      primaryKey: ['actor_id'],
      foreignKeys: [foreignKey('film_id', 'film.film_id')],
    },
  )
  const beside = await propose([film, lead, join('film_actor')])
  t.same(
    beside.lists.map((line) => line.split(':')[0]),
    ['Actor.films', 'Film.actorsByFilmActor'],
  )
})

t.test('composite keys, and a column that both references share', async (t) => {
  const shop = table('shop', { tenant: 'int4', no: 'int4' }, { primaryKey: ['tenant', 'no'] })
  const item = table('item', { tenant: 'int4', sku: 'text' }, { primaryKey: ['tenant', 'sku'] })
  const stock = table(
    'stock',
    { tenant: 'int4', shop_no: 'int4', sku: 'text' },
    {
      primaryKey: ['tenant', 'shop_no', 'sku'],
      foreignKeys: [foreignKey('tenant shop_no', 'shop.tenant no'), foreignKey('tenant sku', 'item.tenant sku')],
    },
  )
  const { types, lists } = await propose([shop, item, stock])
  t.same(types, ['Item', 'Shop'])
  t.same(lists, [
    'Item.shops: [Shop!]! tenant,sku=tenant,sku stock tenant,shop_no=tenant,no',
    'Shop.items: [Item!]! tenant,no=tenant,shop_no stock tenant,sku=tenant,sku',
  ])
})
