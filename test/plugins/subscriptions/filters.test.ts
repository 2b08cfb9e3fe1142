import t from 'tap'
import type { AuthoredSchema, AuthoredSubscription, SubscriptionFilter } from '../../../core/schema/authored.ts'
import { eachDatabase } from '../../helpers/databases.ts'
import type { TestLike } from '../../helpers/services.ts'
import { connect, listen, openShop, type Shop, until } from './shop.ts'

/** What filters are held against: the event, and the row as it is shown. */
t.setTimeout(120_000)

/** `fn_say` says of a row what does not stand there any more, as an event does that is read late. */
const SQL = `
CREATE TYPE wear AS ENUM ('as new', 'worn');
CREATE TABLE tb_thing (id int PRIMARY KEY, state wear NOT NULL, price numeric NOT NULL, size bigint NOT NULL, made timestamptz NOT NULL, tags text[], place jsonb NOT NULL, owner text);
CREATE VIEW v_thing AS SELECT * FROM tb_thing;
CREATE FUNCTION fn_put_thing(thing jsonb) RETURNS jsonb LANGUAGE sql AS $$
  INSERT INTO tb_thing SELECT * FROM jsonb_populate_record(NULL::tb_thing, thing)
  ON CONFLICT (id) DO UPDATE SET (state, price, size, made, tags, place, owner) =
    (EXCLUDED.state, EXCLUDED.price, EXCLUDED.size, EXCLUDED.made, EXCLUDED.tags, EXCLUDED.place, EXCLUDED.owner)
  RETURNING jsonb_build_object('status', 'updated', 'entity_id', id, 'entity', to_jsonb(tb_thing)) $$;
CREATE TABLE tb_box (id int PRIMARY KEY, owner text);
CREATE VIEW v_box AS SELECT * FROM tb_box;
CREATE FUNCTION fn_put_box(box jsonb) RETURNS jsonb LANGUAGE sql AS $$
  INSERT INTO tb_box SELECT * FROM jsonb_populate_record(NULL::tb_box, box)
  RETURNING jsonb_build_object('status', 'created', 'entity_id', id, 'entity', to_jsonb(tb_box)) $$;
CREATE FUNCTION fn_say_thing(thing jsonb) RETURNS jsonb LANGUAGE sql AS $$
  SELECT jsonb_build_object('status', 'updated', 'entity_id', t.id, 'entity', to_jsonb(t) || thing)
  FROM tb_thing t WHERE t.id = (thing->>'id')::int $$;
`

const THING = {
  id: 7,
  state: 'as new',
  price: '12.50',
  size: '9007199254740993',
  made: '2024-05-01T10:00:00+02:00',
  tags: ['red', 'tall'],
  place: { city: 'Bonn', no: 4 },
  owner: 'ann',
}

/** Each holds of the thing, and of no field of the other. */
const OTHER = {
  state: 'worn',
  price: '1',
  size: '2',
  made: '2020-01-01T00:00:00Z',
  tags: ['blue'],
  place: { city: 'Rome', no: 9 },
  owner: 'bob',
}

const FILTERS: Readonly<Record<string, readonly [field: keyof typeof OTHER, filter: SubscriptionFilter]>> = {
  byState: ['state', "state == 'as new'"],
  byPrice: ['price', 'price > 12.4 and price <= 12.5'],
  bySize: ['size', 'size == 9007199254740993'],
  byTime: ['made', "made > '2024-04-30T00:00:00Z'"],
  byTag: ['tags', "contains(tags, 'tall')"],
  byCity: ['place', "place.city == 'Bonn'"],
  byOwner: ['owner', 'owner == context.user_id'],
  // The forms of docs/plugins/subscriptions.md#filters.
  byPath: ['place', { path: 'place.no', operator: 'lt', value: 5 }],
  byList: ['state', { path: 'state', operator: 'in', value: ['none', 'as new'] }],
  byPart: ['tags', { path: 'tags', operator: 'contains', value: 'red' }],
  byNot: ['owner', { conditions: [{ path: 'owner', operator: 'neq', value: 'bob' }] }],
  byAll: [
    'price',
    {
      conditions: [
        { path: 'price', operator: 'gte', value: 12.5 },
        { path: 'owner', value: 'ann' },
      ],
    },
  ],
}

const subscriptions: readonly AuthoredSubscription[] = [
  ...Object.entries(FILTERS).map(([name, [, filter]]) => ({ name, type: 'Thing!', filter })),
  {
    name: 'inCity',
    type: 'Thing!',
    filter: { conditions: [{ argument: 'town_name', path: 'place.city' }] },
    arguments: [
      { name: 'town_name', type: 'String' },
      { name: 'state', type: 'State' },
    ],
  },
  { name: 'all', type: 'Thing!' },
  {
    name: 'byId',
    type: 'Thing!',
    filter: { conditions: [{ argument: 'ids', path: 'id' }] },
    arguments: [
      { name: 'id', type: 'ID' },
      { name: 'ids', type: '[ID!]' },
    ],
  },
  { name: 'owned', type: 'Owned!', arguments: [{ name: 'owner', type: 'String' }] },
  {
    name: 'ofOwners',
    type: 'Thing!',
    filter: { conditions: [{ argument: 'owners', path: 'owner' }] },
    arguments: [{ name: 'owners', type: '[String]' }],
  },
  { name: 'ownedBox', type: 'Owned!', entity_type: 'Box', filter: "owner != 'bob'" },
]

const schema: AuthoredSchema = {
  version: '1',
  enums: [
    {
      name: 'State',
      values: [
        { name: 'AS_NEW', value: 'as new' },
        { name: 'WORN', value: 'worn' },
      ],
    } as never,
  ],
  interfaces: [
    {
      name: 'Owned',
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'owner', type: 'String' },
      ],
    },
  ],
  types: [
    {
      name: 'Box',
      sql_source: 'v_box',
      implements: ['Owned'],
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'owner', type: 'String' },
      ],
    },
    {
      name: 'Thing',
      sql_source: 'v_thing',
      implements: ['Owned'],
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'state', type: 'State!' },
        { name: 'price', type: 'Decimal', requires_scope: 'read:price' },
        { name: 'size', type: 'BigInt!' },
        { name: 'made', type: 'DateTime!' },
        { name: 'tags', type: '[String!]' },
        { name: 'place', type: 'JSON!' },
        { name: 'owner', type: 'String' },
      ],
    },
  ],
  queries: [{ name: 'things', type: '[Thing!]!', sql_source: 'v_thing' }],
  mutations: [
    ...['put', 'say'].map((what) => ({
      name: `${what}Thing`,
      type: 'Thing',
      sql_source: `fn_${what}_thing`,
      operation: 'UPDATE' as const,
      arguments: [{ name: 'thing', type: 'JSON!' }],
    })),
    {
      name: 'putBox',
      type: 'Box',
      sql_source: 'fn_put_box',
      operation: 'CREATE',
      arguments: [{ name: 'box', type: 'JSON!' }],
    },
  ],
  subscriptions,
}

async function write(app: Shop, what: 'put' | 'say', thing: object): Promise<void> {
  const { errors } = await app.graphql(`mutation ($thing: JSON!) { ${what}Thing(thing: $thing) { id } }`, { thing })
  if (errors !== undefined) throw new Error(JSON.stringify(errors))
}

await eachDatabase(
  t,
  async (t: TestLike, database) => {
    const app = await openShop(t, database, schema)
    const client = connect(t, app, { authToken: 'ann' })
    const names = Object.keys(FILTERS)
    const heard = await Promise.all(names.map((name) => listen(client, app, `subscription { ${name} { id } }`)))
    const all = await listen(client, app, 'subscription { all { id } }')
    const superseded = () => app.metric('svc_subscriptions_superseded_total')
    let events = 0
    const told = async (): Promise<Record<string, number>> => {
      await all.wait(events)
      // Readers run beside each other.
      await until(() => app.metric('svc_subscriptions_active') > 0, 'they are there')
      await new Promise((resolve) => setTimeout(resolve, 100))
      return Object.fromEntries(names.map((name, index) => [name, heard[index]!.results.length]))
    }

    // proves: subscription.filter
    await t.test('a row that matches the event is sent, in any storage form', async (t) => {
      await write(app, 'put', THING)
      events = 1
      for (const [index, name] of names.entries()) {
        t.same(await heard[index]!.wait(1), [{ data: { [name]: { id: '7' } } }], name)
      }
      t.equal(superseded(), 0)
    })

    await t.test('a row that no longer matches is not sent', async (t) => {
      await write(app, 'put', { ...THING, ...OTHER })
      events++
      const before = await told()
      await write(app, 'say', THING)
      events++
      t.same(await told(), before, 'the event is what was asked for, the row is not')
      t.equal(superseded(), names.length)
      for (const [name, [field]] of Object.entries(FILTERS)) {
        await write(app, 'put', { ...THING, [field]: OTHER[field] })
        const count = superseded()
        await write(app, 'say', THING)
        events += 2
        await told()
        const looks = (filter: SubscriptionFilter) => JSON.stringify(filter).includes(field)
        const same = Object.values(FILTERS).filter(([, filter]) => looks(filter)).length
        t.equal(superseded() - count, same, `${name}: as many as look at ${field}`)
      }
    })

    await t.test('arguments: of the row that is shown, where the author says they lie', async (t) => {
      const one = await listen(client, app, 'subscription { inCity(townName: "Bonn", state: AS_NEW) { place } }')
      await write(app, 'put', { ...THING, state: 'worn' })
      await write(app, 'put', { ...THING, place: { city: 'Rome', no: 1 } })
      await write(app, 'say', THING)
      events += 3
      // Its row is read before it is what was asked for again.
      await told()
      await write(app, 'put', THING)
      events++
      await told()
      t.same(await one.wait(1), [{ data: { inCity: { place: { city: 'Bonn', no: 4 } } } }])
    })

    await t.test('an argument that is null is no condition, a null in a list is refused', async (t) => {
      const document = 'subscription ($owners: [String]) { ofOwners(owners: $owners) { id } }'
      const all = await listen(client, app, { query: document, variables: { owners: null } })
      const anns = await listen(client, app, { query: document, variables: { owners: ['ann'] } })
      const refused = await listen(client, app, { query: document, variables: { owners: ['ann', null] } })
      await write(app, 'put', THING)
      events++
      await told()
      t.same(await all.wait(1), [{ data: { ofOwners: { id: '7' } } }])
      t.same(await anns.wait(1), [{ data: { ofOwners: { id: '7' } } }])
      t.equal(
        refused.error[0].message,
        'Argument "owners" of "ofOwners": null is no value to compare with. Leave it out.',
      )
    })

    // proves: subscription.entity_type
    await t.test('of an interface all that is of it, or the type that is watched', async (t) => {
      const document = '{ __typename id owner ... on Thing { size } }'
      const owned = await listen(client, app, `subscription { owned ${document} }`)
      const anns = await listen(client, app, 'subscription { owned(owner: "ann") { id } }')
      const boxes = await listen(client, app, `subscription { ownedBox ${document} }`)
      await write(app, 'put', THING)
      events++
      const putBox = async (id: number, owner: string) => {
        const { errors } = await app.graphql('mutation ($box: JSON!) { putBox(box: $box) { id } }', {
          box: { id, owner },
        })
        if (errors !== undefined) throw new Error(JSON.stringify(errors))
      }
      await putBox(1, 'bob')
      await putBox(2, 'ann')
      t.same(await owned.wait(3), [
        { data: { owned: { __typename: 'Thing', id: '7', owner: 'ann', size: THING.size } } },
        { data: { owned: { __typename: 'Box', id: '1', owner: 'bob' } } },
        { data: { owned: { __typename: 'Box', id: '2', owner: 'ann' } } },
      ])
      t.same(await boxes.wait(1), [{ data: { ownedBox: { __typename: 'Box', id: '2', owner: 'ann' } } }])
      t.same(
        (await anns.wait(2)).map(({ data }) => data.owned.id),
        ['7', '2'],
      )
    })

    await t.test('an argument that no row can have is an error at once', async (t) => {
      const malformed = await listen(client, app, 'subscription { byId(id: "seven") { id } }')
      t.match(malformed.error, [{ extensions: { code: 'BAD_USER_INPUT' }, message: /"id".*seven/ }])
      const one = await listen(client, app, 'subscription { byId(ids: ["7", "seven"]) { id } }')
      t.match(one.error, [{ extensions: { code: 'BAD_USER_INPUT' }, message: /"ids".*seven/ }])
      const fine = await listen(client, app, 'subscription { byId(id: "7") { id } }')
      t.equal(fine.error, null)
      fine.end()
    })

    await t.test('columns that were read for a filter are not sent', async (t) => {
      const [, ...rest] = await listen(client, app, 'subscription { byPrice { id made price } }').then(
        async (priced) => {
          await write(app, 'put', THING)
          return [priced, ...(await priced.wait(1))]
        },
      )
      t.match(
        rest,
        [{ errors: [{ extensions: { code: 'FORBIDDEN' } }] }],
        'the author may look at what the client may not',
      )
      t.notMatch(JSON.stringify(rest), /12\.5|"@/)
    })
  },
  { sql: SQL },
)
