import t from 'tap'
import type { AuthoredArgument, AuthoredMutation, AuthoredSchema } from '../../../core/schema/authored.ts'
import { createSqlite } from '../../helpers/databases.ts'
import { openApp } from '../../helpers/open-app.ts'
import { tableSchema } from '../../schemas/table-schema.ts'

/** A parameter that a script does not declare takes the type of the argument that it is given. */

/** By the name of the argument: its type, the declaration that says the same, a literal, and what the script finds. */
const ARGUMENTS: Readonly<Record<string, readonly [type: string, declared: string, literal: string, found: string]>> = {
  word: ['String', 'text', '"007"', "text '007'"],
  mail: ['Email', 'text', '"a@b.example"', "text 'a@b.example'"],
  whole: ['Int', 'integer', '7', 'integer 7'],
  big: ['BigInt', 'bigint', '"9007199254740993"', 'integer 9007199254740993'],
  ratio: ['Float', 'real', '1.5', 'real 1.5'],
  price: ['Decimal', 'decimal', '"1.50"', "text '1.50'"],
  flag: ['Boolean', 'boolean', 'false', 'integer 0'],
  moment: ['DateTime', 'datetime', '"2024-01-02T03:04:05+02:00"', "text '2024-01-02T01:04:05+00:00'"],
  day: ['Date', 'date', '"2024-01-02"', "text '2024-01-02'"],
  clock: ['Time', 'time', '"03:04"', "text '03:04:00'"],
  code: ['UUID', 'uuid', '"A0000000-0000-4000-8000-000000000001"', "text 'a0000000-0000-4000-8000-000000000001'"],
  doc: ['JSON', 'json', '{ a: 1 }', `text '{"a":1}'`],
  numbers: ['[Int!]', 'json', '[1, 2]', "text '[1,2]'"],
  mood: ['Mood', 'text', 'CALM', "text 'calm'"],
}
const NAMES = Object.keys(ARGUMENTS)
const BODY = `INSERT INTO note (said) VALUES (json_object(${NAMES.map((name) => `'${name}', typeof(:${name}) || ' ' || quote(:${name})`).join(', ')})) RETURNING id;`
const args = NAMES.map((name) => ({ name, type: ARGUMENTS[name]![0] }))
const mutation = (name: string, given: readonly AuthoredArgument[]): AuthoredMutation => ({
  name,
  type: 'Note',
  sql_source: `fn_${name}`,
  operation: 'CREATE',
  arguments: given,
})
const schemaOf = (mutations: readonly AuthoredMutation[]): AuthoredSchema =>
  tableSchema(
    { name: 'Note', sql_source: 'note', list: 'notes', fields: { id: 'ID!', said: 'String' } },
    {
      enums: [{ name: 'Mood', values: [{ name: 'CALM', value: 'calm' }] }],
      input_types: [{ name: 'NewNote', fields: args }],
      mutations,
    },
  )

t.test('a parameter without a declaration', async (t) => {
  const database = await createSqlite(t, {
    sql: 'CREATE TABLE note (id INTEGER PRIMARY KEY, said TEXT)',
    scripts: {
      fn_undeclared: BODY,
      fn_flat: BODY,
      fn_declared: `${NAMES.map((name) => `-- :${name} ${ARGUMENTS[name]![1]}`).join('\n')}\n${BODY}`,
      fn_whole: `INSERT INTO note (said) VALUES ((:note ->> 'word') || ' ' || json_extract(:note, '$.whole')) RETURNING id;`,
      fn_chosen: `INSERT INTO note (said) VALUES (CASE WHEN :flag THEN 'yes' WHEN NOT :flag THEN 'no' END || typeof(:caller)) RETURNING id;`,
    },
  })
  const app = await openApp(
    t,
    database,
    schemaOf([
      mutation('undeclared', args),
      mutation('declared', args),
      mutation('flat', [{ name: 'note', type: 'NewNote!' }]),
      mutation('whole', [{ name: 'note', type: 'NewNote!' }]),
      mutation('chosen', [
        { name: 'flag', type: 'Boolean!' },
        { name: 'caller', type: 'Int' },
      ]),
    ]),
  )
  const ask = async (text: string): Promise<string> => {
    const { data, errors } = await app.graphql(`mutation { note: ${text} { said } }`)
    t.equal(errors, undefined, text)
    return data.note.said
  }
  const given = NAMES.map((name) => `${name}: ${ARGUMENTS[name]![2]}`).join(', ')
  const found = Object.fromEntries(NAMES.map((name) => [name, ARGUMENTS[name]![3]]))

  await t.test('takes the type of the argument, as if it were declared', async (t) => {
    t.strictSame(JSON.parse(await ask(`undeclared(${given})`)), found)
    t.strictSame(JSON.parse(await ask(`declared(${given})`)), found)
  })

  await t.test('takes that of a field of an input, or the whole input as JSON', async (t) => {
    t.strictSame(JSON.parse(await ask(`flat(note: { ${given} })`)), found)
    t.equal(await ask('whole(note: { word: "x", whole: 3 })'), 'x 3')
  })

  await t.test('is true and false where it is a Boolean, and NULL where nothing is given', async (t) => {
    t.equal(await ask('chosen(flag: true, caller: null)'), 'yesnull')
    t.equal(await ask('chosen(flag: false, caller: 4)'), 'nointeger')
  })
})

t.test('a name that no argument has is refused, whatever its type', async (t) => {
  const database = await createSqlite(t, {
    sql: 'CREATE TABLE note (id INTEGER PRIMARY KEY, said TEXT)',
    scripts: { fn_add: 'INSERT INTO note (said) VALUES (:sayd) RETURNING id;' },
  })
  await t.rejects(openApp(t, database, schemaOf([mutation('add', [{ name: 'said', type: 'String' }])])), {
    message: /it has no parameter for "said" \(did you mean "sayd"\?\)/,
  })
})
