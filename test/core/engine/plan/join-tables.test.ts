import t from 'tap'
import { eachDatabase, type TestDatabase } from '../../../helpers/databases.ts'
import { openApp } from '../../../helpers/open-app.ts'
import { FILMS } from '../../../schemas/films.ts'

await eachDatabase(
  t,
  async (t, database: TestDatabase) => {
    const app = await openApp(t, database, FILMS.schema)
    const read = async (query: string, variables?: object) => {
      const { data, errors } = await app.graphql(query, variables)
      t.equal(errors, undefined, query)
      return data
    }
    const films = async (where: string) =>
      (await read(`{ films(where: ${where}, orderBy: [{ id: ASC }]) { title } }`)).films
        .map(({ title }: { title: string }) => title[0])
        .join('')

    await t.test('a row is in the list once, and a NULL relates nothing', async (t) => {
      t.strictSame(await read('{ films(orderBy: [{ id: ASC }]) { title actors { name } } }'), {
        films: [
          { title: 'Alpha', actors: [{ name: 'Ann' }, { name: 'Bob' }] },
          { title: 'Beta', actors: [{ name: 'Bob' }, { name: 'Cid' }] },
          { title: 'Gamma', actors: [{ name: 'Ann' }] },
          { title: 'Delta', actors: [] },
        ],
      })
      t.strictSame(await read('{ actors(orderBy: [{ id: ASC }]) { films { title } } }'), {
        actors: [
          { films: [{ title: 'Alpha' }, { title: 'Gamma' }] },
          { films: [{ title: 'Alpha' }, { title: 'Beta' }] },
          { films: [{ title: 'Beta' }] },
          { films: [] },
        ],
      })
    })

    await t.test('the list has the arguments of other lists', async (t) => {
      const list = async (args: string, head = '', variables?: object) =>
        (await read(`${head}{ film(id: 1) { actors(${args}) { name } } }`, variables)).film.actors
          .map(({ name }: { name: string }) => name)
          .join(' ')
      t.equal(await list('orderBy: [{ name: DESC }]'), 'Bob Ann')
      t.equal(await list('limit: 1'), 'Ann')
      t.equal(await list('limit: $n, offset: $n', 'query ($n: Int) ', { n: 1 }), 'Bob')
      t.equal(await list('where: { age: { _gt: 30 } }'), 'Bob')
      t.equal(
        await list('where: $w', 'query ($w: ActorWhereInput) ', {
          w: { films: { some: { title: { _eq: 'Gamma' } } } },
        }),
        'Ann',
      )
    })

    await t.test('composite keys, rows of one table on both sides, and levels', async (t) => {
      t.strictSame(await read('{ films(orderBy: [{ id: ASC }]) { studios(orderBy: [{ label: ASC }]) { label } } }'), {
        films: [
          { studios: [{ label: 'D1' }, { label: 'F1' }] },
          { studios: [{ label: 'D2' }] },
          { studios: [] },
          { studios: [] },
        ],
      })
      t.strictSame(await read('{ studios(orderBy: [{ label: ASC }]) { label films { title } } }'), {
        studios: [
          { label: 'D1', films: [{ title: 'Alpha' }] },
          { label: 'D2', films: [{ title: 'Beta' }] },
          { label: 'F1', films: [{ title: 'Alpha' }] },
        ],
      })
      t.strictSame(
        await read(
          '{ actors(orderBy: [{ id: ASC }]) { name follows { name followers { name } } followers { name } } }',
        ),
        {
          actors: [
            {
              name: 'Ann',
              follows: [
                { name: 'Bob', followers: [{ name: 'Ann' }] },
                { name: 'Cid', followers: [{ name: 'Ann' }, { name: 'Cid' }] },
              ],
              followers: [{ name: 'Bob' }],
            },
            { name: 'Bob', follows: [{ name: 'Ann', followers: [{ name: 'Bob' }] }], followers: [{ name: 'Ann' }] },
            {
              name: 'Cid',
              follows: [{ name: 'Cid', followers: [{ name: 'Ann' }, { name: 'Cid' }] }],
              followers: [{ name: 'Ann' }, { name: 'Cid' }],
            },
            { name: 'Dot', follows: [], followers: [] },
          ],
        },
      )
    })

    await t.test('filters across it: some, every, none, alone and as alternatives', async (t) => {
      const ann = '{ name: { _eq: "Ann" } }'
      t.equal(await films(`{ actors: { some: ${ann} } }`), 'AG')
      t.equal(await films(`{ actors: { every: ${ann} } }`), 'GD')
      t.equal(await films(`{ actors: { none: ${ann} } }`), 'BD')
      t.equal(await films('{ actors: { some: {} } }'), 'ABG')
      t.equal(await films('{ actors: { none: {} } }'), 'D')
      t.equal(await films('{ actors: { every: { age: { _gt: 0 } } } }'), 'AGD', 'unknown is not every')
      t.equal(await films(`{ _not: { actors: { some: ${ann} } } }`), 'BD')
      t.equal(await films(`{ _or: [{ actors: { some: ${ann} } }, { title: { _eq: "Delta" } }] }`), 'AGD')
      t.equal(await films('{ studios: { some: { label: { _in: ["D1", "D2"] } } } }'), 'AB')
      t.equal(
        await films(
          '{ actors: { some: { _or: [{ follows: { some: { name: { _eq: "Cid" } } } }, { age: { _gt: 35 } }] } } }',
        ),
        'ABG',
        'as an alternative within another relation',
      )
      t.equal(
        await films(
          '{ actors: { some: { _or: [{ follows: { some: {} } }, { films: { some: { year: { _lt: 0 } } } }] } } }',
        ),
        'ABG',
      )
      const deep =
        '{ actors: { some: { films: { some: { actors: { some: { films: { some: { studios: { some: { label: { _eq: "D2" } } } } } } } } } } } }'
      t.equal(await films(deep), 'ABG', 'more relations than are merged')
    })

    await t.test('aggregates count rows, not pairs', async (t) => {
      const { films: found } = await read(
        '{ films(orderBy: [{ id: ASC }]) { actorsAggregate { count sum { age } } few: actorsAggregate(where: { age: { _lt: 35 } }) { count } } }',
      )
      t.strictSame(found, [
        { actorsAggregate: { count: 2, sum: { age: '70' } }, few: { count: 1 } },
        { actorsAggregate: { count: 2, sum: { age: '40' } }, few: { count: 0 } },
        { actorsAggregate: { count: 1, sum: { age: '30' } }, few: { count: 1 } },
        { actorsAggregate: { count: 0, sum: { age: null } }, few: { count: 0 } },
      ])
      t.strictSame(
        await read('{ filmsAggregate(where: { actors: { some: { name: { _eq: "Bob" } } } }) { count } }'),
        { filmsAggregate: { count: 2 } },
        'a filter across it repeats no row',
      )
    })

    await t.test('pages and single rows have the list', async (t) => {
      const page = await read(
        '{ filmPages(first: 1, orderBy: [{ title: DESC }]) { edges { cursor node { title actors(limit: 1) { name } } } } }',
      )
      const [{ cursor, node }] = page.filmPages.edges
      t.strictSame(node, { title: 'Gamma', actors: [{ name: 'Ann' }] })
      const next = await read(
        'query ($c: String) { filmPages(first: 1, after: $c, orderBy: [{ title: DESC }]) { edges { node { title actors { name } } } } }',
        { c: cursor },
      )
      t.strictSame(next.filmPages.edges, [{ node: { title: 'Delta', actors: [] } }])
    })

    await t.test('a group counts a row once', async (t) => {
      t.strictSame(
        await read(`{ films(orderBy: [{ id: ASC }]) {
          actorsGroups(groupBy: [age], orderBy: [{ keys: { age: ASC } }]) { keys { age } count }
        } }`),
        {
          films: [
            {
              actorsGroups: [
                { keys: { age: 30 }, count: 1 },
                { keys: { age: 40 }, count: 1 },
              ],
            },
            {
              actorsGroups: [
                { keys: { age: 40 }, count: 1 },
                { keys: { age: null }, count: 1 },
              ],
            },
            { actorsGroups: [{ keys: { age: 30 }, count: 1 }] },
            { actorsGroups: [] },
          ],
        },
      )
      t.strictSame(
        await read(`{ actor: actors(where: { name: { _eq: "Ann" } }) {
          followersGroups(groupBy: [age]) { count }
          followsGroups(groupBy: [name], where: { age: { _gt: 30 } }, having: { count: { _gt: 0 } }, limit: 1) { keys { name } }
        } }`),
        { actor: [{ followersGroups: [{ count: 1 }], followsGroups: [{ keys: { name: 'Bob' } }] }] },
      )
    })
  },
  { sql: FILMS.sql, sqlite: { sql: FILMS.sql }, mysql: { sql: FILMS.mysql } },
)
