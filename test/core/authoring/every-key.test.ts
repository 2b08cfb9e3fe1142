import t from 'tap'
import {
  collectSchema,
  enum_,
  field,
  ID,
  input,
  interface_,
  mutation,
  observer,
  query,
  scalar,
  String as Text,
  type,
  union,
} from '../../../core/authoring/index.ts'
import { withFreshRegistry } from '../../../core/authoring/registry.ts'
import { toSnakeCase } from '../../../core/base/util/naming.ts'
import { listSchemaKeys } from '../../../scripts/options/schema-keys.ts'

/** What no option sets, because it is said another way. */
const OTHERWISE: Readonly<Record<string, readonly string[]>> = {
  enum: ['values'],
  union: ['members'],
  scalar: ['serialize', 'parse', 'parse_literal'],
  // By which function it is declared.
  query: ['dataplane'],
}
/** What options set that is no key of schema.json, and options of another name. */
const NO_KEY = new Set(['name', 'extra', 'fields', 'type'])
const KEYS: Readonly<Record<string, string>> = { args: 'arguments' }

/** The options of each element, as the message of an unknown one lists them. */
async function listOptions(): Promise<ReadonlyMap<string, readonly string[]>> {
  const wrong = { noSuchOption: 1 } as never
  const inner = { fields: { x: field(ID, wrong) }, ...(wrong as object) }
  const message = await withFreshRegistry(async () => {
    type('T', inner)
    interface_('I', { fields: { x: ID }, ...(wrong as object) })
    input('N', inner)
    union('U', [], wrong)
    enum_('E', { A: 'a' }, wrong)
    scalar('S', wrong)
    query('q', Text, { args: { x: { type: Text, ...(wrong as object) } }, ...(wrong as object) })
    mutation('m', Text, wrong)
    observer('o', wrong)
    return collectSchema()
  }).catch((error: Error) => error.message)
  const told = [...`${message}`.matchAll(/: (.+) has no option "noSuchOption".* Options: (.*)$/gm)]
  return new Map(told.map(([, subject = '', options = '']) => [subject, options.split(', ')]))
}

// proves: compile.authoring-options
t.test('every key of schema.json has its option, and every option its key', async (t) => {
  const told = await listOptions()
  const optionsOf = (element: RegExp) => [...told].find(([subject]) => element.test(subject))?.[1] ?? []
  const subjects = {
    type: /^type "T"/,
    field: /^field "T\.x"/,
    interface: /^interface "I"/,
    input: /^input "N"/,
    input_field: /^input field "N\.x"/,
    union: /^union "U"/,
    enum: /^enum "E"/,
    scalar: /^scalar "S"/,
    query: /^query "q"/,
    argument: /^argument "x"/,
    mutation: /^mutation "m"/,
    observer: /^observer "o"/,
  }
  const all = [...listSchemaKeys().keys()]
  for (const [element, subject] of Object.entries(subjects)) {
    const keys = all.filter((key) => key.startsWith(`${element}.`)).map((key) => key.slice(element.length + 1))
    const options = optionsOf(subject)
      .filter((name) => !NO_KEY.has(name))
      .map((name) => KEYS[name] ?? toSnakeCase(name))
    t.ok(options.length > 0, `${element} has options`)
    t.strictSame(
      keys.filter((key) => !options.includes(key) && !OTHERWISE[element]?.includes(key)),
      [],
      `${element}: keys`,
    )
    t.strictSame(
      options.filter((name) => !keys.includes(name) && !OTHERWISE[element]?.includes(name)),
      [],
      `${element}: options`,
    )
  }
})
