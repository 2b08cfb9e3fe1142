import {
  buildClientSchema,
  buildSchema,
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  type GraphQLScalarType,
  getIntrospectionQuery,
  lexicographicSortSchema,
  printSchema,
  validateSchema,
} from 'graphql'
import t from 'tap'
import type { AuthoredSchema } from '../../core/schema/authored.ts'
import { createSchemaView } from '../../plugins/graphql/schema/graphql-schema.ts'
import { printSdl } from '../../plugins/graphql/schema/print-sdl.ts'
import { eachDatabase } from '../helpers/databases.ts'
import { openExecuteWorld } from '../helpers/execute-world.ts'

const SQL = `
CREATE TABLE tb_pet (pk_pet int PRIMARY KEY, id text NOT NULL UNIQUE, kind text NOT NULL, name text NOT NULL, nick text, mood text, lives int, tricks text[],
  fk_home int);
CREATE TABLE tb_home (pk_home int PRIMARY KEY, id text NOT NULL UNIQUE, street text NOT NULL);
INSERT INTO tb_home VALUES (1, 'h1', 'Elm');
INSERT INTO tb_pet VALUES (1, 'p1', 'Cat', 'Tom', NULL, 'happy-ish', 9, NULL, 1), (2, 'p2', 'Dog', 'Rex', 'R', 'LOUD', NULL, '{sit,roll}', NULL),
  (3, 'p3', 'Fish', 'Wanda', NULL, NULL, NULL, '{}', NULL);
CREATE VIEW v_home AS SELECT * FROM tb_home;
CREATE VIEW v_cat AS SELECT * FROM tb_pet WHERE kind = 'Cat';
CREATE VIEW v_dog AS SELECT * FROM tb_pet WHERE kind = 'Dog';
CREATE VIEW v_pet AS SELECT * FROM tb_pet;
CREATE FUNCTION fn_register(p_name text, p_mood text DEFAULT 'LOUD', p_tricks text[] DEFAULT NULL, p_price numeric DEFAULT NULL) RETURNS jsonb LANGUAGE sql AS $$
  SELECT jsonb_build_object('id', 'new', 'name', p_name || coalesce(' ' || p_price, ''), 'mood', p_mood, 'tricks', p_tricks) $$;
`

const PET = [
  { name: 'id', type: 'ID!' },
  { name: 'name', type: 'String!', description: 'What it is called' },
]
const FEELS = [
  { name: 'mood', type: 'Mood' },
  { name: 'tricks', type: '[String!]' },
]

/** Everything that types can be, each declared after what names it. */
const SCHEMA: AuthoredSchema = {
  version: '1',
  types: [
    {
      name: 'Cat',
      description: 'Sleeps.\n\nA "lot".',
      sql_source: 'v_cat',
      implements: ['Pet'],
      fields: [
        ...PET,
        ...FEELS,
        { name: 'lives', type: 'Int', deprecated: 'Nobody counts' },
        { name: 'home', type: 'Home', relation: { from: 'fk_home', to: 'pk_home' } },
      ],
    },
    {
      name: 'Dog',
      sql_source: 'v_dog',
      implements: ['Pet'],
      fields: [...PET, ...FEELS, { name: 'nick_name', type: 'Name', column: 'nick' }],
    },
    {
      name: 'Home',
      sql_source: 'v_home',
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'street', type: 'String!' },
        { name: 'cats', type: '[Cat!]', relation: { from: 'pk_home', to: 'fk_home' } },
      ],
    },
  ],
  interfaces: [
    { name: 'Pet', description: 'Lives with people', sql_source: 'v_pet', type_column: 'kind', fields: PET },
  ],
  unions: [
    {
      name: 'Animal',
      description: 'A cat or a dog',
      members: ['Cat', 'Dog'],
      sql_source: 'v_pet',
      type_column: 'kind',
    },
  ],
  enums: [
    {
      name: 'Mood',
      description: 'How it feels',
      values: [
        { name: 'HAPPY', value: 'happy-ish', description: 'Wags or purrs' },
        { name: 'LOUD', deprecated: 'Say HAPPY' },
      ],
    },
  ],
  custom_scalars: [
    { name: 'Name', description: 'A short name', base_type: 'String', specified_by_url: 'https://example.com/name' },
  ],
  input_types: [
    {
      name: 'PetInput',
      description: 'A pet to be',
      fields: [
        { name: 'name', type: 'Name!', description: 'How to call it' },
        { name: 'mood', type: 'Mood!', default: 'HAPPY' },
        { name: 'tricks', type: '[String!]!', default: ['sit', 'say "hi"'] },
        { name: 'price', type: 'Decimal', default: '12.50', deprecated: 'Pets have no price' },
      ],
    },
  ],
  queries: [
    { name: 'pets', type: '[Pet!]!', description: 'All of them', sql_source: 'v_pet', row_filter: "kind <> 'Fish'" },
    { name: 'animals', type: '[Animal!]!', deprecated: 'Use pets', sql_source: 'v_pet', row_filter: "kind <> 'Fish'" },
    { name: 'dogs', type: '[Dog!]', sql_source: 'v_dog' },
    {
      name: 'cats',
      type: '[Cat!]!',
      sql_source: 'v_cat',
      arguments: [
        { name: 'mood', type: 'Mood', default: 'HAPPY', description: 'How it feels', deprecated: 'Use where' },
      ],
    },
    { name: 'homes', type: '[Home!]!', sql_source: 'v_home' },
  ],
  mutations: [
    {
      name: 'register',
      type: 'Dog!',
      description: 'Adds one',
      deprecated: 'They register themselves',
      sql_source: 'fn_register',
      operation: 'CREATE',
      arguments: [{ name: 'input', type: 'PetInput!' }],
    },
  ],
}

await eachDatabase(
  t,
  async (t, database) => {
    const world = await openExecuteWorld(t, database, SCHEMA)
    const data = async (query: string) => {
      const answer = await world.run(query)
      t.strictSame(answer.errors, [], query)
      return answer.data
    }
    const sdl = printSdl(createSchemaView(world.model, false))
    const built = buildSchema(sdl)

    await t.test('SDL is a schema, the one that introspection shows, and the same every time', async (t) => {
      t.strictSame(validateSchema(built), [])
      const options = { specifiedByUrl: true, inputValueDeprecation: true, oneOf: true }
      const served = buildClientSchema(await data(getIntrospectionQuery(options)))
      t.equal(printSchema(lexicographicSortSchema(built)), printSchema(lexicographicSortSchema(served)))
      t.equal(printSdl(createSchemaView(world.model, false)), sdl)
      const names = [...sdl.matchAll(/^(?:type|interface|union|enum|input|scalar) (\w+)/gm)].map((match) => match[1]!)
      t.strictSame(names.slice(0, 2), ['Query', 'Mutation'])
      t.strictSame(names.slice(2), names.slice(2).sort(), 'in the order of names')
    })

    // proves: input.description input_field.description input_field.deprecated argument.description
    // proves: argument.deprecated query.deprecated query.description mutation.description mutation.deprecated
    // proves: enum.description enum_value.description enum_value.deprecated interface.description union.description
    // proves: scalar.description scalar.specified_by_url
    await t.test('texts and deprecations of everything', (t) => {
      const type = (name: string) => built.getType(name)
      t.equal(type('Cat')?.description, 'Sleeps.\n\nA "lot".')
      t.equal(type('Pet')?.description, 'Lives with people')
      t.equal(type('Animal')?.description, 'A cat or a dog')
      t.equal(type('PetInput')?.description, 'A pet to be')
      t.equal(type('Mood')?.description, 'How it feels')
      t.match(type('Name'), {
        description: 'A short name',
        specifiedByURL: 'https://example.com/name',
      } as Partial<GraphQLScalarType>)
      t.match((type('Mood') as GraphQLEnumType).getValue('HAPPY'), { description: 'Wags or purrs' })
      t.match((type('Mood') as GraphQLEnumType).getValue('LOUD'), { deprecationReason: 'Say HAPPY' })
      const input = (type('PetInput') as GraphQLInputObjectType).getFields()
      t.equal(input.name?.description, 'How to call it')
      t.equal(input.price?.deprecationReason, 'Pets have no price')
      const { lives, name } = (type('Cat') as GraphQLObjectType).getFields()
      t.equal(lives?.deprecationReason, 'Nobody counts')
      t.equal(name?.description, 'What it is called')
      const { pets, animals, cats } = built.getQueryType()!.getFields()
      t.equal(pets?.description, 'All of them')
      t.equal(animals?.deprecationReason, 'Use pets')
      t.match(cats?.args[0], { name: 'mood', description: 'How it feels', deprecationReason: 'Use where' })
      t.match(built.getMutationType()?.getFields().register, {
        description: 'Adds one',
        deprecationReason: 'They register themselves',
      })
      t.end()
    })

    // proves: mapping.nullable mapping.nullable-list mapping.input-default mapping.mutation-non-null
    await t.test('null markers and defaults', (t) => {
      t.match(sdl, /\n {2}mood: Mood! = HAPPY\n/)
      t.match(sdl, /\n {2}tricks: \[String!\]! = \["sit", "say \\"hi\\""\]\n/)
      t.match(sdl, /\n {2}price: Decimal! = "12\.50" @deprecated\(reason: "Pets have no price"\)\n/)
      t.match(sdl, /\n {2}mood: Mood\n {2}tricks: \[String!\]\n/)
      t.match(sdl, /cats\([^)]*\): \[Cat!\]\n/, 'a relation that may be null')
      t.match(sdl, /dogs\([^)]*\): \[Dog!\]\n/, 'a query that may be null')
      t.match(sdl, /register\(input: PetInput!\): Dog! @deprecated/)
      t.end()
    })

    // proves: mapping.forward-reference interface.type_column union.type_column
    await t.test('rows of an interface and of a union, with the type in a column of another name', async (t) => {
      const { pets } = await data(
        '{ pets(orderBy: [{ name: DESC }]) { __typename name ... on Cat { mood lives home { street cats { name } } } ... on Dog { nickName tricks } } }',
      )
      t.strictSame(pets, [
        { __typename: 'Cat', name: 'Tom', mood: 'HAPPY', lives: 9, home: { street: 'Elm', cats: [{ name: 'Tom' }] } },
        { __typename: 'Dog', name: 'Rex', nickName: 'R', tricks: ['sit', 'roll'] },
      ])
      const { animals } = await data('{ animals { ... on Dog { name mood } ... on Cat { name tricks } } }')
      t.strictSame(animals, [
        { name: 'Tom', tricks: null },
        { name: 'Rex', mood: 'LOUD' },
      ])
    })

    await t.test('enums by name outside and by value inside, in arguments and their defaults', async (t) => {
      t.strictSame(await data('{ cats { name mood } }'), { cats: [{ name: 'Tom', mood: 'HAPPY' }] })
      t.strictSame(await data('{ cats(mood: LOUD) { name } }'), { cats: [] })
      t.strictSame(await data('{ dogs(where: { mood: { _in: [LOUD, HAPPY] } }) { name } }'), {
        dogs: [{ name: 'Rex' }],
      })
      const made = await data('mutation { register(input: { name: "Bo" }) { name mood tricks } }')
      t.strictSame(made, { register: { name: 'Bo 12.50', mood: 'HAPPY', tricks: ['sit', 'say "hi"'] } })
      const own = await data('mutation { register(input: { name: "Bo", mood: LOUD, tricks: [] }) { mood tricks } }')
      t.strictSame(own, { register: { mood: 'LOUD', tricks: [] } })
      for (const wrong of ['"happy-ish"', 'happy', 'null']) {
        const query = `mutation { register(input: { name: "Bo", mood: ${wrong} }) { id } }`
        await t.rejects(async () => world.operation(query), /Mood/, wrong)
      }
    })
  },
  { pglite: 'always', sql: SQL },
)
