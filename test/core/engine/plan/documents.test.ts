import t from 'tap'
import type { AuthoredSchema } from '../../../../core/schema/authored.ts'
import { eachDatabase } from '../../../helpers/databases.ts'
import { openWorld } from '../../../helpers/plan-world.ts'

const SQL = `
CREATE TABLE person (id int PRIMARY KEY, name varchar(20) NOT NULL, boss int, score numeric, level smallint,
  address jsonb, phones jsonb, grid int[], langs varchar(9)[], born timestamp, met timestamptz, likes json, moods text[]);
INSERT INTO person VALUES
 (1, 'Ann', NULL, 1.50, 1, '{"city": "Bern", "geo": {"lat": 46.9}}', '["1", "2"]', '{{1,2},{3,4}}', '{de,fr}', '2000-01-01 12:00', '2000-01-01 23:30+00', '{"a": 1}', '{g,b,g}'),
 (2, 'Bob', 1, NULL, 2, 'null', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
CREATE VIEW v_old AS SELECT p.id, json_build_object('id', p.id, 'name', p.name, 'boss_id', p.boss, 'born', p.born,
    'address', p.address, 'numbers', json_build_array(1, 2.5), 'ids', json_build_array(1, 'x', null),
    'pets', json_build_array(json_build_object('__typename', 'Cat', 'name', 'Tom', 'lives', 9),
      json_build_object('__typename', 'Dog', 'name', 'Rex'), NULL), 'grid', json_build_array(json_build_array(
      json_build_object('x', 1)), NULL)) AS data FROM person p;
`

const place = [
  { name: 'city', type: 'String' },
  { name: 'geo', type: 'Geo' },
]
const schema: AuthoredSchema = {
  version: '1',
  enums: [
    {
      name: 'Mood',
      values: [
        { name: 'GOOD', value: 'g' },
        { name: 'BAD', value: 'b' },
      ],
    },
  ],
  interfaces: [{ name: 'Pet', fields: [{ name: 'name', type: 'String!' }] }],
  types: [
    { name: 'Geo', embedded: true, fields: [{ name: 'lat', type: 'Float' }] },
    { name: 'Place', embedded: true, fields: place },
    { name: 'Cell', embedded: true, fields: [{ name: 'x', type: 'Int' }] },
    {
      name: 'Cat',
      embedded: true,
      implements: ['Pet'],
      fields: [
        { name: 'name', type: 'String!' },
        { name: 'lives', type: 'Int' },
      ],
    },
    { name: 'Dog', embedded: true, implements: ['Pet'], fields: [{ name: 'name', type: 'String!' }] },
    {
      name: 'Person',
      sql_source: 'person',
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'name', type: 'String!' },
        { name: 'level', type: 'Int' },
        { name: 'score', type: 'Float' },
        { name: 'address', type: 'Place' },
        { name: 'phones', type: '[ID!]' },
        { name: 'grid', type: '[[Int]]' },
        { name: 'langs', type: '[String!]' },
        { name: 'likes', type: 'JSON' },
        { name: 'moods', type: '[Mood!]' },
        { name: 'born', type: 'DateTime' },
        { name: 'boss', type: 'Person', relation: { from: 'boss', to: 'id' } },
        { name: 'joke', type: 'String', computed: true },
      ],
    },
    {
      name: 'Old',
      sql_source: 'v_old',
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'name', type: 'String!' },
        { name: 'born', type: 'Date' },
        { name: 'address', type: 'Place' },
        { name: 'numbers', type: '[Float!]' },
        { name: 'ids', type: '[ID]' },
        { name: 'pets', type: '[Pet]' },
        { name: 'grid', type: '[[Cell]]' },
        { name: 'boss', type: 'Person', relation: { from: 'boss_id', to: 'id' } },
      ],
    },
  ],
  queries: [
    {
      name: 'people',
      type: '[Person!]!',
      sql_source: 'person',
      arguments: [
        { name: 'langs', type: '[String!]' },
        { name: 'level', type: 'Int' },
      ],
    },
    { name: 'person', type: 'Person', sql_source: 'person', arguments: [{ name: 'id', type: 'ID!' }] },
    {
      name: 'olds',
      type: '[Old!]!',
      sql_source: 'v_old',
      arguments: [
        { name: 'numbers', type: '[Float!]' },
        { name: 'ids', type: 'ID' },
        { name: 'name', type: '[String!]' },
      ],
    },
    { name: 'old_person', type: 'Person', sql_source: 'v_old', arguments: [{ name: 'id', type: 'ID!' }] },
  ],
}

await eachDatabase(
  t,
  async (t, database) => {
    const world = await openWorld(t, database, schema)

    await t.test('an argument is equal to the whole of a list in a document, or to an item of it', async (t) => {
      const found = async (args: string): Promise<string> =>
        (await world.run(`{ olds(${args}) { id } }`)).olds.map(({ id }: { id: string }) => id).join()
      t.equal(await found('numbers: [1, 2.5]'), '1,2')
      t.equal(await found('numbers: [2.5, 1]'), '')
      t.equal(await found('numbers: []'), '')
      t.equal(await found('ids: "x"'), '1,2')
      t.equal(await found('ids: "y"'), '')
      t.equal(await found('name: ["Bob", "Cid"]'), '2', 'a list for a single value is one of')
    })

    await t.test('JSON columns of a flat source hold objects and lists', async (t) => {
      const { people } = await world.run(
        '{ people { id name score address { city geo { lat } } phones grid langs likes moods born boss { name } joke } }',
      )
      t.strictSame(people, [
        {
          id: '1',
          name: 'Ann',
          score: 1.5,
          address: { city: 'Bern', geo: { lat: 46.9 } },
          phones: ['1', '2'],
          grid: [
            [1, 2],
            [3, 4],
          ],
          langs: ['de', 'fr'],
          likes: { a: 1 },
          moods: ['GOOD', 'BAD', 'GOOD'],
          born: '2000-01-01T12:00:00+00:00',
          boss: null,
          joke: null,
        },
        {
          id: '2',
          name: 'Bob',
          score: null,
          address: null,
          phones: null,
          grid: null,
          langs: null,
          likes: null,
          moods: null,
          born: null,
          boss: { name: 'Ann' },
          joke: null,
        },
      ])
    })

    // proves: type.jsonb_column
    await t.test('a document of type json, relations from its keys, interfaces and lists of lists in it', async (t) => {
      const { olds } = await world.run(`{ olds { id name born address { geo { lat } } numbers ids boss { name }
        pets { __typename name ... on Cat { lives } } grid { x } } }`)
      t.strictSame(olds[1], {
        id: '2',
        name: 'Bob',
        born: null,
        address: null,
        numbers: [1, 2.5],
        ids: ['1', 'x', null],
        boss: { name: 'Ann' },
        pets: [{ __typename: 'Cat', name: 'Tom', lives: 9 }, { __typename: 'Dog', name: 'Rex' }, null],
        grid: [[{ x: 1 }], null],
      })
      t.match(olds[0], { born: '2000-01-01', address: { geo: { lat: 46.9 } }, boss: null })
    })

    await t.test('filters over them', async (t) => {
      const ids = async (type: 'people' | 'olds', where: string) =>
        (await world.run(`{ ${type}(where: { ${where} }) { id } }`))[type].map((row: { id: string }) => row.id).join('')
      t.equal(await ids('people', 'address: { geo: { lat: { _gt: 46 } } }'), '1')
      t.equal(await ids('people', '_not: { address: {} }'), '2')
      t.equal(await ids('people', 'phones: { _contains: "2" }'), '1')
      t.equal(await ids('people', 'langs: { _has_any: ["fr"] }'), '1')
      t.equal(await ids('people', 'level: { _in: [2, 3] }'), '2')
      t.equal(await ids('people', 'boss: { name: { _startswith: "An" } }'), '2')
      t.equal(await ids('people', 'likes: { _contains: { a: 1 } }'), '1')
      t.equal(await ids('people', 'moods: { _contains: [BAD] }'), '1')
      t.equal(await ids('people', 'id: { _gt: 1 }').catch(() => 'refused'), 'refused', 'ids have no order')
      t.equal(await ids('olds', 'boss: { name: { _eq: "Ann" } }'), '2')
      t.equal(await ids('olds', 'address: { city: { _eq: "Bern" } }'), '1')
      t.equal(await ids('olds', 'born: { _year: 2000 }'), '1')
      t.equal(await ids('olds', 'pets: { some: { name: { _eq: "Rex" } } }'), '12')
      t.equal(await ids('olds', 'numbers: { _len_eq: 2 }'), '12')
    })

    await t.test('integers as ids and arguments', async (t) => {
      t.strictSame(await world.run('{ person(id: "2") { name } }'), { person: { name: 'Bob' } })
      t.strictSame(await world.run('{ person(id: 1) { name } }'), { person: { name: 'Ann' } })
      for (const id of ['x', '1.0', '99999999999', "1'"]) {
        await t.rejects(world.run('query($id: ID!) { person(id: $id) { name } }', { id }), { code: 'BAD_USER_INPUT' })
      }
      t.equal((await world.run('{ people(level: 2) { id } }')).people.length, 1)
      await t.rejects(world.run('{ people(level: 40000) { id } }'), { message: /out of range/ })
      t.equal((await world.run('{ people(langs: ["de", "fr"]) { id } }')).people.length, 1)
      t.equal((await world.run('{ people(langs: ["fr"]) { id } }')).people.length, 0)
    })

    // proves: query.sql_source
    await t.test('a query may have another source than its type', async (t) => {
      t.strictSame(await world.run('{ oldPerson(id: 2) { name address { city } } }'), {
        oldPerson: { name: 'Bob', address: null },
      })
    })
  },
  { sql: SQL },
)
